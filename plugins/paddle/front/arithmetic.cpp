// Operators of two operands, element by element.
#include "support/operator.hpp"

#include <mo/extract.hpp>

namespace mo::paddle {

namespace arithmetic {

struct Pair {
  OutPort x, y;
};

// In ProgramDesc dimensions of y start at one of x where `axis` says so.
static Pair aligned(const Op& o) {
  const OutPort x = o.in("0 X x"), y = o.in("1 Y y");
  const int64_t axis = o.integer("axis", -1);
  if (axis == -1) return {x, y};
  const int64_t behind = o.rank(x) - o.axis(x, axis) - o.rank(y);
  if (behind <= 0) return {x, y};
  Ints axes;
  for (int64_t i = 0; i < behind; ++i) axes.push_back(o.rank(y) + i);
  return {x, o.unsqueezed(y, axes)};
}

template <Name Type, Name Opset = "opset1">
static Ports binary(const Op& o) {
  const Pair p = aligned(o);
  return {o.op(Type, Opset, {p.x, p.y})};
}

// Flags are numbers here.
template <Name Type, Name Logical>
static Ports of_flags_too(const Op& o) {
  const Pair p = aligned(o);
  if (o.type_of(p.x) == ElementType::boolean) return {o.op1(Logical, {p.x, p.y})};
  return {o.op1(Type, {p.x, p.y})};
}

// Integers are cut towards zero.
static OutPort quotient(const Op& o, const OutPort& x, const OutPort& y) {
  const Node n = o.node("Divide", "opset1", {x, y});
  if (!o.is_real(x)) n.set("m_pythondiv", false);
  return n.out_port();
}

static Ports divide(const Op& o) {
  const Pair p = aligned(o);
  return {quotient(o, p.x, p.y)};
}

static Ports floor_divide(const Op& o) {
  const Pair p = aligned(o);
  if (o.is_real(p.x)) return {o.op1("Floor", {o.divide(p.x, p.y)})};
  // Runtimes divide integers each in its way; without a rest there is one.
  const OutPort whole = o.subtract(p.x, o.op1("FloorMod", {p.x, p.y}));
  return {o.divide(whole, p.y)};
}

// The extreme of the two that is a number.
template <Name Type>
static Ports of_numbers(const Op& o) {
  const Pair p = aligned(o);
  if (!o.is_real(p.x)) return {o.op1(Type, {p.x, p.y})};
  const OutPort extreme = o.op1(Type, {p.x, p.y});
  const OutPort without_x = o.select(o.op("IsNaN", "opset10", {p.x}), p.y, extreme);
  return {o.select(o.op("IsNaN", "opset10", {p.y}), p.x, without_x)};
}

template <Name Type>
static Ports logical(const Op& o) {
  const Pair p = aligned(o);
  return {o.op1(Type, {o.convert(p.x, ElementType::boolean), o.convert(p.y, ElementType::boolean)})};
}

static Ports add_n(const Op& o) {
  const Ports all = o.all("0 X");
  require(!all.empty(), "it adds nothing");
  OutPort sum = all.front();
  for (size_t i = 1; i < all.size(); ++i) sum = o.add(sum, all[i]);
  return {sum};
}

// The angle of (x, y): of the quotient, turned by half a circle left of the origin.
static Ports atan2(const Op& o) {
  const OutPort y = o.in("0 X1"), x = o.in("1 X2");
  constexpr double pi = 3.14159265358979323846;
  const OutPort zero = o.like(x, 0);
  const OutPort left = o.op1("Less", {x, zero}), below = o.op1("Less", {y, zero});
  const OutPort is_zero = o.op1("Equal", {x, zero});
  const OutPort quotient = o.divide(y, o.select(is_zero, o.like(x, 1), x));
  const OutPort angle = o.op1("Atan", {quotient});
  const OutPort turn = o.select(below, o.like(x, -pi), o.like(x, pi));
  const OutPort half = o.select(o.op1("Equal", {y, zero}), zero, o.times(turn, 0.5));
  return {o.select(is_zero, half, o.select(left, o.add(angle, turn), angle))};
}

static Ports lerp(const Op& o) {
  const OutPort x = o.in("0 X"), y = o.in("1 Y");
  return {o.add(x, o.multiply(o.in("2 Weight"), o.subtract(y, x)))};
}

static Ports equal_all(const Op& o) {
  const OutPort same = o.op1("Equal", {o.in("0 X"), o.in("1 Y")});
  return {o.reduce("ReduceLogicalAnd", same, o.axes(same, 0, INT64_MAX), false)};
}

static OutPort closeness(const Op& o) {
  const OutPort x = o.in("0 Input"), y = o.in("1 Other");
  const auto tolerance = [&](std::string_view slots, std::string_view name, double fallback) {
    if (o.has(slots)) return o.convert(o.as_scalar(o.in(slots)), o.type_of(x));
    const std::string written = o.word(name, "");
    return o.like(x, written.empty() ? fallback : std::strtod(written.c_str(), nullptr));
  };
  const OutPort off = o.op1("Abs", {o.subtract(x, y)});
  const OutPort most = o.add(tolerance("3 Atol", "atol", 1e-8),
                             o.multiply(tolerance("2 Rtol", "rtol", 1e-5), o.op1("Abs", {y})));
  OutPort close = o.op1("LogicalOr", {o.op1("LessEqual", {off, most}), o.op1("Equal", {x, y})});
  if (!o.flag("equal_nan", false)) return close;
  const OutPort both = o.op1("LogicalAnd", {o.op("IsNaN", "opset10", {x}), o.op("IsNaN", "opset10", {y})});
  return o.op1("LogicalOr", {close, both});
}

static Ports isclose(const Op& o) { return {closeness(o)}; }

static Ports allclose(const Op& o) {
  const OutPort close = closeness(o);
  return {o.reduce("ReduceLogicalAnd", close, o.axes(close, 0, INT64_MAX), false)};
}

static Ports where(const Op& o) {
  const OutPort condition = o.convert(o.in("0 Condition"), ElementType::boolean);
  return {o.select(condition, o.in("1 X"), o.in("2 Y"))};
}

static Ports masked_fill(const Op& o) {
  const OutPort x = o.in("0 X");
  return {o.select(o.in("1 Mask"), o.convert(o.in("2 Value"), o.type_of(x)), x)};
}

}  // namespace arithmetic

void register_arithmetic(Registry& r) {
  using namespace arithmetic;
  convert<of_flags_too<"Add", "LogicalOr">>(r, "add elementwise_add", "add(x, y)", "Add(x, y)");
  convert<binary<"Subtract">>(r, "subtract elementwise_sub", "subtract(x, y)", "Subtract(x, y)");
  convert<of_flags_too<"Multiply", "LogicalAnd">>(r, "multiply elementwise_mul", "multiply(x, y)",
                                                  "Multiply(x, y)");
  convert<divide>(r, "divide elementwise_div", "divide(x, y)", "Divide(x, y)");
  convert<floor_divide>(r, "floor_divide elementwise_floordiv", "floor_divide(x, y)",
                        "Floor(Divide(x, y)), of integers Divide(Subtract(x, FloorMod(x, y)), y)");
  convert<binary<"FloorMod">>(r, "remainder elementwise_mod", "remainder(x, y)", "FloorMod(x, y)");
  convert<binary<"Power">>(r, "elementwise_pow", "elementwise_pow(x, y)", "Power(x, y)");
  convert<binary<"Maximum">>(r, "maximum elementwise_max", "maximum(x, y)", "Maximum(x, y)");
  convert<binary<"Minimum">>(r, "minimum elementwise_min", "minimum(x, y)", "Minimum(x, y)");
  convert<of_numbers<"Maximum">>(r, "fmax elementwise_fmax", "fmax(x, y)", "Select(IsNaN, y, Maximum(x, y))");
  convert<of_numbers<"Minimum">>(r, "fmin elementwise_fmin", "fmin(x, y)", "Select(IsNaN, y, Minimum(x, y))");
  convert<binary<"Equal">>(r, "equal", "equal(x, y)", "Equal(x, y)");
  convert<binary<"NotEqual">>(r, "not_equal", "not_equal(x, y)", "NotEqual(x, y)");
  convert<binary<"Greater">>(r, "greater_than", "greater_than(x, y)", "Greater(x, y)");
  convert<binary<"GreaterEqual">>(r, "greater_equal", "greater_equal(x, y)", "GreaterEqual(x, y)");
  convert<binary<"Less">>(r, "less_than", "less_than(x, y)", "Less(x, y)");
  convert<binary<"LessEqual">>(r, "less_equal", "less_equal(x, y)", "LessEqual(x, y)");
  convert<logical<"LogicalAnd">>(r, "logical_and", "logical_and(x, y)", "LogicalAnd(x, y)");
  convert<logical<"LogicalOr">>(r, "logical_or", "logical_or(x, y)", "LogicalOr(x, y)");
  convert<logical<"LogicalXor">>(r, "logical_xor", "logical_xor(x, y)", "LogicalXor(x, y)");
  convert<binary<"BitwiseAnd", "opset13">>(r, "bitwise_and", "bitwise_and(x, y)", "BitwiseAnd(x, y)");
  convert<binary<"BitwiseOr", "opset13">>(r, "bitwise_or", "bitwise_or(x, y)", "BitwiseOr(x, y)");
  convert<binary<"BitwiseXor", "opset13">>(r, "bitwise_xor", "bitwise_xor(x, y)", "BitwiseXor(x, y)");
  convert<add_n>(r, "add_n", "add_n(list)", "Add(Add(a, b), c)");
  convert<atan2>(r, "atan2", "atan2(y, x)", "Select(Less(x, 0), Add(Atan(y / x), pi), Atan(y / x))");
  convert<lerp>(r, "lerp", "lerp(x, y, weight)", "Add(x, Multiply(weight, Subtract(y, x)))");
  convert<equal_all>(r, "equal_all", "equal_all(x, y)", "ReduceLogicalAnd(Equal(x, y))");
  convert<isclose>(r, "isclose", "isclose(x, y)", "LessEqual(Abs(Subtract(x, y)), tolerance)");
  convert<allclose>(r, "allclose", "allclose(x, y)",
                    "ReduceLogicalAnd(LessEqual(Abs(Subtract(x, y)), tolerance))");
  convert<where>(r, "where", "where(c, x, y)", "Select(c, x, y)");
  convert<masked_fill>(r, "masked_fill", "masked_fill(x, mask, value)", "Select(mask, value, x)");
}

}  // namespace mo::paddle
