// Layers that compute each element by itself.
#include "support/convert_layers.hpp"

#include <cmath>
#include <limits>

namespace mo::caffe {

namespace activations {

static Ports relu(Layer& l) {
  const double slope = l.real("relu_param.negative_slope", 0);
  if (slope == 0) return {l.op("ReLU", "opset1", {l.in(0)})};
  return {l.op("PReLU", "opset1", {l.in(0), l.constant({static_cast<float>(slope)}, {1})})};
}

static Ports relu6(Layer& l) {
  const Node n = l.with("Clamp", "opset1", {l.in(0)});
  n.set("min", 0.0).set("max", l.real("relu6_param.n", 6));
  return {n.out_port()};
}

static Ports clip(Layer& l) {
  const Node n = l.with("Clamp", "opset1", {l.in(0)});
  n.set("min", l.real("clip_param.min", std::numeric_limits<float>::lowest()));
  n.set("max", l.real("clip_param.max", std::numeric_limits<float>::max()));
  return {n.out_port()};
}

static Ports prelu(Layer& l) {
  const bool shared = l.flag("prelu_param.channel_shared", false);
  const int64_t channels = shared ? 1 : l.blobs() == 0 ? l.dim(l.in(0), 1) : -1;
  const Tensor slope = l.weights(0, {channels}, l.real("prelu_param.filler.value", 0.25));
  return {l.op("PReLU", "opset1", {l.in(0), l.constant(slope)})};
}

static Ports elu(Layer& l) {
  return {l.with("Elu", "opset1", {l.in(0)}).set("alpha", l.real("elu_param.alpha", 1)).out_port()};
}

static Ports sigmoid(Layer& l) { return {l.op("Sigmoid", "opset1", {l.in(0)})}; }
static Ports tanh(Layer& l) { return {l.op("Tanh", "opset1", {l.in(0)})}; }
static Ports abs_val(Layer& l) { return {l.op("Abs", "opset1", {l.in(0)})}; }
static Ports bnll(Layer& l) { return {l.op("SoftPlus", "opset4", {l.in(0)})}; }

static Ports swish(Layer& l) {
  return {l.op("Swish", "opset4", {l.in(0), l.number(l.real("swish_param.beta", 1))})};
}

static Ports threshold(Layer& l) {
  const OutPort above =
      l.op("Greater", "opset1", {l.in(0), l.number(l.real("threshold_param.threshold", 0))});
  return {l.convert(above, ElementType::f32)};
}

// (shift + scale * x) ^ power
static Ports power(Layer& l) {
  const double exponent = l.real("power_param.power", 1);
  const OutPort x = l.linear(l.in(0), l.real("power_param.scale", 1), l.real("power_param.shift", 0));
  return {exponent == 1 ? x : l.op("Power", "opset1", {x, l.number(exponent)})};
}

// The base of Exp and Log; -1 stands for e.
static double log_of_base(const Layer& l, std::string_view path) {
  const double base = l.real(path, -1);
  require(base == -1 || base > 0, "its base is ", base, "; expected a positive number, or -1 for e");
  return base == -1 ? 1 : std::log(base);
}

static Ports exp(Layer& l) {
  const double factor = log_of_base(l, "exp_param.base");
  const OutPort x =
      l.linear(l.in(0), l.real("exp_param.scale", 1) * factor, l.real("exp_param.shift", 0) * factor);
  return {l.op("Exp", "opset1", {x})};
}

static Ports log(Layer& l) {
  const OutPort x = l.linear(l.in(0), l.real("log_param.scale", 1), l.real("log_param.shift", 0));
  return {l.linear(l.op("Log", "opset1", {x}), 1 / log_of_base(l, "log_param.base"), 0)};
}

// 1 where x is positive, else -1.
static Ports binarization(Layer& l) {
  const OutPort zero = l.number(0);
  const Node n = l.with("FakeQuantize", "opset1", {l.in(0), zero, zero, l.number(-1), l.number(1)});
  n.set("levels", 2);
  return {n.out_port()};
}

static Ports identity(Layer& l) { return {l.in(0)}; }
static Ports split(Layer& l) { return Ports(l.tops(), l.in(0)); }

}  // namespace activations

void register_activations(Items& items) {
  items.layer("ReLU", &activations::relu);
  items.layer("ReLU6", &activations::relu6);
  items.layer("Clip", &activations::clip);
  items.layer("PReLU", &activations::prelu);
  items.layer("ELU", &activations::elu);
  items.layer("Sigmoid", &activations::sigmoid);
  items.layer("TanH", &activations::tanh);
  items.layer("AbsVal", &activations::abs_val);
  items.layer("BNLL", &activations::bnll);
  items.layer("Swish", &activations::swish);
  items.layer("Threshold", &activations::threshold);
  items.layer("Power", &activations::power);
  items.layer("Exp", &activations::exp);
  items.layer("Log", &activations::log);
  items.layer("Binarization", &activations::binarization);
  items.layer("Dropout", &activations::identity);
  items.layer("Split", &activations::split);
}

}  // namespace mo::caffe
