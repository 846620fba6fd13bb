// Biases of channels, and normalizations.
#include <numeric>

#include "support/known.hpp"
#include "support/windows.hpp"

namespace mo::tensorflow {

namespace normalizing {

static OutPort op1(const Build& b, std::string_view type, const OutPort& l, const OutPort& r) {
  return b.op(type, "opset1", {l, r});
}

// A list for the channels, to be broadcast with x.
static OutPort per_channel(const Build& b, const OutPort& list, bool channels_last, size_t spatial) {
  if (channels_last) return list;
  Ints dims(spatial + 1, 1);
  dims[0] = -1;
  return b.reshape(list, dims);
}

static bool is_empty_constant(const Build& b, size_t i) {
  const auto v = b.constant(i);
  return v && v->size() == 0;
}

struct Statistics {
  OutPort mean, variance;
  OutPort sample_variance = {};  // divided by one less
};

// scale * (x - mean) / deviation + offset, as one product and one sum.
static OutPort by_statistics(const Build& b, const Layout& l, const Statistics& s, double epsilon) {
  const OutPort x = b.in(0), scale = b.in(1), offset = b.in(2);
  const OutPort inverse =
      op1(b, "Power", op1(b, "Add", s.variance, b.like(b.in(1), epsilon)), b.like(b.in(1), -0.5));
  OutPort factor = op1(b, "Multiply", scale, inverse);
  OutPort shift = op1(b, "Subtract", offset, op1(b, "Multiply", s.mean, factor));
  if (x.type() != scale.type()) {  // data of 16 bits with statistics of 32
    factor = b.convert(factor, x.type());
    shift = b.convert(shift, x.type());
  }
  factor = per_channel(b, factor, l.channels_last, l.spatial);
  shift = per_channel(b, shift, l.channels_last, l.spatial);
  return op1(b, "Add", op1(b, "Multiply", x, factor), shift);
}

// Statistics that are computed and squeezed to a list of channels, which come last: before that they are what
// x can be multiplied with, and what a normalization is recognized by later.
static OutPort before_squeezing(const OutPort& list, const Layout& l) {
  const Node n = list.node();
  if (!l.channels_last || !n.is("Squeeze") || n.in_count() == 0) return list;
  Ints dims = SourceNode(n).native<Ints>("squeeze_dims", {});
  if (n.is_in_port_connected(1))
    if (const auto value = n.in_port(1).value()) dims = value->to_ints();
  std::sort(dims.begin(), dims.end());
  Ints leading(l.spatial + 1);
  std::iota(leading.begin(), leading.end(), 0);
  return dims == leading ? n.in_port(0).get_source() : list;
}

static Ints picture_axes(size_t spatial) {
  Ints axes{0};
  for (size_t i = 0; i < spatial; ++i) axes.push_back(static_cast<int64_t>(i) + 2);
  return axes;
}

// Training: the statistics are those of the batch.
static OutPort by_batch(const Build& b, const Layout& l, double epsilon) {
  const OutPort x = b.in(0);
  const Node norm = b.node("MVN", "opset6", {to_channels_first(b, l, x), b.list(picture_axes(l.spatial))});
  norm.set("normalize_variance", true).set("eps", epsilon).set("eps_mode", "inside_sqrt");
  const auto listed = [&](size_t i) {
    return per_channel(b, b.convert(b.in(i), x.type()), false, l.spatial);
  };
  const OutPort y = op1(b, "Add", op1(b, "Multiply", norm.out_port(), listed(1)), listed(2));
  return from_channels_first(b, l, y);
}

static Statistics batch_statistics(const Build& b, const Layout& l) {
  const ElementType type = b.in(1).type();
  const OutPort x = b.convert(to_channels_first(b, l, b.in(0)), type);
  const OutPort axes = b.list(picture_axes(l.spatial));
  const OutPort mean = b.reduce("ReduceMean", x, axes, true);
  const OutPort sum = b.reduce("ReduceSum", op1(b, "SquaredDifference", x, mean), axes, false);
  const Node sizes = b.node("Gather", "opset7", {b.shape_of(x), axes, b.integer(0)});
  sizes.set("batch_dims", 0);
  const OutPort count = b.reduce("ReduceProd", sizes.out_port(), b.list({0}), false);
  const OutPort less = op1(b, "Maximum", op1(b, "Subtract", count, b.integer(1)), b.integer(1));
  return {b.op("Squeeze", "opset1", {mean, axes}), op1(b, "Divide", sum, b.convert(count, type)),
          op1(b, "Divide", sum, b.convert(less, type))};
}

// What moving averages of the statistics become: outputs 1 and 2.
static OutPort moving(const Build& b, const SourceNode& n, size_t input, const OutPort& now) {
  const double factor = n.native("exponential_avg_factor", 1.0);
  if (factor == 1 || is_empty_constant(b, input)) return now;
  const OutPort kept = op1(b, "Multiply", b.in(input), b.like(b.in(input), 1 - factor));
  return op1(b, "Add", kept, op1(b, "Multiply", now, b.like(b.in(input), factor)));
}

}  // namespace normalizing

static Ports fused_batch_norm(Build& b, const SourceNode& n) {
  using namespace normalizing;
  const Layout l = read_layout(n);
  const double epsilon = n.native("epsilon", 1e-4);
  const bool training = n.native("is_training", true) || is_empty_constant(b, 3) || is_empty_constant(b, 4);
  Ports outputs(n.out_count());
  require(!outputs.empty(), "it has no outputs");
  outputs[0] =
      training ? by_batch(b, l, epsilon)
               : by_statistics(b, l, {before_squeezing(b.in(3), l), before_squeezing(b.in(4), l)}, epsilon);
  const auto wanted = [&](size_t i) { return i < outputs.size() && b.wants(i); };
  if (wanted(1) || wanted(2) || wanted(3) || wanted(4)) {
    const Statistics s = training ? batch_statistics(b, l) : Statistics{b.in(3), b.in(4), b.in(4)};
    const Ports all{training && wanted(1) ? moving(b, n, 3, s.mean) : s.mean,
                    training && wanted(2) ? moving(b, n, 4, s.sample_variance) : s.sample_variance, s.mean,
                    s.variance};
    for (size_t i = 1; i < outputs.size() && i < 5; ++i) outputs[i] = all[i - 1];
  }
  // Room for the gradient, which nothing is put into.
  if (wanted(5)) outputs[5] = b.constant(Tensor::filled(b.context(), b.in(1).type(), {}, {0}));
  return outputs;
}

// In other layouts than NHWC the channels are dimension 1 of a tensor of any rank.
static Ports bias_add(Build& b, const SourceNode& n) {
  const auto format = n.native("data_format", "NHWC");
  OutPort bias = b.in(1);
  if (format == "NCHW" || format == "NCDHW") {
    if (const auto rank = known_rank(b, b.in(0))) {
      if (*rank > 2) bias = normalizing::per_channel(b, bias, false, *rank - 2);
    } else {
      const OutPort behind = normalizing::op1(b, "Subtract", b.rank(b.in(0)), b.integer(2));
      const Node ones = b.node("Broadcast", "opset3", {b.integer(1), b.reshape(behind, {1})});
      ones.set("mode", "numpy");
      bias = b.reshape(bias, b.concat({b.list({-1}), ones.out_port()}));
    }
  } else {
    require(format == "NHWC" || format == "NDHWC", "attribute 'data_format' is '", format,
            "', expected NHWC or NCHW");
  }
  return {normalizing::op1(b, "Add", b.in(0), bias)};
}

static Ports bias_add_v1(Build& b, const SourceNode&) {
  return {normalizing::op1(b, "Add", b.in(0), b.in(1))};
}

// The sum of squares is not divided by the size of the window, as it is in the operation.
static Ports lrn(Build& b, const SourceNode& n) {
  const Layout l;
  const auto radius = n.native("depth_radius", 5);
  require(radius >= 0 && radius <= INT32_MAX / 2, "attribute 'depth_radius' is ", radius, ", expected 0 to ",
          INT32_MAX / 2);
  const auto size = 2 * radius + 1;
  const Node m = b.node("LRN", "opset1", {to_channels_first(b, l, b.in(0)), b.list({1})});
  m.set("alpha", n.native("alpha", 1.0) * static_cast<double>(size)).set("beta", n.native("beta", 0.5));
  m.set("bias", n.native("bias", 1.0)).set("size", size);
  return {from_channels_first(b, l, m.out_port())};
}

void register_normalizing(Registry& r) {
  const auto norm = "Add(Multiply(x, factor), shift); in training MVN(x)";
  for (const char* op : {"FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"})
    replace<fused_batch_norm>(r, {op, text(op, "(x, scale, offset, mean, variance)"), norm});
  replace_late<bias_add>(r, {"BiasAdd", "BiasAdd(x, bias)", "Add(x, bias)"});
  replace<bias_add_v1>(r, {"BiasAddV1", "BiasAddV1(x, bias)", "Add(x, bias)"});
  replace<lrn>(r, {"LRN", "LRN(x)", "LRN(x, 1) between Transposes"});
}

}  // namespace mo::tensorflow
