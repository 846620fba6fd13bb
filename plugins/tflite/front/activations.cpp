// Activations that stand alone.
#include "support/build.hpp"

namespace mo::tflite {

static Ports relu_6(Build& b, const SourceNode&) { return {b.clamp(b.in(0), 0, 6)}; }
static Ports relu_1(Build& b, const SourceNode&) { return {b.clamp(b.in(0), -1, 1)}; }
static Ports relu_0_to_1(Build& b, const SourceNode&) { return {b.clamp(b.in(0), 0, 1)}; }

static Ports elu(Build& b, const SourceNode&) {
  return {b.node("Elu", "opset1", {b.in(0)}).set("alpha", 1.0).out_port()};
}

static Ports leaky_relu(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  const double alpha = n.native("alpha", 0.0);
  if (alpha == 0) return {op1(b, "ReLU", {x})};
  return {op1(b, "PReLU", {x, b.like(x, {alpha}, {1})})};
}

// alpha is broadcast to x as numpy does, and so is the slope of the operation that has as many dimensions as x:
// one alone would belong to dimension 1.
static Ports prelu(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0), alpha = b.in(1);
  const int64_t rank = rank_of(b, n, 0);
  const Shape s = stated_shape(n, 1);
  if (s.is_static() && rank >= s.rank()) {
    Ints dims(static_cast<size_t>(rank - s.rank()), 1);
    for (const Dim& d : s) dims.push_back(d.value());
    return {op1(b, "PReLU", {x, b.reshape(alpha, dims)})};
  }
  const OutPort zero = b.like(x, 0);
  const OutPort negative = op1(b, "Multiply", {op1(b, "Minimum", {x, zero}), alpha});
  return {op1(b, "Add", {op1(b, "ReLU", {x}), negative})};
}

static Ports gelu(Build& b, const SourceNode& n) {
  const Node g = b.node("Gelu", "opset7", {b.in(0)});
  g.set("approximation_mode", n.native("approximate", false) ? "TANH" : "ERF");
  return {g.out_port()};
}

void register_activations(Registry& r) {
  replace<relu_6>(r, {"RELU6", "RELU6(x)", "Clamp(x, 0, 6)"});
  replace<relu_1>(r, {"RELU_N1_TO_1", "RELU_N1_TO_1(x)", "Clamp(x, -1, 1)"});
  replace<relu_0_to_1>(r, {"RELU_0_TO_1", "RELU_0_TO_1(x)", "Clamp(x, 0, 1)"});
  replace<elu>(r, {"ELU", "ELU(x)", "Elu(x)"});
  replace<leaky_relu>(r, {"LEAKY_RELU", "LEAKY_RELU(x)", "PReLU(x, alpha)"});
  replace<prelu>(r, {"PRELU", "PRELU(x, alpha)", "PReLU(x, alpha)"});
  replace<gelu>(r, {"GELU", "GELU(x)", "Gelu-7(x)"});
}

}  // namespace mo::tflite
