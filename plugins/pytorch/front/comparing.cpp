// Comparisons, logic, bits, and choosing by conditions.
#include "support/values.hpp"

#include <mo/extract.hpp>

namespace mo::pytorch {

namespace comparing {

// Truth values have an order only as numbers.
template <Name Type>
static Ports compare(const Call& c) {
  ElementType type = c.promoted_type({"self", "other"});
  if (type == ElementType::boolean) type = ElementType::i32;
  return {c.op1(Type, {c.as("self", type), c.as("other", type)})};
}

template <Name Type>
static Ports logical(const Call& c) {
  return {c.op1(Type, {as_truth(c, c.tensor("self")), as_truth(c, c.tensor("other"))})};
}
static Ports logical_not(const Call& c) { return {c.op1("LogicalNot", {as_truth(c, c.tensor("self"))})}; }

template <Name OfTruth, Name OfBits>
static Ports bitwise(const Call& c) {
  const auto [x, y] = c.promoted("self", "other");
  if (x.type() == ElementType::boolean) return {c.op1(OfTruth, {x, y})};
  return {c.b.op(OfBits, "opset13", {x, y})};
}
static Ports bitwise_not(const Call& c) {
  const OutPort x = c.tensor("self");
  if (x.type() == ElementType::boolean) return {c.op1("LogicalNot", {x})};
  return {c.b.op("BitwiseNot", "opset13", {x})};
}
template <Name Type>
static Ports shift(const Call& c) {
  const auto [x, y] = c.promoted("self", "other");
  return {c.b.op(Type, "opset15", {x, y})};
}

constexpr double infinity = std::numeric_limits<double>::infinity();

static OutPort equals(const Call& c, const OutPort& x, double v) { return c.op1("Equal", {x, c.like(x, v)}); }
static OutPort never(const Call& c, const OutPort& x) { return c.op1("Less", {x, x}); }

static Ports is_real(const Call& c) {
  const OutPort x = c.tensor("self");
  if (c.is_complex("self")) {
    const OutPort imaginary = taken_apart(c, x).imaginary;
    return {c.op1("Equal", {imaginary, c.like(imaginary, 0)})};
  }
  return {c.b.broadcast(c.b.constant(Tensor::scalar<bool>(c.b.context(), true)), c.b.shape_of(x))};
}
static Ports is_nan(const Call& c) {
  const OutPort x = c.tensor("self");
  return {is_float(x.type()) ? c.op1("NotEqual", {x, x}) : never(c, c.b.convert(x, ElementType::i32))};
}
template <bool Positive, bool Negative>
static Ports is_infinite(const Call& c) {
  const OutPort x = c.tensor("self");
  if (!is_float(x.type())) return {never(c, c.b.convert(x, ElementType::i32))};
  if (!Negative) return {equals(c, x, infinity)};
  if (!Positive) return {equals(c, x, -infinity)};
  return {equals(c, c.op1("Abs", {x}), infinity)};
}
static Ports is_finite(const Call& c) {
  const OutPort x = c.tensor("self");
  if (!is_float(x.type())) return {c.op1("LogicalNot", {never(c, c.b.convert(x, ElementType::i32))})};
  return {is_less(c, c.op1("Abs", {x}), c.like(x, infinity))};
}
static Ports has_sign(const Call& c) {
  const OutPort x = c.tensor("self");
  return {is_less(c, x, c.like(x, 0))};
}

static Ports is_close(const Call& c) {
  auto [x, y] = c.promoted("self", "other");
  x = as_float(c, x), y = as_float(c, y);
  const OutPort allowed = c.b.add(c.b.multiply(c.op1("Abs", {y}), c.like(y, c.number("rtol", 1e-5))),
                                  c.like(y, c.number("atol", 1e-8)));
  const OutPort distance = c.op1("Abs", {c.b.subtract(x, y)});
  // An infinite tolerance allows nothing but what is equal.
  const OutPort close = c.op1(
      "LogicalAnd", {c.op1("LessEqual", {distance, allowed}), is_less(c, distance, c.like(x, infinity))});
  OutPort all = c.op1("LogicalOr", {c.op1("Equal", {x, y}), close});
  if (c.flag("equal_nan", false)) {
    const OutPort both = c.op1("LogicalAnd", {c.op1("NotEqual", {x, x}), c.op1("NotEqual", {y, y})});
    all = c.op1("LogicalOr", {all, both});
  }
  return {all};
}

// Both parts of a complex number are chosen by one condition.
static Ports where(const Call& c) {
  const OutPort condition = as_truth(c, c.tensor("condition"));
  if (c.is_complex("self") || c.is_complex("other")) {
    const ElementType type = c.promoted_type({"self", "other"});
    const OutPort both = c.b.unsqueeze(condition, c.b.list({-1}));
    return {c.b.select(both, as_complex(c, "self", type), as_complex(c, "other", type))};
  }
  const auto [x, y] = c.promoted("self", "other");
  return {c.b.select(condition, x, y)};
}

static Ports masked_fill(const Call& c) {
  const OutPort x = c.tensor("self"), mask = as_truth(c, c.tensor("mask"));
  if (c.is_complex("self"))
    return {c.b.select(c.b.unsqueeze(mask, c.b.list({-1})), as_complex(c, "value", x.type()), x)};
  return {c.b.select(mask, c.as("value", x.type()), x)};
}

// Whether an element is one of the others.
static Ports is_in(const Call& c) {
  const ElementType type = c.promoted_type({"elements", "test_elements"});
  const OutPort one = c.b.unsqueeze(c.as("elements", type), c.b.list({-1}));
  const OutPort among = flat(c, c.as("test_elements", type));
  const OutPort found = c.b.reduce("ReduceLogicalOr", c.op1("Equal", {one, among}), c.b.list({-1}), false);
  return {c.flag("invert", false) ? c.op1("LogicalNot", {found}) : found};
}

static Ports nan_to_num(const Call& c) {
  const OutPort x = c.tensor("self");
  if (!is_float(x.type())) return {x};
  const double most = x.type() == ElementType::f16    ? 65504
                      : x.type() == ElementType::bf16 ? 0x1.FEp127
                      : x.type() == ElementType::f64  ? std::numeric_limits<double>::max()
                                                      : double{std::numeric_limits<float>::max()};
  const auto in_place_of = [&](const OutPort& where, std::string_view name, double fallback,
                               const OutPort& v) {
    return c.b.select(where, c.like(x, c.number(name, fallback)), v);
  };
  OutPort y = in_place_of(c.op1("NotEqual", {x, x}), "nan", 0, x);
  y = in_place_of(equals(c, x, infinity), "posinf", most, y);
  return {in_place_of(equals(c, x, -infinity), "neginf", -most, y)};
}

}  // namespace comparing

void register_comparing(Registry& r) {
  using namespace comparing;
  convert<compare<"Equal">>(r, "aten.eq.Tensor aten.eq.Scalar", "eq(x, y)", "Equal(x, y)");
  convert<compare<"NotEqual">>(r, "aten.ne.Tensor aten.ne.Scalar aten.not_equal.Tensor aten.not_equal.Scalar",
                               "ne(x, y)", "NotEqual(x, y)");
  convert<compare<"Less">>(r, "aten.lt.Tensor aten.lt.Scalar aten.less.Tensor aten.less.Scalar", "lt(x, y)",
                           "Less(x, y)");
  convert<compare<"LessEqual">>(r,
                                "aten.le.Tensor aten.le.Scalar aten.less_equal.Tensor aten.less_equal.Scalar",
                                "le(x, y)", "LessEqual(x, y)");
  convert<compare<"Greater">>(r, "aten.gt.Tensor aten.gt.Scalar aten.greater.Tensor aten.greater.Scalar",
                              "gt(x, y)", "Greater(x, y)");
  convert<compare<"GreaterEqual">>(
      r, "aten.ge.Tensor aten.ge.Scalar aten.greater_equal.Tensor aten.greater_equal.Scalar", "ge(x, y)",
      "GreaterEqual(x, y)");
  convert<logical<"LogicalAnd">>(r, "aten.logical_and.default", "logical_and(x, y)",
                                 "LogicalAnd(NotEqual(x, 0), NotEqual(y, 0))");
  convert<logical<"LogicalOr">>(r, "aten.logical_or.default", "logical_or(x, y)",
                                "LogicalOr(NotEqual(x, 0), NotEqual(y, 0))");
  convert<logical<"LogicalXor">>(r, "aten.logical_xor.default", "logical_xor(x, y)",
                                 "LogicalXor(NotEqual(x, 0), NotEqual(y, 0))");
  convert<logical_not>(r, "aten.logical_not.default", "logical_not(x)", "LogicalNot(NotEqual(x, 0))");
  convert<bitwise<"LogicalAnd", "BitwiseAnd">>(
      r,
      "aten.bitwise_and.Tensor aten.bitwise_and.Scalar aten.bitwise_and.Scalar_Tensor aten.__and__.Tensor "
      "aten.__and__.Scalar",
      "bitwise_and(x, y)", "BitwiseAnd-13(x, y), of truth values LogicalAnd(x, y)");
  convert<bitwise<"LogicalOr", "BitwiseOr">>(
      r,
      "aten.bitwise_or.Tensor aten.bitwise_or.Scalar aten.bitwise_or.Scalar_Tensor aten.__or__.Tensor "
      "aten.__or__.Scalar",
      "bitwise_or(x, y)", "BitwiseOr-13(x, y), of truth values LogicalOr(x, y)");
  convert<bitwise<"LogicalXor", "BitwiseXor">>(
      r,
      "aten.bitwise_xor.Tensor aten.bitwise_xor.Scalar aten.bitwise_xor.Scalar_Tensor aten.__xor__.Tensor "
      "aten.__xor__.Scalar",
      "bitwise_xor(x, y)", "BitwiseXor-13(x, y), of truth values LogicalXor(x, y)");
  convert<bitwise_not>(r, "aten.bitwise_not.default", "bitwise_not(x)",
                       "BitwiseNot-13(x), of truth values LogicalNot(x)");
  convert<shift<"BitwiseLeftShift">>(
      r,
      "aten.bitwise_left_shift.Tensor aten.bitwise_left_shift.Tensor_Scalar "
      "aten.bitwise_left_shift.Scalar_Tensor aten.__lshift__.Tensor aten.__lshift__.Scalar",
      "bitwise_left_shift(x, y)", "BitwiseLeftShift-15(x, y)");
  convert<shift<"BitwiseRightShift">>(
      r,
      "aten.bitwise_right_shift.Tensor aten.bitwise_right_shift.Tensor_Scalar "
      "aten.bitwise_right_shift.Scalar_Tensor aten.__rshift__.Tensor aten.__rshift__.Scalar",
      "bitwise_right_shift(x, y)", "BitwiseRightShift-15(x, y)");
  convert<is_real>(r, "aten.isreal.default", "isreal(x)", "true, of complex numbers Equal(imag, 0)");
  convert<is_nan>(r, "aten.isnan.default", "isnan(x)", "NotEqual(x, x)");
  convert<is_infinite<true, true>>(r, "aten.isinf.default", "isinf(x)", "Equal(Abs(x), inf)");
  convert<is_infinite<true, false>>(r, "aten.isposinf.default", "isposinf(x)", "Equal(x, inf)");
  convert<is_infinite<false, true>>(r, "aten.isneginf.default", "isneginf(x)", "Equal(x, -inf)");
  convert<is_finite>(r, "aten.isfinite.default", "isfinite(x)", "Less(Abs(x), inf)");
  convert<has_sign>(r, "aten.signbit.default", "signbit(x)", "Less(x, 0)");
  convert<is_close>(r, "aten.isclose.default", "isclose(x, y)",
                    "LogicalOr(Equal(x, y), LessEqual(Abs(Subtract(x, y)), atol + rtol * Abs(y)))");
  convert<where>(r, "aten.where.self aten.where.ScalarOther aten.where.ScalarSelf aten.where.Scalar",
                 "where(condition, x, y)", "Select(condition, x, y)");
  convert<masked_fill>(r, "aten.masked_fill.Scalar aten.masked_fill.Tensor", "masked_fill(x, mask, value)",
                       "Select(mask, value, x)");
  convert<is_in>(r, "aten.isin.Tensor_Tensor aten.isin.Tensor_Scalar aten.isin.Scalar_Tensor",
                 "isin(elements, test_elements)", "ReduceLogicalOr(Equal(Unsqueeze(x), y))");
  convert<nan_to_num>(r, "aten.nan_to_num.default", "nan_to_num(x, nan, posinf, neginf)",
                      "Select(NotEqual(x, x), nan, x), and Select for each infinity");
}

}  // namespace mo::pytorch
