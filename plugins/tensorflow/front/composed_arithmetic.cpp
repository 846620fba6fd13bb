// Functions of two and more numbers that are made of several operations.
#include "support/build.hpp"

namespace mo::tensorflow {

namespace arithmetic {

static OutPort op1(const Build& b, std::string_view type, const Ports& inputs) {
  return b.op(type, "opset1", inputs);
}
static OutPort quotient(const Build& b, const OutPort& x, const OutPort& y) {
  return b.node("Divide", "opset1", {x, y}).set("m_pythondiv", false).out_port();
}
// 0 where `of` is 0, whatever the value is there.
static OutPort zero_where_zero(const Build& b, const OutPort& of, const OutPort& value) {
  const OutPort zero = b.like(b.in(0), 0);
  return b.select(op1(b, "Equal", {of, zero}), zero, value);
}

}  // namespace arithmetic

static Ports floor_div(Build& b, const SourceNode&) {
  const OutPort x = b.in(0), y = b.in(1);
  const Node n = b.node("Divide", "opset1", {x, y});
  n.set("m_pythondiv", true);
  const ElementType type = x.type() != ElementType::unknown ? x.type() : y.type();
  return {is_integer(type) ? n.out_port() : b.op("Floor", "opset1", {n.out_port()})};
}

static Ports div_no_nan(Build& b, const SourceNode&) {
  return {arithmetic::zero_where_zero(b, b.in(1), arithmetic::quotient(b, b.in(0), b.in(1)))};
}

static Ports mul_no_nan(Build& b, const SourceNode&) {
  return {arithmetic::zero_where_zero(b, b.in(1), b.multiply(b.in(0), b.in(1)))};
}

static Ports xdivy(Build& b, const SourceNode&) {
  return {arithmetic::zero_where_zero(b, b.in(0), arithmetic::quotient(b, b.in(0), b.in(1)))};
}

static Ports xlogy(Build& b, const SourceNode&) {
  const OutPort log = b.op("Log", "opset1", {b.in(1)});
  return {arithmetic::zero_where_zero(b, b.in(0), b.multiply(b.in(0), log))};
}

static Ports xlog1py(Build& b, const SourceNode&) {
  const OutPort log = b.op("Log", "opset1", {b.add(b.in(1), b.like(b.in(0), 1))});
  return {arithmetic::zero_where_zero(b, b.in(0), b.multiply(b.in(0), log))};
}

// The angle of the point (x, y): that of atan(y / x) in the right half, and half a turn more in the left one.
static Ports atan2(Build& b, const SourceNode&) {
  using arithmetic::op1;
  const OutPort y = b.in(0), x = b.in(1);
  constexpr double pi = 3.14159265358979323846;
  const OutPort zero = b.like(y, 0);
  const OutPort angle = op1(b, "Atan", {op1(b, "Divide", {y, x})});
  const OutPort half_turn = b.select(op1(b, "Less", {y, zero}), b.like(y, -pi), b.like(y, pi));
  const OutPort left = b.select(op1(b, "Less", {x, zero}), op1(b, "Add", {angle, half_turn}), angle);
  const OutPort upright = op1(b, "Multiply", {op1(b, "Sign", {y}), b.like(y, pi / 2)});
  return {b.select(op1(b, "Equal", {x, zero}), upright, left)};
}

static Ports approximate_equal(Build& b, const SourceNode& n) {
  const OutPort distance = b.op("Abs", "opset1", {b.subtract(b.in(0), b.in(1))});
  return {b.op("Less", "opset1", {distance, b.like(b.in(0), n.native("tolerance", 1e-5))})};
}

static Ports add_n(Build& b, const SourceNode& n) {
  require(n.in_count() > 0, "it has no inputs");
  if (n.in_count() == 1) return bypass(n, b.in(0));
  OutPort sum = b.in(0);
  for (size_t i = 1; i < n.in_count(); ++i) sum = b.add(sum, b.in(i));
  return {sum};
}

// Limits that Clamp can hold as numbers without loss, or else two operations.
static Ports clip_by_value(Build& b, const SourceNode&) {
  const auto limit = [&](size_t i) -> std::optional<double> {
    const auto t = b.constant(i);
    if (!t || t->size() != 1) return std::nullopt;
    const double v = t->number(0);
    if (bits(t->type()) == 64 && is_integer(t->type()) && std::abs(v) > 0x1p53) return std::nullopt;
    return v;
  };
  const auto low = limit(1), high = limit(2);
  if (low && high && *low <= *high) {
    return {b.clamp(b.in(0), *low, *high)};
  }
  const OutPort below = b.op("Minimum", "opset1", {b.in(0), b.in(2)});
  return {b.op("Maximum", "opset1", {below, b.in(1)})};
}

// Vectors of the space along the last dimension.
static Ports cross(Build& b, const SourceNode&) {
  const auto turned = [&](size_t i, const Ints& order) { return b.gather(b.in(i), b.list(order), -1); };
  const Ints next{1, 2, 0}, last{2, 0, 1};
  const OutPort plus = b.op("Multiply", "opset1", {turned(0, next), turned(1, last)});
  const OutPort minus = b.op("Multiply", "opset1", {turned(0, last), turned(1, next)});
  return {b.subtract(plus, minus)};
}

void register_composed_arithmetic(Registry& r) {
  replace<floor_div>(r, {"FloorDiv", "FloorDiv(x, y)", "Floor(Divide(x, y)), or Divide of integers"});
  replace<div_no_nan>(r, {"DivNoNan", "DivNoNan(x, y)", "Select(Equal(y, 0), 0, Divide(x, y))"});
  replace<mul_no_nan>(r, {"MulNoNan", "MulNoNan(x, y)", "Select(Equal(y, 0), 0, Multiply(x, y))"});
  replace<xdivy>(r, {"Xdivy", "Xdivy(x, y)", "Select(Equal(x, 0), 0, Divide(x, y))"});
  replace<xlogy>(r, {"Xlogy", "Xlogy(x, y)", "Select(Equal(x, 0), 0, Multiply(x, Log(y)))"});
  replace<xlog1py>(r, {"Xlog1py", "Xlog1py(x, y)", "Select(Equal(x, 0), 0, Multiply(x, Log(Add(y, 1))))"});
  replace<atan2>(r, {"Atan2", "Atan2(y, x)", "Select(Equal(x, 0), ±pi/2, Atan(Divide(y, x)) + 0 or ±pi)"});
  replace<approximate_equal>(
      r, {"ApproximateEqual", "ApproximateEqual(x, y)", "Less(Abs(Subtract(x, y)), tolerance)"});
  replace<add_n>(r, {"AddN", "AddN(a, b, c)", "Add(Add(a, b), c)"});
  replace<add_n>(r, {"AccumulateNV2", "AccumulateNV2(a, b, c)", "Add(Add(a, b), c)"});
  replace<clip_by_value>(
      r, {"ClipByValue", "ClipByValue(x, low, high)", "Clamp(x), or Maximum(Minimum(x, high), low)"});
  replace<cross>(r, {"Cross", "Cross(a, b)", "Subtract(Multiply(a', b\"), Multiply(a\", b'))"});
}

}  // namespace mo::tensorflow
