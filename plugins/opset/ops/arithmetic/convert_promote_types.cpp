// ConvertPromoteTypes: both inputs in the type that holds the values of either, by the rules of frameworks
// that promote. Without promote_unsafe a promotion that could lose values is an error.
#include "support/conversion.hpp"

namespace mo::opset {

namespace promotion {

struct Rules {
  bool unsafe, scalars;
  ElementType for_u64;
};
static Rules rules_of(const OpContext& c) {
  const Rules r{c.attr<bool>("promote_unsafe"), c.attr<bool>("pytorch_scalar_promotion"),
                c.attr<ElementType>("u64_integer_promotion_target")};
  require(r.for_u64 != ElementType::unknown,
          "attribute 'u64_integer_promotion_target' names no element type");
  return r;
}

static bool promotes(ElementType t) {
  using enum ElementType;
  switch (t) {
    case boolean:
    case f16:
    case f32:
    case f64:
    case bf16:
    case f8e4m3:
    case f8e5m2:
    case i4:
    case i8:
    case i16:
    case i32:
    case i64:
    case u1:
    case u4:
    case u8:
    case u16:
    case u32:
    case u64:
      return true;
    default:
      return false;
  }
}
static ElementType signed_of(int width) {
  return width <= 4    ? ElementType::i4
         : width <= 8  ? ElementType::i8
         : width <= 16 ? ElementType::i16
         : width <= 32 ? ElementType::i32
                       : ElementType::i64;
}
[[noreturn]] static void cannot(ElementType a, ElementType b, std::string_view why) {
  fail("element types ", name(a), " and ", name(b), " are not promoted: ", why);
}

static ElementType of_integers(ElementType a, ElementType b, const Rules& r) {
  if (is_signed(a) == is_signed(b)) return bits(a) >= bits(b) ? a : b;
  const int with_sign = bits(is_signed(a) ? a : b), without = bits(is_signed(a) ? b : a);
  if (without <= 32 && (r.unsafe || without * 2 <= with_sign))
    return signed_of(std::max(without * 2, with_sign));
  if (!r.unsafe) cannot(a, b, "no wider signed type is among them, and promote_unsafe is false");
  return r.for_u64;
}
static ElementType of_floats(ElementType a, ElementType b, const Rules& r) {
  if (bits(a) != bits(b)) return bits(a) > bits(b) ? a : b;
  if (!r.unsafe) cannot(a, b, "that takes a wider type, and promote_unsafe is false");
  return bits(a) == 8 ? ElementType::f16 : ElementType::f32;
}

// The common type of a and b, of which one, both or none is a scalar.
static ElementType common(ElementType a, bool a_is_scalar, ElementType b, bool b_is_scalar, const Rules& r) {
  for (const ElementType t : {a, b})
    if (!promotes(t)) cannot(a, b, "expected booleans, integers, or floats that are computed with");
  if (a == b || b == ElementType::boolean) return a;
  if (a == ElementType::boolean) return b;
  if (is_float(a) != is_float(b)) {
    const ElementType real = is_float(a) ? a : b, whole = is_float(a) ? b : a;
    if (!r.unsafe && bits(real) < 2 * bits(whole))
      cannot(a, b, "the float has less than twice the bits, and promote_unsafe is false");
    return real;
  }
  if (r.scalars && a_is_scalar != b_is_scalar) {
    const ElementType to = a_is_scalar ? b : a, from = a_is_scalar ? a : b;
    const bool safe = is_signed(to) == is_signed(from) ? bits(to) >= bits(from)
                                                       : is_signed(to) && bits(to) * 2 >= bits(from);
    if (!r.unsafe && !safe) cannot(a, b, "the scalar does not fit safely, and promote_unsafe is false");
    return to;
  }
  return is_float(a) ? of_floats(a, b, r) : of_integers(a, b, r);
}

// An unknown rank leaves open whether it is a scalar; the type is known when that does not matter.
static ElementType infer_type(const InferContext& c, const Rules& r) {
  const ElementType a = c.type(0), b = c.type(1);
  if (a == ElementType::unknown || b == ElementType::unknown) return ElementType::unknown;
  const Shape x = c.shape(0), y = c.shape(1);
  std::optional<ElementType> all;
  std::optional<Error> problem;
  for (const bool first : {false, true})
    for (const bool second : {false, true}) {
      if ((x.has_rank() && x.empty() != first) || (y.has_rank() && y.empty() != second)) continue;
      try {
        const ElementType t = common(a, first, b, second, r);
        all = all && *all != t ? ElementType::unknown : t;
      } catch (const Error& e) {
        problem = e;
      }
    }
  if (!all) throw Error(*problem);
  return *all;
}

}  // namespace promotion

struct ConvertPromoteTypes {
  static constexpr std::string_view type = "ConvertPromoteTypes", opset = "opset14";
  static void schema(OpSchema& s) {
    s.doc("both inputs in one type that holds their values").inputs({"a", "b"}, Role::fixed).outputs(2);
    s.attr<bool>("promote_unsafe", false).attr<bool>("pytorch_scalar_promotion", false);
    s.attr<ElementType>("u64_integer_promotion_target", ElementType::f32);
  }
  static void infer(InferContext& c) {
    const ElementType t = promotion::infer_type(c, promotion::rules_of(c));
    for (uint32_t i = 0; i < 2; ++i) output_converted(c, t, i);
  }
  static void evaluate(EvalContext& c) {
    const Tensor a = c.input(0), b = c.input(1);
    const ElementType t =
        promotion::common(a.type(), a.rank() == 0, b.type(), b.rank() == 0, promotion::rules_of(c));
    c.output(0, converted(c, a, t));
    c.output(1, converted(c, b, t));
  }
};

void register_convert_promote_types(Registry& r) { r.operation<ConvertPromoteTypes>(); }

}  // namespace mo::opset
