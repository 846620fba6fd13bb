// Normalizations.
#include "support/values.hpp"

#include <numeric>

namespace mo::pytorch {

namespace normalization {

static OutPort mean_variance(const Call& c, const OutPort& x, const Ints& axes, double eps) {
  const Node n = c.b.node("MVN", "opset6", {x, c.b.list(axes)});
  n.set("normalize_variance", true).set("eps", eps).set("eps_mode", "inside_sqrt");
  return n.out_port();
}

// A list with one entry for each channel, the entries of dimension 1.
static OutPort per_channel(const Call& c, const OutPort& list, size_t rank) {
  Ints shape(std::max<size_t>(rank, 2) - 1, 1);
  shape[0] = -1;
  return c.b.reshape(list, shape);
}

static OutPort scaled(const Call& c, OutPort y, const OutPort& scale, const OutPort& shift) {
  if (scale) y = c.b.multiply(y, scale);
  return shift ? c.b.add(y, shift) : y;
}
static OutPort scaled_channels(const Call& c, const OutPort& y, size_t rank) {
  const OutPort w = c.find_tensor("weight"), s = c.find_tensor("bias");
  return scaled(c, y, w ? per_channel(c, w, rank) : w, s ? per_channel(c, s, rank) : s);
}

static OutPort reciprocal_root(const Call& c, const OutPort& variance, double eps) {
  const OutPort root = c.op1("Sqrt", {c.b.add(variance, c.like(variance, eps))});
  return c.b.divide(c.like(root, 1), root);
}

// Statistics that the model has learned.
static OutPort by_learned(const Call& c) {
  const OutPort x = c.tensor("input"), mean = c.tensor("running_mean"), variance = c.tensor("running_var");
  const auto all = [&](std::string_view name, double v) {
    const OutPort given = c.find_tensor(name);
    return given ? given : c.b.broadcast(c.like(mean, v), c.b.shape_of(mean));
  };
  const Node n = c.b.node("BatchNormInference", "opset5", {x, all("weight", 1), all("bias", 0), mean, variance});
  return n.set("epsilon", c.number("eps", 1e-5)).out_port();
}

struct Statistics {
  Ints axes;  // all but the channels
  OutPort mean, variance;
};
static Statistics statistics_of(const Call& c, const OutPort& x) {
  Statistics s;
  for (size_t i = 0; i < c.rank(x); ++i)
    if (i != 1) s.axes.push_back(static_cast<int64_t>(i));
  s.mean = mean_of(c, x, s.axes);
  s.variance = variance_of(c, x, s.axes);
  return s;
}
static OutPort by_batch(const Call& c, const OutPort& x, const Statistics& s) {
  const OutPort y =
      c.b.multiply(c.b.subtract(x, s.mean), reciprocal_root(c, s.variance, c.number("eps", 1e-5)));
  return scaled_channels(c, y, c.rank(x));
}

// The second and third result are statistics of the batch: {} where those that are learned count.
static Ports batch_norm_results(const Call& c, bool of_batch) {
  Ports out(c.result_count());
  if (!of_batch) {
    out[0] = by_learned(c);
    for (size_t i = 1; i < out.size() && i < 3; ++i)
      if (c.b.wants(i))
        out[i] = c.b.broadcast(c.like(c.tensor("input"), 0), c.b.list(c.result_shape(i).to_static()));
    return out;
  }
  const OutPort x = c.tensor("input");
  const Statistics s = statistics_of(c, x);
  out[0] = by_batch(c, x, s);
  if (out.size() > 1) out[1] = c.b.squeeze(s.mean, s.axes);
  if (out.size() > 2) out[2] = c.b.squeeze(reciprocal_root(c, s.variance, c.number("eps", 1e-5)), s.axes);
  if (out.size() <= 3) return out;
  // What the running statistics become; the variance is that of a sample.
  const double momentum = c.number("momentum", 0.1);
  const auto moved = [&](std::string_view name, const OutPort& fresh) {
    const OutPort old = c.tensor(name);
    return c.b.add(c.b.multiply(old, c.like(old, 1 - momentum)), c.b.multiply(fresh, c.like(old, momentum)));
  };
  const OutPort count = count_of(c, x, s.axes);
  const OutPort sample = c.b.divide(count, c.b.subtract(count, c.like(count, 1)));
  out[3] = moved("running_mean", out[1]);
  if (out.size() > 4)
    out[4] = moved("running_var", c.b.multiply(c.b.squeeze(s.variance, s.axes), sample));
  return out;
}
static Ports batch_norm(const Call& c) {
  return batch_norm_results(c, c.flag("training", false) || !c.is_given("running_mean"));
}
static Ports learned_batch_norm(const Call& c) { return batch_norm_results(c, false); }

static Ports instance_norm(const Call& c) {
  if (!c.flag("use_input_stats", true)) return {by_learned(c)};
  const OutPort x = c.tensor("input");
  const size_t rank = c.rank(x);
  require(rank > 2, "it reads a tensor of ", rank, " dimensions, expected 3 or more");
  Ints axes(rank - 2);
  std::iota(axes.begin(), axes.end(), int64_t{2});
  return {scaled_channels(c, mean_variance(c, x, axes, c.number("eps", 1e-5)), rank)};
}

static Ints last_axes(const Call& c, const OutPort& x) {
  const size_t rank = c.rank(x), count = c.ints("normalized_shape").size();
  require(count <= rank, "argument 'normalized_shape' has ", count, " entries, but the tensor ", rank,
          " dimensions");
  Ints axes(count);
  std::iota(axes.begin(), axes.end(), static_cast<int64_t>(rank - count));
  return axes;
}

static Ports layer_norm(const Call& c) {
  const OutPort x = c.tensor("input");
  const Ints axes = last_axes(c, x);
  const double eps = c.number("eps", 1e-5);
  Ports out(c.result_count());
  out[0] = scaled(c, mean_variance(c, x, axes, eps), c.find_tensor("weight"), c.find_tensor("bias"));
  if (out.size() > 1 && c.b.wants(1)) out[1] = mean_of(c, x, axes);
  if (out.size() > 2 && c.b.wants(2)) out[2] = reciprocal_root(c, variance_of(c, x, axes), eps);
  return out;
}

// Computed in f32 at least; the smallest step of the type is added where nothing is said.
static Ports rms_norm(const Call& c) {
  const OutPort x = c.tensor("input");
  const OutPort wide = x.type() == ElementType::f64 ? x : c.b.convert(x, ElementType::f32);
  const double step = x.type() == ElementType::f16    ? 0x1p-10
                      : x.type() == ElementType::bf16 ? 0x1p-7
                      : x.type() == ElementType::f64  ? 0x1p-52
                                                      : 0x1p-23;
  const OutPort mean = mean_of(c, c.b.multiply(wide, wide), last_axes(c, x));
  const OutPort root = c.op1("Sqrt", {c.b.add(mean, c.like(mean, c.number("eps", step)))});
  const OutPort y = c.b.convert(c.b.divide(wide, root), x.type());
  return {scaled(c, y, c.find_tensor("weight"), {})};
}

static OutPort or_ones(const Call& c, std::string_view name, const OutPort& x, double v) {
  const OutPort given = c.find_tensor(name);
  return given ? given : c.b.broadcast(c.like(x, v), c.b.dim(x, 1));
}
// [N, groups, all of a group]
static OutPort in_groups(const Call& c, const OutPort& x, int64_t groups) {
  return c.b.reshape(x, c.b.concat({c.b.dim(x, 0), c.b.list({groups, -1})}));
}
static OutPort normalized_groups(const Call& c, const OutPort& x, int64_t groups) {
  const double eps = c.number("eps", 1e-5);
  require(groups > 0, "the number of groups is ", groups, ", expected at least 1");
  const size_t rank = c.rank(x);
  if (rank > 2) {
    const Node n = c.b.node("GroupNormalization", "opset12",
                            {x, or_ones(c, "weight", x, 1), or_ones(c, "bias", x, 0)});
    return n.set("num_groups", groups).set("epsilon", eps).out_port();
  }
  const OutPort y = c.b.reshape(mean_variance(c, in_groups(c, x, groups), {2}, eps), c.b.shape_of(x));
  return scaled_channels(c, y, rank);
}
static Ports group_norm(const Call& c) {
  return {normalized_groups(c, c.tensor("input"), c.integer("num_groups"))};
}
static Ports group_norm_with_statistics(const Call& c) {
  const OutPort x = c.tensor("input");
  const auto groups = c.integer("group");
  Ports out{normalized_groups(c, x, groups), {}, {}};
  if (c.b.wants(1)) out[1] = c.b.squeeze(mean_of(c, in_groups(c, x, groups), {2}), {2});
  if (c.b.wants(2)) {
    const OutPort variance = variance_of(c, in_groups(c, x, groups), {2});
    out[2] = c.b.squeeze(reciprocal_root(c, variance, c.number("eps", 1e-5)), {2});
  }
  return out;
}

// Norms over all dimensions but one.
static Ports weight_norm(const Call& c) {
  const OutPort v = c.tensor("v");
  const size_t rank = c.rank(v);
  const auto dim = c.integer("dim", 0);
  Ints axes;
  for (size_t i = 0; i < rank; ++i)
    if (dim == -1 || i != normalize_axis(dim, rank, "argument 'dim'")) axes.push_back(static_cast<int64_t>(i));
  const OutPort norm = c.b.reduce("ReduceL2", v, c.b.list(axes), true);
  Ports out{c.b.multiply(v, c.b.divide(c.tensor("g"), norm)), norm};
  out.resize(std::min<size_t>(c.result_count(), 2));
  return out;
}

// Of windows of channels: the mean of the squares, with zeros where there are none.
static Ports local_response(const Call& c) {
  const Node n = c.b.node("LRN", "opset1", {c.tensor("input"), c.b.list({1})});
  n.set("size", c.integer("size")).set("alpha", c.number("alpha", 1e-4));
  return {n.set("beta", c.number("beta", 0.75)).set("bias", c.number("k", 1)).out_port()};
}

}  // namespace normalization

void register_normalization(Registry& r) {
  using namespace normalization;
  convert<batch_norm>(r,
                      "aten.batch_norm.default aten.native_batch_norm.default aten._native_batch_norm_legit.default "
                      "aten._native_batch_norm_legit.no_stats aten._native_batch_norm_legit_functional.default",
                      "batch_norm(x, weight, bias, mean, var)",
                      "BatchNormInference-5(x, weight, bias, mean, var), in training by the statistics of x");
  convert<learned_batch_norm>(r, "aten._native_batch_norm_legit_no_training.default",
                              "_native_batch_norm_legit_no_training(x, weight, bias, mean, var)",
                              "BatchNormInference-5(x, weight, bias, mean, var)");
  convert<instance_norm>(r, "aten.instance_norm.default", "instance_norm(x, weight, bias)",
                         "Add(Multiply(MVN-6(x), weight), bias)");
  convert<layer_norm>(r, "aten.layer_norm.default aten.native_layer_norm.default",
                      "layer_norm(x, normalized_shape, weight, bias)", "Add(Multiply(MVN-6(x), weight), bias)");
  convert<rms_norm>(r, "aten.rms_norm.default aten._fused_rms_norm.default", "rms_norm(x, normalized_shape, weight)",
                    "Multiply(Divide(x, Sqrt(Add(ReduceMean(Multiply(x, x)), eps))), weight)");
  convert<group_norm>(r, "aten.group_norm.default", "group_norm(x, num_groups, weight, bias)",
                      "GroupNormalization-12(x, weight, bias)");
  convert<group_norm_with_statistics>(r, "aten.native_group_norm.default", "native_group_norm(x, weight, bias)",
                                      "GroupNormalization-12(x, weight, bias)");
  convert<weight_norm>(r, "aten._weight_norm.default aten._weight_norm_interface.default", "_weight_norm(v, g)",
                       "Multiply(v, Divide(g, ReduceL2(v)))");
  convert<local_response>(r, "aten.local_response_norm.default", "local_response_norm(x)", "LRN(x)");
}

}  // namespace mo::pytorch
