// Activations.
#include "support/operator.hpp"

#include <mo/extract.hpp>

namespace mo::paddle {

namespace activations {

static OutPort x_of(const Op& o) { return o.in("0 X"); }

static Ports relu6(const Op& o) { return {o.clamp(x_of(o), 0, o.real("threshold", 6))}; }
static Ports hardtanh(const Op& o) { return {o.clamp(x_of(o), o.real("t_min", -1), o.real("t_max", 1))}; }

static Ports hardsigmoid(const Op& o) {
  const OutPort x = x_of(o);
  return {o.op1("HardSigmoid", {x, o.like(x, o.real("slope", 1.0 / 6)), o.like(x, o.real("offset", 0.5))})};
}

static Ports hardswish(const Op& o) {
  const OutPort x = x_of(o);
  const double threshold = o.real("threshold", 6), scale = o.real("scale", 6), offset = o.real("offset", 3);
  if (threshold == 6 && scale == 6 && offset == 3) return {o.op("HSwish", "opset4", {x})};
  return {o.divide(o.multiply(x, o.clamp(o.plus(x, offset), 0, threshold)), o.like(x, scale))};
}

static Ports hardshrink(const Op& o) {
  const OutPort x = x_of(o);
  const OutPort large = o.op1("Greater", {o.op1("Abs", {x}), o.like(x, o.real("threshold", 0.5))});
  return {o.select(large, x, o.like(x, 0))};
}

static Ports softshrink(const Op& o) {
  const OutPort x = x_of(o);
  const double t = o.real("threshold lambda", 0.5);
  const OutPort above = o.op1("Greater", {x, o.like(x, t)}), below = o.op1("Less", {x, o.like(x, -t)});
  return {o.select(above, o.plus(x, -t), o.select(below, o.plus(x, t), o.like(x, 0)))};
}

static Ports tanh_shrink(const Op& o) { return {o.subtract(x_of(o), o.op1("Tanh", {x_of(o)}))}; }

static Ports thresholded_relu(const Op& o) {
  const OutPort x = x_of(o);
  return {
      o.select(o.op1("Greater", {x, o.like(x, o.real("threshold", 1))}), x, o.like(x, o.real("value", 0)))};
}

static Ports leaky_relu(const Op& o) {
  const OutPort x = x_of(o);
  return {o.op1("PReLU", {x, o.like(x, {o.real("negative_slope alpha", 0.02)}, {1})})};
}

static OutPort elu_of(const Op& o, const OutPort& x, double alpha) {
  return o.node("Elu", "opset1", {x}).set("alpha", alpha).out_port();
}
static Ports elu(const Op& o) { return {elu_of(o, x_of(o), o.real("alpha", 1))}; }

static Ports celu(const Op& o) {
  const OutPort x = x_of(o);
  const double alpha = o.real("alpha", 1);
  require(alpha != 0, "attribute 'alpha' is 0");
  const OutPort negative = o.times(elu_of(o, o.divide(x, o.like(x, alpha)), 1), alpha);
  return {o.select(o.op1("Greater", {x, o.like(x, 0)}), x, negative)};
}

static Ports selu(const Op& o) {
  const OutPort x = x_of(o);
  return {o.op1("Selu", {x, o.like(x, o.real("alpha", 1.6732632423543772)),
                         o.like(x, o.real("scale", 1.0507009873554805))})};
}

static Ports softplus(const Op& o) {
  const OutPort x = x_of(o);
  const double beta = o.real("beta", 1), threshold = o.real("threshold", 20);
  require(beta != 0, "attribute 'beta' is 0");
  const OutPort scaled = o.times(x, beta);
  const OutPort soft = o.op("SoftPlus", "opset4", {scaled});
  const OutPort y = beta == 1 ? soft : o.divide(soft, o.like(x, beta));
  return {o.select(o.op1("Greater", {scaled, o.like(x, threshold)}), x, y)};
}

static Ports swish(const Op& o) {
  const OutPort x = x_of(o);
  const double beta = o.real("beta", 1);
  if (beta == 1) return {o.op("Swish", "opset4", {x})};
  return {o.op("Swish", "opset4", {x, o.like(x, beta)})};
}

static Ports gelu(const Op& o) {
  const Node n = o.node("Gelu", "opset7", {x_of(o)});
  n.set("approximation_mode", o.flag("approximate", false) ? "tanh" : "erf");
  return {n.out_port()};
}

// One slope, one for each channel, or one for each element.
static Ports prelu(const Op& o) {
  const OutPort x = x_of(o), alpha = o.in("1 Alpha");
  const std::string mode = o.word("mode", "all");
  if (mode == "all") return {o.op1("PReLU", {x, o.reshape(alpha, Ints{1})})};
  const bool last = o.word("data_format", "NCHW") == "NHWC";
  if (mode == "channel") {
    if (!last) return {o.op1("PReLU", {x, o.reshape(alpha, Ints{-1})})};
    const OutPort slope = o.reshape(alpha, Ints{-1});
    const OutPort zero = o.like(x, 0);
    return {o.add(o.op1("Maximum", {x, zero}), o.multiply(slope, o.op1("Minimum", {x, zero})))};
  }
  require(mode == "element", "attribute 'mode' is '", mode, "', expected all, channel or element");
  Ints dims{1};
  const Shape s = o.shape(alpha);
  require(s.has_rank(), "the shape of its slopes is not known");
  for (int64_t i = s.rank() == o.rank(x) ? 1 : 0; i < s.rank(); ++i) dims.push_back(o.dim_of(alpha, i));
  const OutPort slope = o.reshape(alpha, dims), zero = o.like(x, 0);
  return {o.add(o.op1("Maximum", {x, zero}), o.multiply(slope, o.op1("Minimum", {x, zero})))};
}

// The greatest of so many channels that follow one another.
static Ports maxout(const Op& o) {
  const OutPort x = x_of(o);
  const int64_t groups = o.integer("groups", 1), axis = o.axis(x, o.integer("axis", 1)), rank = o.rank(x);
  require(groups > 0, "attribute 'groups' is ", groups);
  Ints split(static_cast<size_t>(axis), 0);
  split.push_back(o.dim_of(x, axis) / groups);
  split.push_back(groups);
  Ports dims{o.list({o.dim_of(x, axis) / groups, groups})};
  if (axis > 0) dims.insert(dims.begin(), o.part(o.shape_of(x), 0, axis));
  if (axis + 1 < rank) dims.push_back(o.part(o.shape_of(x), axis + 1, INT64_MAX));
  return {o.reduce("ReduceMax", o.reshape(x, o.concat(dims)), o.list({axis + 1}), false)};
}

static Ports logsigmoid(const Op& o) {
  const OutPort x = x_of(o);
  return {o.op1("Negative", {o.op("SoftPlus", "opset4", {o.op1("Negative", {x})})})};
}

static Ports stanh(const Op& o) {
  const OutPort x = x_of(o);
  return {o.times(o.op1("Tanh", {o.times(x, o.real("scale_a", 0.67))}), o.real("scale_b", 1.7159))};
}

static Ports softmax(const Op& o) {
  const OutPort x = x_of(o);
  if (o.rank(x) == 0) return {o.divide(x, x)};
  return {o.softmax(x, o.axis(x, o.integer("axis", -1)))};
}

static Ports log_softmax(const Op& o) {
  const OutPort x = x_of(o);
  if (o.rank(x) == 0) return {o.subtract(x, x)};
  return {o.node("LogSoftmax", "opset5", {x}).set("axis", o.axis(x, o.integer("axis", -1))).out_port()};
}

}  // namespace activations

void register_activations(Registry& r) {
  using namespace activations;
  convert<relu6>(r, "relu6", "relu6(x)", "Clamp(x, 0, 6)");
  convert<hardtanh>(r, "hardtanh brelu", "hardtanh(x)", "Clamp(x)");
  convert<hardsigmoid>(r, "hardsigmoid hard_sigmoid", "hardsigmoid(x)", "HardSigmoid(x)");
  convert<hardswish>(r, "hardswish hard_swish", "hardswish(x)", "HSwish(x)");
  convert<hardshrink>(r, "hardshrink hard_shrink", "hardshrink(x)",
                      "Select(Greater(Abs(x), threshold), x, 0)");
  convert<softshrink>(r, "softshrink", "softshrink(x)", "Select(Greater(x, t), x - t, ...)");
  convert<tanh_shrink>(r, "tanh_shrink", "tanh_shrink(x)", "Subtract(x, Tanh(x))");
  convert<thresholded_relu>(r, "thresholded_relu", "thresholded_relu(x)", "Select(Greater(x, t), x, value)");
  convert<leaky_relu>(r, "leaky_relu", "leaky_relu(x)", "PReLU(x, slope)");
  convert<elu>(r, "elu", "elu(x)", "Elu(x)");
  convert<celu>(r, "celu", "celu(x)", "Multiply(Elu(Divide(x, alpha)), alpha)");
  convert<selu>(r, "selu", "selu(x)", "Selu(x, alpha, scale)");
  convert<softplus>(r, "softplus", "softplus(x)", "Select(Greater(x, threshold), x, SoftPlus(x))");
  convert<swish>(r, "swish", "swish(x)", "Swish(x)");
  convert<gelu>(r, "gelu", "gelu(x)", "Gelu(x)");
  convert<prelu>(r, "prelu", "prelu(x, alpha)", "PReLU(x, alpha)");
  convert<maxout>(r, "maxout", "maxout(x)", "ReduceMax(Reshape(x))");
  convert<logsigmoid>(r, "logsigmoid", "logsigmoid(x)", "Negative(SoftPlus(Negative(x)))");
  convert<stanh>(r, "stanh", "stanh(x)", "Multiply(Tanh(Multiply(x, a)), b)");
  convert<softmax>(r, "softmax", "softmax(x)", "SoftMax(x)");
  convert<log_softmax>(r, "log_softmax", "log_softmax(x)", "LogSoftmax(x)");
}

}  // namespace mo::paddle
