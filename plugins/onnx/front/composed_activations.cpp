// Activations whose attributes become inputs, or that are made of several operations.
#include "support/build.hpp"

namespace mo::onnx {

static Ports leaky_relu(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  return {b.op("PReLU", "opset1", {x, b.like(x, {n.native("alpha", 0.01)}, {1})})};
}

static Ports selu(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  const bool first = n.version() < 6;
  const double alpha = n.native("alpha", first ? 1.6732 : 1.67326319217681884765625);
  const double gamma = n.native("gamma", first ? 1.0507 : 1.05070102214813232421875);
  return {b.op("Selu", "opset1", {x, b.like(x, alpha), b.like(x, gamma)})};
}

static Ports hard_sigmoid(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  return {b.op("HardSigmoid", "opset1",
               {x, b.like(x, n.native("alpha", 0.2)), b.like(x, n.native("beta", 0.5))})};
}

static Ports softsign(Build& b, const SourceNode&) {
  const OutPort x = b.in(0);
  return {b.divide(x, b.op("Add", "opset1", {b.op("Abs", "opset1", {x}), b.like(x, 1)}))};
}

static Ports thresholded_relu(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  const OutPort above = b.op("Greater", "opset1", {x, b.like(x, n.native("alpha", 1.0))});
  return {b.select(above, x, b.like(x, 0))};
}

// alpha * (exp(x / alpha) - 1) below zero
static Ports celu(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  const double alpha = n.native("alpha", 1.0);
  const Node elu = b.node("Elu", "opset1", {alpha == 1 ? x : b.divide(x, b.like(x, alpha))});
  elu.set("alpha", 1.0);
  if (alpha == 1) return {elu.out_port()};
  return {b.multiply(elu.out_port(), b.like(x, alpha))};
}

static Ports swish(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  return {b.op("Swish", "opset4", {x, b.like(x, n.native("alpha", 1.0))})};
}

static Ports swiglu(Build& b, const SourceNode& n) {
  const OutPort gate = b.op("Swish", "opset4", {b.in(0), b.like(b.in(0), n.native("alpha", 1.0))});
  return {b.multiply(gate, b.in(1))};
}

static Ports reciprocal(Build& b, const SourceNode&) { return {b.divide(b.like(b.in(0), 1), b.in(0))}; }

// In no release of ONNX; tf2onnx writes TensorFlow's.
static Ports erfc(Build& b, const SourceNode&) {
  const OutPort x = b.in(0);
  return {b.subtract(b.like(x, 1), b.op("Erf", "opset1", {x}))};
}

// A slope that is a vector belongs to the channels up to version 6, and from 7 on to the last dimension.
static Ports prelu(Build& b, const SourceNode& n) {
  OutPort slope = b.in(1);
  const Shape s = slope.shape();
  // The operation, too, takes a vector for one entry per channel.
  const bool vector = s.has_rank() && s.rank() == 1 && !(s[0].is_static() && s[0].value() == 1);
  if (n.version() >= 7 && vector) slope = b.unsqueeze(slope, b.list({0}));
  return {b.op("PReLU", "opset1", {b.in(0), slope})};
}

void register_composed_activations(Registry& r) {
  replace<leaky_relu>(r, {"LeakyRelu", "LeakyRelu(x)", "PReLU(x, alpha)"});
  replace<selu>(r, {"Selu", "Selu(x)", "Selu(x, alpha, gamma)"});
  replace<hard_sigmoid>(r, {"HardSigmoid", "HardSigmoid(x)", "HardSigmoid(x, alpha, beta)"});
  replace<softsign>(r, {"Softsign", "Softsign(x)", "Divide(x, Add(Abs(x), 1))"});
  replace<thresholded_relu>(r, {"ThresholdedRelu", "ThresholdedRelu(x)", "Select(Greater(x, alpha), x, 0)"});
  replace<celu>(r, {"Celu", "Celu(x)", "Multiply(Elu(Divide(x, alpha)), alpha)"});
  replace<swish>(r, {"Swish", "Swish(x)", "Swish(x, alpha)"});
  replace<swiglu>(r, {"SwiGLU", "SwiGLU(a, b)", "Multiply(Swish(a, alpha), b)"});
  replace<reciprocal>(r, {"Reciprocal", "Reciprocal(x)", "Divide(1, x)"});
  replace<erfc>(r, {"Erfc", "Erfc(x)", "Subtract(1, Erf(x))"});
  replace<prelu>(r, {"PRelu", "PRelu(x, slope)", "PReLU(x, slope)"});
}

}  // namespace mo::onnx
