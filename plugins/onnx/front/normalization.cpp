#include "support/build.hpp"
#include "support/early_rank.hpp"

namespace mo::onnx {

static OutPort mean_variance(const Build& b, const OutPort& x, const OutPort& axes, double epsilon,
                             std::string_view epsilon_mode) {
  const Node n = b.node("MVN", "opset6", {x, axes});
  n.set("normalize_variance", true).set("eps", epsilon).set("eps_mode", epsilon_mode);
  return n.out_port();
}

static OutPort scaled_and_shifted(const Build& b, const OutPort& x, const OutPort& scale,
                                  const OutPort& shift) {
  const OutPort scaled = b.multiply(x, scale);
  return shift ? b.add(scaled, shift) : scaled;
}

// One entry for each channel.
static OutPort per_channel(const Build& b, const OutPort& x, const OutPort& list) {
  const Shape s = x.shape();
  if (!s.has_rank())
    return b.unsqueeze(list, b.range(b.integer(1), b.op("Subtract", "opset1", {b.rank(x), b.integer(1)}), 1));
  require(s.size() > 1, "it reads data of shape ", s, "; expected a batch and channels");
  Ints shape(s.size() - 1, 1);
  shape[0] = -1;
  return b.reshape(list, shape);
}

static Ports instance_normalization(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  const OutPort norm = mean_variance(b, x, b.axes(x, 2, INT64_MAX), n.native("epsilon", 1e-5), "inside_sqrt");
  return {scaled_and_shifted(b, norm, per_channel(b, x, b.in(1)), per_channel(b, x, b.in(2)))};
}

static Ports layer_normalization(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0), scale = b.in(1), shift = b.has(2) ? b.in(2) : OutPort();
  const OutPort axes = b.axes(x, axis_of(n, -1), INT64_MAX);
  const double epsilon = n.native("epsilon", 1e-5);
  const bool wants_mean = n.out_count() > 1 && b.wants(1), wants_deviation = n.out_count() > 2 && b.wants(2);
  Ports outputs(n.out_count());
  outputs[0] = scaled_and_shifted(b, mean_variance(b, x, axes, epsilon, "inside_sqrt"), scale, shift);
  outputs[0].node().set("onnx_keeps_shape", true);
  if (!wants_mean && !wants_deviation) return outputs;
  const OutPort mean = b.reduce("ReduceMean", x, axes, true);
  if (wants_mean) outputs[1] = mean;
  if (wants_deviation) {
    const OutPort centred = b.subtract(x, mean);
    const OutPort variance = b.reduce("ReduceMean", b.multiply(centred, centred), axes, true);
    const OutPort deviation = b.op("Sqrt", "opset1", {b.add(variance, b.like(x, epsilon))});
    outputs[2] = b.divide(b.like(x, 1), deviation);
  }
  return outputs;
}

// x over its root mean square; computed in f32.
static Ports rms_normalization(Build& b, const SourceNode& n) {
  const auto op = [&](std::string_view t, const OutPort& l, const OutPort& r) {
    return b.op(t, "opset1", {l, r});
  };
  const OutPort x = b.in(0);
  const OutPort wide = x.type() == ElementType::f64 ? x : b.convert(x, ElementType::f32);
  const OutPort axes = b.axes(x, axis_of(n, -1), INT64_MAX);
  const OutPort mean = b.reduce("ReduceMean", op("Multiply", wide, wide), axes, true);
  const OutPort root = b.op("Sqrt", "opset1", {op("Add", mean, b.like(wide, n.native("epsilon", 1e-5)))});
  OutPort y = op("Divide", wide, root);
  if (wide.node().is("Convert")) y = b.op("ConvertLike", "opset1", {y, x});
  return {op("Multiply", y, b.in(1))};
}

static Ports mean_variance_normalization(Build& b, const SourceNode& n) {
  Ints axes = n.find_native<Ints>("axes").value_or(Ints{0, 2, 3});
  if (n.version() < 9 && n.native("across_channels", 0) != 0) axes = {1, 2, 3};
  if (n.version() < 9 && n.native("across_channels", 0) == 0) axes = {2, 3};
  return {mean_variance(b, b.in(0), b.list(axes), 1e-9, "outside_sqrt")};
}

