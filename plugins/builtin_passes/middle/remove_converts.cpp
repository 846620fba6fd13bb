// A Convert to the type that is there, or back to one that the first Convert has left without loss, is not
// needed:
//   Convert(x f32, f32)                  ->  x
//   Convert(Convert(x i32, i64), i32)    ->  x
//   Convert(Convert(x f16, f32), f64)    ->  Convert(x, f64)
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class RemoveConverts : public Elimination {
 public:
  RemoveConverts() : Elimination(wrap_type({"Convert"}, {any_input()})) {
    id = "middle.remove_converts";
    doc = "a Convert that changes nothing, or undoes one that lost nothing, is left out";
    before = R"(
      %x = Parameter -> i32[2,3]
      %l = Convert@opset1 (%x) {destination_type=i64}
      %b = Convert@opset1 (%l) {destination_type=i32}
      %y = Abs@opset1 (%b)
      Result (%y))";
    after = R"(
      %x = Parameter -> i32[2,3]
      %y = Abs@opset1 (%x)
      Result (%y))";
  }
  OutPort heir(const Node& n) override {
    const OutPort source = source_of(n, 0);
    const ElementType type = n.attr<ElementType>("destination_type");
    if (source.type() == type) return source;
    const Node inner = source.node();
    if (!inner.is("opset1::Convert") || !n.is("opset1::Convert")) return {};
    const OutPort x = source_of(inner, 0);
    only_when(holds_all(source.type(), x.type()), "'", inner.name(), "' makes ", mo::name(source.type()),
              " of ", mo::name(x.type()), ", which loses numbers");
    if (x.type() == type) return x;
    n.in_port(0).set_source(x);
    return {};
  }

 private:
  // Every number of the type `from` is one of the type `in`.
  static bool holds_all(ElementType in, ElementType from) {
    if (in == from) return true;
    if (in == ElementType::unknown || from == ElementType::unknown || in == ElementType::boolean)
      return false;
    if (bits(in) < 8 || bits(from) == 0 || (bits(from) < 8 && from != ElementType::u1)) return false;
    if (from == ElementType::boolean) return in != ElementType::f8e8m0;  // which has no zero
    // Floats of 8 bits hold few numbers, and none of them all of another type.
    if (is_float(in) && bits(in) == 8) return false;
    if (is_float(from)) {
      if (from == ElementType::f16 || from == ElementType::bf16)
        return in == ElementType::f32 || in == ElementType::f64;
      return from == ElementType::f32 && in == ElementType::f64;
    }
    if (is_float(in)) return exact_integer_bits(in) >= bits(from);
    const bool has_sign = info(from).kind == 'i', keeps_sign = info(in).kind == 'i';
    if (has_sign) return keeps_sign && bits(in) >= bits(from);
    return bits(in) > bits(from) || (!keeps_sign && bits(in) == bits(from));
  }

  static int exact_integer_bits(ElementType t) {
    return t == ElementType::f64 ? 53 : t == ElementType::f32 ? 24 : t == ElementType::f16 ? 11 : 8;
  }
};

void register_remove_converts(Registry& r) { simplifying<RemoveConverts>(r, Stage::remove); }

}  // namespace mo::builtin_passes
