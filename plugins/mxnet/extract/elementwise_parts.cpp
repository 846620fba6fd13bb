// Operators on each element by itself that take several operations.
#include "support/items.hpp"
#include "support/numbers.hpp"

#include <cmath>

namespace mo::mxnet {

namespace parts {

static OutPort power(const Build& b, const OutPort& x, double exponent) {
  return b.op("Power", "opset1", {x, b.like(x, exponent)});
}
static OutPort log(const Build& b, const OutPort& x) { return b.op("Log", "opset1", {x}); }
static OutPort scaled(const Build& b, const OutPort& x, double factor) {
  return multiply(b, x, b.like(x, factor));
}

static Ports square(Build& b, const SourceNode&) { return {multiply(b, b.in(0), b.in(0))}; }
static Ports rsqrt(Build& b, const SourceNode&) { return {power(b, b.in(0), -0.5)}; }
static Ports reciprocal(Build& b, const SourceNode&) { return {power(b, b.in(0), -1)}; }
// Of negative numbers, too.
static OutPort root(const Build& b, double exponent) {
  const OutPort x = b.in(0);
  return multiply(b, b.op("Sign", "opset1", {x}), power(b, b.op("Abs", "opset1", {x}), exponent));
}
static Ports cbrt(Build& b, const SourceNode&) { return {root(b, 1.0 / 3)}; }
static Ports rcbrt(Build& b, const SourceNode&) { return {root(b, -1.0 / 3)}; }
static Ports log2(Build& b, const SourceNode&) { return {scaled(b, log(b, b.in(0)), 1 / std::log(2.0))}; }
static Ports log10(Build& b, const SourceNode&) { return {scaled(b, log(b, b.in(0)), 1 / std::log(10.0))}; }
static Ports log1p(Build& b, const SourceNode&) { return {log(b, add(b, b.in(0), b.like(b.in(0), 1)))}; }
static Ports expm1(Build& b, const SourceNode&) {
  return {subtract(b, b.op("Exp", "opset1", {b.in(0)}), b.like(b.in(0), 1))};
}
static Ports degrees(Build& b, const SourceNode&) { return {scaled(b, b.in(0), 180 / std::acos(-1.0))}; }
static Ports radians(Build& b, const SourceNode&) { return {scaled(b, b.in(0), std::acos(-1.0) / 180)}; }
static Ports softsign(Build& b, const SourceNode&) {
  const OutPort x = b.in(0);
  return {divide(b, x, add(b, b.op("Abs", "opset1", {x}), b.like(x, 1)))};
}
static Ports hard_sigmoid(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0), alpha = b.like(x, n.native("alpha", 0.2)),
                beta = b.like(x, n.native("beta", 0.5));
  return {b.op("HardSigmoid", "opset1", {x, alpha, beta})};
}
static Ports hypot(Build& b, const SourceNode&) {
  const OutPort x = b.in(0), y = b.in(1);
  return {b.op("Sqrt", "opset1", {add(b, multiply(b, x, x), multiply(b, y, y))})};
}

}  // namespace parts

void register_elementwise_parts(Items& items) {
  items.convert<parts::square>("square");
  items.convert<parts::rsqrt>("rsqrt");
  items.convert<parts::reciprocal>("reciprocal");
  items.convert<parts::cbrt>("cbrt");
  items.convert<parts::rcbrt>("rcbrt");
  items.convert<parts::log2>("log2");
  items.convert<parts::log10>("log10");
  items.convert<parts::log1p>("log1p");
  items.convert<parts::expm1>("expm1");
  items.convert<parts::degrees>("degrees");
  items.convert<parts::radians>("radians");
  items.convert<parts::softsign>("softsign");
  items.convert<parts::hard_sigmoid>("hard_sigmoid");
  items.convert<parts::hypot>("broadcast_hypot _hypot _Hypot");
}

}  // namespace mo::mxnet
