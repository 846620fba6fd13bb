// Arithmetic with a fused activation, and what one operation does not say.
#include "support/build.hpp"

namespace mo::tflite {

namespace arithmetic {

static constexpr char add[] = "Add", subtract[] = "Subtract", multiply[] = "Multiply";

template <auto& Type>
static Ports combined(Build& b, const SourceNode& n) {
  return {activated(b, n, op1(b, Type, {b.in(0), b.in(1)}))};
}

}  // namespace arithmetic

// Integers are cut towards zero.
static Ports divide(Build& b, const SourceNode& n) {
  const Node d = b.node("Divide", "opset1", {b.in(0), b.in(1)});
  if (is_integer(b.in(0).type())) d.set("m_pythondiv", false);
  return {activated(b, n, d.out_port())};
}

static Ports floor_divide(Build& b, const SourceNode&) {
  const Node d = b.node("Divide", "opset1", {b.in(0), b.in(1)});
  d.set("m_pythondiv", true);
  return {is_integer(b.in(0).type()) ? d.out_port() : op1(b, "Floor", {d.out_port()})};
}

static Ports add_all(Build& b, const SourceNode& n) {
  require(n.in_count() > 0, "it has no inputs");
  if (n.in_count() == 1) return bypass(n, b.in(0));
  OutPort sum = b.in(0);
  for (size_t i = 1; i < n.in_count(); ++i) sum = op1(b, "Add", {sum, b.in(i)});
  return {sum};
}

static Ports reciprocal_root(Build& b, const SourceNode&) {
  return {op1(b, "Power", {b.in(0), b.like(b.in(0), -0.5)})};
}

static Ports square(Build& b, const SourceNode&) { return {op1(b, "Multiply", {b.in(0), b.in(0)})}; }

// The angle of the point (x, y): that of atan(y / x) in the right half, and half a turn more in the left one.
static Ports angle_of_point(Build& b, const SourceNode&) {
  constexpr double pi = 3.14159265358979323846;
  const OutPort y = b.in(0), x = b.in(1), zero = b.like(y, 0);
  const OutPort angle = op1(b, "Atan", {op1(b, "Divide", {y, x})});
  const OutPort half_turn = b.select(op1(b, "Less", {y, zero}), b.like(y, -pi), b.like(y, pi));
  const OutPort left = b.select(op1(b, "Less", {x, zero}), op1(b, "Add", {angle, half_turn}), angle);
  const OutPort upright = op1(b, "Multiply", {op1(b, "Sign", {y}), b.like(y, pi / 2)});
  return {b.select(op1(b, "Equal", {x, zero}), upright, left)};
}

static Ports exclusive_or(Build& b, const SourceNode&) {
  const bool logical = b.in(0).type() == ElementType::boolean;
  return {logical ? op1(b, "LogicalXor", {b.in(0), b.in(1)})
                  : b.op("BitwiseXor", "opset13", {b.in(0), b.in(1)})};
}

static Ports right_shift(Build& b, const SourceNode&) {
  return {b.op("BitwiseRightShift", "opset15", {b.in(0), b.in(1)})};
}

// Numbers of the interval that each element lies in.
static Ports bucketize(Build& b, const SourceNode& n) {
  const auto boundaries = n.native<std::vector<double>>("boundaries");
  require(std::is_sorted(boundaries.begin(), boundaries.end()), "attribute 'boundaries' is not sorted");
  const auto count = static_cast<int64_t>(boundaries.size());
  const Node k =
      b.node("Bucketize", "opset3",
             {b.in(0), b.constant(Tensor::filled(b.context(), ElementType::f32, boundaries, {count}))});
  k.set("output_type", ElementType::i32).set("with_right_bound", false);
  return {k.out_port()};
}

void register_arithmetic(Registry& r) {
  using namespace arithmetic;
  replace<combined<add>>(r, {"ADD", "ADD(x, y)", "activation(Add(x, y))"});
  replace<combined<subtract>>(r, {"SUB", "SUB(x, y)", "activation(Subtract(x, y))"});
  replace<combined<multiply>>(r, {"MUL", "MUL(x, y)", "activation(Multiply(x, y))"});
  replace<divide>(r, {"DIV", "DIV(x, y)", "activation(Divide(x, y))"});
  replace<floor_divide>(r, {"FLOOR_DIV", "FLOOR_DIV(x, y)", "Floor(Divide(x, y)), or Divide of integers"});
  replace<add_all>(r, {"ADD_N", "ADD_N(a, b, c)", "Add(Add(a, b), c)"});
  replace<reciprocal_root>(r, {"RSQRT", "RSQRT(x)", "Power(x, -0.5)"});
  replace<square>(r, {"SQUARE", "SQUARE(x)", "Multiply(x, x)"});
  replace<angle_of_point>(
      r, {"ATAN2", "ATAN2(y, x)", "Select(Equal(x, 0), ±pi/2, Atan(Divide(y, x)) + 0 or ±pi)"});
  replace<exclusive_or>(r, {"BITWISE_XOR", "BITWISE_XOR(x, y)", "BitwiseXor-13(x, y)"});
  replace<right_shift>(r, {"RIGHT_SHIFT", "RIGHT_SHIFT(x, y)", "BitwiseRightShift-15(x, y)"});
  replace<bucketize>(r, {"BUCKETIZE", "BUCKETIZE(x)", "Bucketize(x, boundaries)"});
}

}  // namespace mo::tflite
