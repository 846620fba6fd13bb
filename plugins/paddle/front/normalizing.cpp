// Normalizations.
#include "support/windows.hpp"

#include <mo/extract.hpp>

namespace mo::paddle {

namespace normalizing {

static OutPort mvn(const Op& o, const OutPort& x, const OutPort& axes, double epsilon) {
  const Node n = o.node("MVN", "opset6", {x, axes});
  n.set("normalize_variance", true).set("eps", epsilon).set("eps_mode", "inside_sqrt");
  return n.out_port();
}

static Ports batch_norm(const Op& o) {
  require(
      o.flag("is_test", true) || o.flag("use_global_stats", false) || !o.flag("trainable_statistics", false),
      "it takes the statistics of its own batch, as in training",
      hint("export the program after model.eval()"));
  const OutPort mean = o.in("1 Mean"), variance = o.in("2 Variance");
  const auto or_else = [&](std::string_view slots, double value) {
    return o.has(slots) ? o.in(slots) : o.broadcast(o.like(mean, value), o.shape_of(mean));
  };
  const OutPort y = channels_first_of(o, o.in("0 X"), is_channels_last(o), [&](const OutPort& x) {
    const ElementType type = o.type_of(x);
    const auto like_x = [&](const OutPort& p) { return o.convert(p, type); };
    const Node n = o.node(
        "BatchNormInference", "opset5",
        {x, like_x(or_else("3 Scale", 1)), like_x(or_else("4 Bias", 0)), like_x(mean), like_x(variance)});
    return n.set("epsilon", o.real("epsilon", 1e-5)).out_port();
  });
  return o.give({{"0 Y", {o.flag("fuse_with_relu", false) ? o.op1("ReLU", {y}) : y}}});
}

// A list for the dimensions from `first` on.
static OutPort shaped(const Op& o, const OutPort& list, const OutPort& x, int64_t first) {
  if (first == o.rank(x) - 1 || o.rank(list) == o.rank(x) - first) return list;
  Ints dims;
  for (int64_t i = first; i < o.rank(x); ++i) {
    const auto d = o.find_dim(x, i);
    if (!d) return o.reshape(list, o.part(o.shape_of(x), first, INT64_MAX));
    dims.push_back(*d);
  }
  return o.reshape(list, dims);
}

static Ports layer_norm(const Op& o) {
  const OutPort x = o.in("0 X");
  const int64_t first = o.axis(x, o.integer("begin_norm_axis", 1));
  const double epsilon = o.real("epsilon", 1e-5);
  OutPort y = mvn(o, x, o.axes(x, first, INT64_MAX), epsilon);
  if (o.has("1 Scale")) y = o.multiply(y, shaped(o, o.in("1 Scale"), x, first));
  if (o.has("2 Bias")) y = o.add(y, shaped(o, o.in("2 Bias"), x, first));
  return o.give({{"0 Y", {y}}});
}

static OutPort for_channels(const Op& o, const OutPort& list, int64_t rank) {
  Ints place(static_cast<size_t>(rank), 1);
  place[1] = -1;
  return o.reshape(list, place);
}

static Ports instance_norm(const Op& o) {
  const OutPort x = o.in("0 X");
  const int64_t rank = o.rank(x);
  require(rank >= 3, "it normalizes ", rank, " dimensions, expected at least 3");
  OutPort y = mvn(o, x, o.axes(x, 2, INT64_MAX), o.real("epsilon", 1e-5));
  if (o.has("1 Scale")) y = o.multiply(y, for_channels(o, o.in("1 Scale"), rank));
  if (o.has("2 Bias")) y = o.add(y, for_channels(o, o.in("2 Bias"), rank));
  return o.give({{"0 Y", {y}}});
}

static Ports group_norm(const Op& o) {
  const OutPort y = channels_first_of(o, o.in("0 X"), is_channels_last(o), [&](const OutPort& x) {
    const auto or_else = [&](std::string_view slots, double value) {
      return o.has(slots) ? o.in(slots) : o.broadcast(o.like(x, value), o.dim(x, 1));
    };
    const Node n = o.node("GroupNormalization", "opset12", {x, or_else("1 Scale", 1), or_else("2 Bias", 0)});
    return n.set("num_groups", o.integer("groups", 1)).set("epsilon", o.real("epsilon", 1e-5)).out_port();
  });
  return o.give({{"0 Y", {y}}});
}

// x over the root of its mean square.
static OutPort by_root_mean_square(const Op& o, const OutPort& x, int64_t begin) {
  const OutPort square =
      o.reduce("ReduceMean", o.multiply(x, x), o.axes(x, o.axis(x, begin), INT64_MAX), true);
  return o.multiply(x, o.power(o.plus(square, o.real("epsilon", 1e-6)), -0.5));
}

// From Paddle 3.3 on, where the one before is called fused_rms_norm_quant.
static Ports rms_norm_of_shape(const Op& o) {
  const OutPort x = o.in("0 x");
  const auto dims = static_cast<int64_t>(o.ints("normalized_shape").size());
  require(dims > 0 && dims <= o.rank(x), "attribute 'normalized_shape' has ", dims, " dimensions");
  const OutPort y = by_root_mean_square(o, x, -dims);
  return o.give({{"0 y", {o.has("1 scale") ? o.multiply(y, o.in("1 scale")) : y}}});
}

static Ports rms_norm(const Op& o) {
  if (o.has_attribute("normalized_shape")) return rms_norm_of_shape(o);
  const OutPort x = o.in("0 x");
  require(!o.has("1 bias") && !o.has("2 residual"), "it adds a residual, which is not supported");
  require(o.real("quant_scale", -1) <= 0, "it quantizes its result, which is not supported");
  OutPort y = by_root_mean_square(o, x, o.integer("begin_norm_axis", -1));
  if (o.has("3 norm_weight")) y = o.multiply(y, o.in("3 norm_weight"));
  if (o.has("4 norm_bias")) y = o.add(y, o.in("4 norm_bias"));
  return o.give({{"0 out", {y}}});
}

// Of 1.x: x over its length along an axis.
static Ports norm(const Op& o) {
  const OutPort x = o.in("0 X");
  const OutPort axes = o.list({o.axis(x, o.integer("axis", -1))});
  const OutPort length =
      o.op1("Sqrt", {o.plus(o.reduce("ReduceSum", o.multiply(x, x), axes, true), o.real("epsilon", 1e-10))});
  return o.give({{"0 Out", {o.divide(x, length)}}, {"1 Norm", {length}}});
}

static Ports local_response(const Op& o) {
  const OutPort x = o.in("0 X");
  const int64_t size = o.integer("n", 5);
  const Node n = o.node("LRN", "opset1", {x, o.list({1})});
  n.set("size", size).set("alpha", o.real("alpha", 1e-4) * static_cast<double>(size));
  n.set("beta", o.real("beta", 0.75)).set("bias", o.real("k", 2));
  return o.give({{"0 Out", {n.out_port()}}});
}

}  // namespace normalizing

void register_normalizing(Registry& r) {
  using namespace normalizing;
  convert<batch_norm>(r, "batch_norm sync_batch_norm", "batch_norm(x, mean, variance, scale, bias)",
                      "BatchNormInference(x)");
  convert<layer_norm>(r, "layer_norm", "layer_norm(x, scale, bias)", "Add(Multiply(MVN(x), scale), bias)");
  convert<instance_norm>(r, "instance_norm", "instance_norm(x, scale, bias)",
                         "Add(Multiply(MVN(x), scale), bias)");
  convert<group_norm>(r, "group_norm", "group_norm(x, scale, bias)", "GroupNormalization(x, scale, bias)");
  convert<rms_norm>(r, "rms_norm fused_rms_norm_quant", "rms_norm(x, weight)",
                    "Multiply(x, Power(ReduceMean(x * x) + epsilon, -0.5))");
  convert<norm>(r, "norm", "norm(x)", "Divide(x, Sqrt(ReduceSum(x * x) + epsilon))");
  convert<local_response>(r, "lrn", "lrn(x)", "LRN(x)");
}

}  // namespace mo::paddle
