// Activations and functions of one number that are made of several operations.
#include "support/build.hpp"

namespace mo::tensorflow {

static Ports leaky_relu(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  const double alpha = n.native("alpha", 0.2);
  if (alpha == 0) return {b.op("ReLU", "opset1", {x})};
  return {b.op("PReLU", "opset1", {x, b.like(x, {alpha}, {1})})};
}

static Ports selu(Build& b, const SourceNode&) {
  const OutPort x = b.in(0);
  return {
      b.op("Selu", "opset1",
           {x, b.like(x, 1.6732632423543772848170429916717), b.like(x, 1.0507009873554804934193349852946)})};
}

static Ports softsign(Build& b, const SourceNode&) {
  const OutPort x = b.in(0);
  const OutPort scale = b.op("Add", "opset1", {b.op("Abs", "opset1", {x}), b.like(x, 1)});
  return {b.divide(x, scale)};
}

static Ports reciprocal(Build& b, const SourceNode&) { return {b.divide(b.like(b.in(0), 1), b.in(0))}; }

static Ports rsqrt(Build& b, const SourceNode&) {
  return {b.op("Power", "opset1", {b.in(0), b.like(b.in(0), -0.5)})};
}

static Ports square(Build& b, const SourceNode&) { return {b.multiply(b.in(0), b.in(0))}; }

static Ports expm1(Build& b, const SourceNode&) {
  const OutPort x = b.in(0);
  return {b.op("Subtract", "opset1", {b.op("Exp", "opset1", {x}), b.like(x, 1)})};
}

static Ports log1p(Build& b, const SourceNode&) {
  const OutPort x = b.in(0);
  return {b.op("Log", "opset1", {b.add(x, b.like(x, 1))})};
}

static Ports erfc(Build& b, const SourceNode&) {
  const OutPort x = b.in(0);
  return {b.op("Subtract", "opset1", {b.like(x, 1), b.op("Erf", "opset1", {x})})};
}

static Ports l2_loss(Build& b, const SourceNode&) {
  const OutPort x = b.reshape(b.in(0), b.list({-1}));
  const OutPort sum = b.reduce("ReduceSum", b.multiply(x, x), b.list({0}), false);
  return {b.multiply(sum, b.like(b.in(0), 0.5))};
}

static Ports is_nan(Build& b, const SourceNode&) { return {b.op("NotEqual", "opset1", {b.in(0), b.in(0)})}; }

template <auto& Comparison>
static Ports compared_with_infinity(Build& b, const SourceNode&) {
  require_float(b.in(0), "the input");
  const OutPort size = b.op("Abs", "opset1", {b.in(0)});
  return {b.op(Comparison, "opset1", {size, b.like(b.in(0), std::numeric_limits<double>::infinity())})};
}

namespace comparisons {
static constexpr char equal[] = "Equal", less[] = "Less";
}

void register_composed_activations(Registry& r) {
  replace<leaky_relu>(r, {"LeakyRelu", "LeakyRelu(x)", "PReLU(x, alpha)"});
  replace<selu>(r, {"Selu", "Selu(x)", "Selu(x, alpha, gamma)"});
  replace<softsign>(r, {"Softsign", "Softsign(x)", "Divide(x, Add(Abs(x), 1))"});
  replace<reciprocal>(r, {"Reciprocal", "Reciprocal(x)", "Divide(1, x)"});
  replace<reciprocal>(r, {"Inv", "Inv(x)", "Divide(1, x)"});
  replace<rsqrt>(r, {"Rsqrt", "Rsqrt(x)", "Power(x, -0.5)"});
  replace<square>(r, {"Square", "Square(x)", "Multiply(x, x)"});
  replace<expm1>(r, {"Expm1", "Expm1(x)", "Subtract(Exp(x), 1)"});
  replace<log1p>(r, {"Log1p", "Log1p(x)", "Log(Add(x, 1))"});
  replace<erfc>(r, {"Erfc", "Erfc(x)", "Subtract(1, Erf(x))"});
  replace<l2_loss>(r, {"L2Loss", "L2Loss(x)", "Multiply(ReduceSum(Multiply(x, x)), 0.5)"});
  replace<is_nan>(r, {"IsNan", "IsNan(x)", "NotEqual(x, x)"});
  replace<compared_with_infinity<comparisons::equal>>(r, {"IsInf", "IsInf(x)", "Equal(Abs(x), inf)"});
  replace<compared_with_infinity<comparisons::less>>(r, {"IsFinite", "IsFinite(x)", "Less(Abs(x), inf)"});
}

}  // namespace mo::tensorflow
