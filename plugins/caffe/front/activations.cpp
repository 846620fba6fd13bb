// Layers that compute each element by itself.
#include "support/registering.hpp"

#include <cmath>
#include <limits>

namespace mo::caffe {

namespace activations {

static Ports relu(Build& b, const SourceNode& l) {
  const double slope = real(l, "relu_param.negative_slope", 0);
  if (slope == 0) return {b.op("ReLU", "opset1", {bottom(l, 0)})};
  return {b.op("PReLU", "opset1", {bottom(l, 0), numbers(b, {static_cast<float>(slope)}, {1})})};
}

static Ports relu6(Build& b, const SourceNode& l) {
  const Node n = b.node("Clamp", "opset1", {bottom(l, 0)});
  n.set("min", 0.0).set("max", real(l, "relu6_param.n", 6));
  return {n.out_port()};
}

static Ports clip(Build& b, const SourceNode& l) {
  const Node n = b.node("Clamp", "opset1", {bottom(l, 0)});
  n.set("min", real(l, "clip_param.min", std::numeric_limits<float>::lowest()));
  n.set("max", real(l, "clip_param.max", std::numeric_limits<float>::max()));
  return {n.out_port()};
}

static Ports prelu(Build& b, const SourceNode& l) {
  const bool shared = flag(l, "prelu_param.channel_shared", false);
  const int64_t channels = shared ? 1 : blob_count(l) == 0 ? dim_of(bottom(l, 0), 1) : -1;
  const Tensor slope = weights(l, 0, {channels}, real(l, "prelu_param.filler.value", 0.25));
  return {b.op("PReLU", "opset1", {bottom(l, 0), b.constant(slope)})};
}

static Ports elu(Build& b, const SourceNode& l) {
  return {b.node("Elu", "opset1", {bottom(l, 0)}).set("alpha", real(l, "elu_param.alpha", 1)).out_port()};
}

static Ports sigmoid(Build& b, const SourceNode& l) { return {b.op("Sigmoid", "opset1", {bottom(l, 0)})}; }
static Ports tanh(Build& b, const SourceNode& l) { return {b.op("Tanh", "opset1", {bottom(l, 0)})}; }
static Ports abs_val(Build& b, const SourceNode& l) { return {b.op("Abs", "opset1", {bottom(l, 0)})}; }
static Ports bnll(Build& b, const SourceNode& l) { return {b.op("SoftPlus", "opset4", {bottom(l, 0)})}; }

static Ports swish(Build& b, const SourceNode& l) {
  return {b.op("Swish", "opset4", {bottom(l, 0), b.number(real(l, "swish_param.beta", 1))})};
}

static Ports threshold(Build& b, const SourceNode& l) {
  const OutPort above =
      b.op("Greater", "opset1", {bottom(l, 0), b.number(real(l, "threshold_param.threshold", 0))});
  return {b.convert(above, ElementType::f32)};
}

// (shift + scale * x) ^ power
static Ports power(Build& b, const SourceNode& l) {
  const double exponent = real(l, "power_param.power", 1);
  const OutPort x = linear(b, bottom(l, 0), real(l, "power_param.scale", 1), real(l, "power_param.shift", 0));
  return {exponent == 1 ? x : b.op("Power", "opset1", {x, b.number(exponent)})};
}

// The base of Exp and Log; -1 stands for e.
static double log_of_base(const SourceNode& l, std::string_view path) {
  const double base = real(l, path, -1);
  require(base == -1 || base > 0, "its base is ", base, "; expected a positive number, or -1 for e");
  return base == -1 ? 1 : std::log(base);
}

static Ports exp(Build& b, const SourceNode& l) {
  const double factor = log_of_base(l, "exp_param.base");
  const OutPort x =
      linear(b, bottom(l, 0), real(l, "exp_param.scale", 1) * factor, real(l, "exp_param.shift", 0) * factor);
  return {b.op("Exp", "opset1", {x})};
}

static Ports log(Build& b, const SourceNode& l) {
  const OutPort x = linear(b, bottom(l, 0), real(l, "log_param.scale", 1), real(l, "log_param.shift", 0));
  return {linear(b, b.op("Log", "opset1", {x}), 1 / log_of_base(l, "log_param.base"), 0)};
}

// 1 where x is positive, else -1.
static Ports binarization(Build& b, const SourceNode& l) {
  const OutPort zero = b.number(0);
  const Node n = b.node("FakeQuantize", "opset1", {bottom(l, 0), zero, zero, b.number(-1), b.number(1)});
  n.set("levels", 2);
  return {n.out_port()};
}

static Ports identity(Build&, const SourceNode& l) { return {bottom(l, 0)}; }
static Ports split(Build&, const SourceNode& l) { return Ports(l.out_count(), bottom(l, 0)); }

}  // namespace activations

void register_activations(Registry& r) {
  convert<activations::relu>(r, "ReLU", "ReLU(x, negative_slope)", "ReLU(x) or PReLU(x, slope)");
  convert<activations::relu6>(r, "ReLU6", "ReLU6(x, n)", "Clamp(x, 0, n)");
  convert<activations::clip>(r, "Clip", "Clip(x, min, max)", "Clamp(x, min, max)");
  convert<activations::prelu>(r, "PReLU", "PReLU(x, slopes)", "PReLU(x, slopes)");
  convert<activations::elu>(r, "ELU", "ELU(x, alpha)", "Elu(x, alpha)");
  convert<activations::sigmoid>(r, "Sigmoid", "Sigmoid(x)", "Sigmoid(x)");
  convert<activations::tanh>(r, "TanH", "TanH(x)", "Tanh(x)");
  convert<activations::abs_val>(r, "AbsVal", "AbsVal(x)", "Abs(x)");
  convert<activations::bnll>(r, "BNLL", "BNLL(x)", "SoftPlus(x)");
  convert<activations::swish>(r, "Swish", "Swish(x, beta)", "Swish(x, beta)");
  convert<activations::threshold>(r, "Threshold", "Threshold(x, threshold)",
                                  "Convert(Greater(x, threshold))");
  convert<activations::power>(r, "Power", "Power(x, power, scale, shift)",
                              "Power(Add(Multiply(x, scale), shift), power)");
  convert<activations::exp>(r, "Exp", "Exp(x, base, scale, shift)", "Exp(Add(Multiply(x, scale), shift))");
  convert<activations::log>(r, "Log", "Log(x, base, scale, shift)",
                            "Multiply(Log(Add(Multiply(x, scale), shift)), factor)");
  convert<activations::binarization>(r, "Binarization", "Binarization(x)", "FakeQuantize(x, 0, 0, -1, 1)");
  convert<activations::identity>(r, "Dropout", "Dropout(x)", "x");
  convert<activations::split>(r, "Split", "Split(x)", "x, x, ...");
}

}  // namespace mo::caffe
