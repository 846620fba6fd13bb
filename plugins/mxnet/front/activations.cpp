// Activation and LeakyReLU: which function is an attribute.
#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace activations {

static Ports activation(Build& b, const SourceNode& n) {
  const auto type = n.native("act_type", "relu");
  const OutPort x = b.in(0);
  if (type == "relu") return {b.op("ReLU", "opset1", {x})};
  if (type == "sigmoid") return {b.op("Sigmoid", "opset1", {x})};
  if (type == "tanh") return {b.op("Tanh", "opset1", {x})};
  if (type == "softrelu") return {b.op("SoftPlus", "opset4", {x})};
  if (type == "softsign") return {b.divide(x, b.add(b.op("Abs", "opset1", {x}), b.like(x, 1)))};
  if (type == "mish") return {b.op("Mish", "opset4", {x})};
  if (type == "log_sigmoid") {
    const OutPort minus = b.op("Negative", "opset1", {x});
    return {b.op("Negative", "opset1", {b.op("SoftPlus", "opset4", {minus})})};
  }
  fail("attribute 'act_type' is '", type,
       "'; expected relu, sigmoid, tanh, softrelu, softsign, mish or log_sigmoid");
}

static Ports sloped(const Build& b, double slope) {
  const OutPort x = b.in(0);
  if (slope == 0) return {b.op("ReLU", "opset1", {x})};
  return {b.op("PReLU", "opset1", {x, b.like(x, {slope}, {1})})};
}

// One slope for each channel, or one for all.
static Ports prelu(const Build& b) {
  const Shape s = b.in(1).shape();
  require(!s.has_rank() || s.rank() <= 1, "its slopes have shape ", s, "; expected one for each channel");
  return {b.op("PReLU", "opset1", {b.in(0), b.in(1)})};
}

static Ports elu(const Build& b, double alpha) {
  return {b.node("Elu", "opset1", {b.in(0)}).set("alpha", alpha).out_port()};
}

static Ports selu(const Build& b) {
  constexpr double alpha = 1.6732632423543772848170429916717, scale = 1.0507009873554804934193349852946;
  const OutPort x = b.in(0);
  return {b.op("Selu", "opset1", {x, b.like(x, {alpha}, {1}), b.like(x, {scale}, {1})})};
}

static Ports gelu(const Build& b) {
  return {b.node("Gelu", "opset7", {b.in(0)}).set("approximation_mode", "erf").out_port()};
}

static Ports leaky_relu(Build& b, const SourceNode& n) {
  const auto type = n.native("act_type", "leaky");
  const double slope = n.native("slope", 0.25);
  if (type == "leaky") return sloped(b, slope);
  if (type == "prelu") return prelu(b);
  if (type == "elu") return elu(b, slope);
  if (type == "selu") return selu(b);
  if (type == "gelu") return gelu(b);
  // Outside of training the mean of the bounds counts.
  if (type == "rrelu")
    return sloped(b, (n.native("lower_bound", 0.125) + n.native("upper_bound", 0.334)) / 2);
  fail("attribute 'act_type' is '", type, "'; expected leaky, prelu, elu, selu, gelu or rrelu");
}

}  // namespace activations

void register_activations(Registry& r) {
  convert<activations::activation>(r, "Activation _npx_activation", "Activation(x, act_type)",
                                   "ReLU(x), Sigmoid(x), Tanh(x), SoftPlus(x), Mish(x), ...");
  convert<activations::leaky_relu>(r, "LeakyReLU _npx_leaky_relu", "LeakyReLU(x, act_type)",
                                   "PReLU(x, slope), Elu(x), Selu(x, alpha, scale), Gelu(x)");
}

}  // namespace mo::mxnet