// A vector of zeros stays one.
static Ports lp_normalization(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0), axis = b.list({axis_of(n, -1)});
  const auto p = n.native("p", 2);
  require(p == 1 || p == 2, "attribute 'p' is ", p, ", expected 1 or 2");
  const OutPort norm = b.reduce(p == 1 ? "ReduceL1" : "ReduceL2", x, axis, true);
  const double smallest = x.type() == ElementType::f16 ? 0x1p-24 : 0x1p-126;
  return {b.divide(x, b.op("Maximum", "opset1", {norm, b.like(x, smallest)}))};
}

// The window of LRN is symmetric, so that one of an even size lacks an element: the mean of the squares over
// channels as a pooling along dimension 2 of [batch, 1, channels, rest].
static OutPort even_lrn(const Build& b, const SourceNode& n, int64_t size) {
  const OutPort x = b.in(0), squares = b.multiply(x, x), shape = b.shape_of(x);
  const OutPort rows =
      b.reshape(squares, b.concat({b.part(shape, 0, 1), b.list({1}), b.part(shape, 1, 2), b.list({-1})}));
  const Node mean = b.node("AvgPool", "opset1", {rows});
  mean.set("kernel", Ints{size, 1}).set("strides", Ints{1, 1}).set("rounding_type", "floor");
  mean.set("pads_begin", Ints{(size - 1) / 2, 0})
      .set("pads_end", Ints{size / 2, 0})
      .set("exclude-pad", false);
  const OutPort scaled =
      b.op("Multiply", "opset1", {b.reshape(mean.out_port(), shape), b.like(x, n.native("alpha", 1e-4))});
  const OutPort base = b.add(scaled, b.like(x, n.native("bias", 1.0)));
  return b.divide(x, b.op("Power", "opset1", {base, b.like(x, n.native("beta", 0.75))}));
}

static Ports lrn(Build& b, const SourceNode& n) {
  const auto size = n.native<int64_t>("size");
  require(size > 0, "attribute 'size' is ", size, ", expected at least 1");
  if (size % 2 == 0) return {even_lrn(b, n, size)};
  const Node l = b.node("LRN", "opset1", {b.in(0), b.list({1})});
  l.set("alpha", n.native("alpha", 1e-4))
      .set("beta", n.native("beta", 0.75))
      .set("bias", n.native("bias", 1.0));
  l.set("size", size);
  return {l.out_port()};
}

// Both were experimental: y = x * scale + bias for each channel, and alpha * x + beta.
static Ports image_scaler(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  const auto bias = n.find_native<std::vector<double>>("bias").value_or(std::vector<double>{});
  const OutPort scaled = b.multiply(x, b.like(x, n.native("scale", 1.0)));
  if (bias.empty()) return {scaled};
  return {b.add(scaled, b.like(x, bias, {1, static_cast<int64_t>(bias.size()), 1, 1}))};
}
static Ports affine(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  return {scaled_and_shifted(b, x, b.like(x, n.native("alpha", 1.0)), b.like(x, n.native("beta", 0.0)))};
}

void register_normalization(Registry& r) {
  replace<instance_normalization>(r, {"InstanceNormalization", "InstanceNormalization(x, scale, bias)",
                                      "Add(Multiply(MVN(x), scale), bias)"});
  says_rank({"LayerNormalization"}, Rank::kept);
  replace<layer_normalization>(
      r, {"LayerNormalization", "LayerNormalization(x, scale, bias)", "Add(Multiply(MVN(x), scale), bias)"});
  replace<rms_normalization>(r, {"RMSNormalization", "RMSNormalization(x, scale)",
                                 "Multiply(Divide(x, Sqrt(ReduceMean(Multiply(x, x)))), scale)"});
  replace<mean_variance_normalization>(
      r, {"MeanVarianceNormalization", "MeanVarianceNormalization(x)", "MVN(x)"});
  replace<lp_normalization>(r, {"LpNormalization", "LpNormalization(x)", "Divide(x, ReduceL2(x, axis))"});
  replace<lrn>(r, {"LRN", "LRN(x)", "LRN(x, [1]); of an even size x over a power of AvgPool(x * x)"});
  replace<image_scaler>(r, {"ImageScaler", "ImageScaler(x)", "Add(Multiply(x, scale), bias)"});
  replace<affine>(r, {"Affine", "Affine(x)", "Add(Multiply(x, alpha), beta)"});
}

}  // namespace mo::onnx
