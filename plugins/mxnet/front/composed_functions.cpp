// Operators on each element by itself that take several operations.
#include "support/numbers.hpp"
#include "support/registering.hpp"

#include <cmath>

namespace mo::mxnet {

namespace composed {

static OutPort power(const Build& b, const OutPort& x, double exponent) {
  return b.op("Power", "opset1", {x, b.like(x, exponent)});
}
static OutPort log(const Build& b, const OutPort& x) { return b.op("Log", "opset1", {x}); }
static OutPort scaled(const Build& b, const OutPort& x, double factor) {
  return b.multiply(x, b.like(x, factor));
}

static Ports square(Build& b, const SourceNode&) { return {b.multiply(b.in(0), b.in(0))}; }
static Ports rsqrt(Build& b, const SourceNode&) { return {power(b, b.in(0), -0.5)}; }
static Ports reciprocal(Build& b, const SourceNode&) { return {power(b, b.in(0), -1)}; }
// Of negative numbers, too.
static OutPort root(const Build& b, double exponent) {
  const OutPort x = b.in(0);
  return b.multiply(b.op("Sign", "opset1", {x}), power(b, b.op("Abs", "opset1", {x}), exponent));
}
static Ports cbrt(Build& b, const SourceNode&) { return {root(b, 1.0 / 3)}; }
static Ports rcbrt(Build& b, const SourceNode&) { return {root(b, -1.0 / 3)}; }
static Ports log2(Build& b, const SourceNode&) { return {scaled(b, log(b, b.in(0)), 1 / std::log(2.0))}; }
static Ports log10(Build& b, const SourceNode&) { return {scaled(b, log(b, b.in(0)), 1 / std::log(10.0))}; }
static Ports log1p(Build& b, const SourceNode&) { return {log(b, b.add(b.in(0), b.like(b.in(0), 1)))}; }
static Ports expm1(Build& b, const SourceNode&) {
  return {b.subtract(b.op("Exp", "opset1", {b.in(0)}), b.like(b.in(0), 1))};
}
static Ports degrees(Build& b, const SourceNode&) { return {scaled(b, b.in(0), 180 / std::acos(-1.0))}; }
static Ports radians(Build& b, const SourceNode&) { return {scaled(b, b.in(0), std::acos(-1.0) / 180)}; }
static Ports softsign(Build& b, const SourceNode&) {
  const OutPort x = b.in(0);
  return {b.divide(x, b.add(b.op("Abs", "opset1", {x}), b.like(x, 1)))};
}
static Ports hard_sigmoid(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0), alpha = b.like(x, n.native("alpha", 0.2)),
                beta = b.like(x, n.native("beta", 0.5));
  return {b.op("HardSigmoid", "opset1", {x, alpha, beta})};
}
static Ports hypot(Build& b, const SourceNode&) {
  const OutPort x = b.in(0), y = b.in(1);
  return {b.op("Sqrt", "opset1", {b.add(b.multiply(x, x), b.multiply(y, y))})};
}

static Ports div_sqrt_dim(Build& b, const SourceNode&) {
  const OutPort x = b.in(0), last = b.convert(b.reshape(b.dim(x, -1), b.list({})), ElementType::f32);
  return {b.divide(x, b.op("Sqrt", "opset1", {last}))};
}
static Ports log_sigmoid(Build& b, const SourceNode&) {
  const OutPort minus = b.op("Negative", "opset1", {b.in(0)});
  return {b.op("Negative", "opset1", {b.op("SoftPlus", "opset4", {minus})})};
}
// Towards zero.
static Ports fix(Build& b, const SourceNode&) {
  const OutPort x = b.in(0), size = b.op("Floor", "opset1", {b.op("Abs", "opset1", {x})});
  return {b.multiply(b.op("Sign", "opset1", {x}), size)};
}

}  // namespace composed

void register_composed_functions(Registry& r) {
  convert<composed::square>(r, "square", "square(x)", "Multiply(x, x)");
  convert<composed::rsqrt>(r, "rsqrt", "rsqrt(x)", "Power(x, -0.5)");
  convert<composed::reciprocal>(r, "reciprocal", "reciprocal(x)", "Power(x, -1)");
  convert<composed::cbrt>(r, "cbrt", "cbrt(x)", "Multiply(Sign(x), Power(Abs(x), 1/3))");
  convert<composed::rcbrt>(r, "rcbrt", "rcbrt(x)", "Multiply(Sign(x), Power(Abs(x), -1/3))");
  convert<composed::log2>(r, "log2", "log2(x)", "Multiply(Log(x), 1 / ln 2)");
  convert<composed::log10>(r, "log10", "log10(x)", "Multiply(Log(x), 1 / ln 10)");
  convert<composed::log1p>(r, "log1p", "log1p(x)", "Log(Add(x, 1))");
  convert<composed::expm1>(r, "expm1", "expm1(x)", "Subtract(Exp(x), 1)");
  convert<composed::degrees>(r, "degrees", "degrees(x)", "Multiply(x, 180 / pi)");
  convert<composed::radians>(r, "radians", "radians(x)", "Multiply(x, pi / 180)");
  convert<composed::softsign>(r, "softsign", "softsign(x)", "Divide(x, Add(Abs(x), 1))");
  convert<composed::hard_sigmoid>(r, "hard_sigmoid", "hard_sigmoid(x)", "HardSigmoid(x, alpha, beta)");
  convert<composed::div_sqrt_dim>(r, "_contrib_div_sqrt_dim", "div_sqrt_dim(x)",
                                  "Divide(x, Sqrt(last dimension))");
  convert<composed::log_sigmoid>(r, "log_sigmoid", "log_sigmoid(x)", "Negative(SoftPlus(Negative(x)))");
  convert<composed::fix>(r, "fix trunc", "fix(x)", "Multiply(Sign(x), Floor(Abs(x)))");
  convert<composed::hypot>(r, "broadcast_hypot _hypot _Hypot", "broadcast_hypot(x, y)",
                           "Sqrt(Add(Multiply(x, x), Multiply(y, y)))");
}

}  // namespace mo::mxnet
