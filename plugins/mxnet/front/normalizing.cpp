// Normalisations by statistics of what is read.
#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace normalizing {

static OutPort mean_variance(const Build& b, const OutPort& x, const Ints& axes, double eps) {
  const Node m = b.node("MVN", "opset6", {x, b.list(axes)});
  m.set("normalize_variance", true).set("eps", eps).set("eps_mode", "inside_sqrt");
  return m.out_port();
}

static OutPort scaled(const Build& b, const OutPort& x, size_t axis, size_t rank) {
  return b.add(b.multiply(x, along(b, b.in(1), axis, rank)), along(b, b.in(2), axis, rank));
}

static Ints from(size_t first, size_t rank) {
  Ints axes;
  for (size_t i = first; i < rank; ++i) axes.push_back(static_cast<int64_t>(i));
  return axes;
}

static Ports instance_norm(Build& b, const SourceNode& n) {
  const size_t rank = rank_of(b, b.in(0));
  require(rank > 2, "it reads ", rank, " dimensions; expected spatial ones");
  return {scaled(b, mean_variance(b, b.in(0), from(2, rank), n.native("eps", 1e-3)), 1, rank)};
}

static Ports layer_norm(Build& b, const SourceNode& n) {
  const size_t rank = rank_of(b, b.in(0)), axis = axis_of(b, b.in(0), n.native("axis", -1));
  const Ints axes{static_cast<int64_t>(axis)};
  return {scaled(b, mean_variance(b, b.in(0), axes, n.native("eps", 1e-5)), axis, rank)};
}

// Channels in groups: each of a sample is normalised by itself. Factors are one for each group up to MXNet
// 1.9, and one for each channel in 2.0.
static Ports group_norm(Build& b, const SourceNode& n) {
  const size_t rank = rank_of(b, b.in(0));
  const auto groups = n.native("num_groups", 1);
  require(rank >= 3 && groups > 0, "it reads ", rank, " dimensions in ", groups, " groups");
  const OutPort apart = b.reshape(b.in(0), Ints{0, groups, -1});
  const OutPort norm = mean_variance(b, apart, {2}, n.native("eps", 1e-5));
  const Shape factors = shape_of(b, b.in(1));
  if (factors.rank() == 1 && factors[0] == Dim(groups))
    return {b.reshape(scaled(b, norm, 1, 3), b.shape_of(b.in(0)))};
  return {scaled(b, b.reshape(norm, b.shape_of(b.in(0))), 1, rank)};
}

static Ports l2(Build& b, const SourceNode& n) {
  const auto mode = n.native("mode", "instance");
  const size_t rank = rank_of(b, b.in(0));
  require(mode == "instance" || mode == "channel" || mode == "spatial", "attribute 'mode' is '", mode,
          "'; expected instance, channel or spatial");
  const Ints axes = mode == "channel" ? Ints{1} : from(mode == "instance" ? 1 : 2, rank);
  const Node norm = b.node("NormalizeL2", "opset1", {b.in(0), b.list(axes)});
  norm.set("eps", n.native("eps", 1e-10)).set("eps_mode", "add");
  return {norm.out_port()};
}

static Ports lrn(Build& b, const SourceNode& n) {
  const Node l = b.node("LRN", "opset1", {b.in(0), b.list({1})});
  l.set("alpha", n.native("alpha", 1e-4)).set("beta", n.native("beta", 0.75));
  l.set("bias", n.native("knorm", 2.0)).set("size", n.native<int64_t>("nsize"));
  return {l.out_port()};
}

}  // namespace normalizing

void register_normalizing(Registry& r) {
  convert<normalizing::instance_norm>(r, "InstanceNorm", "InstanceNorm(x, gamma, beta)",
                                      "Add(Multiply(MVN(x, spatial axes), gamma), beta)");
  convert<normalizing::layer_norm>(r, "LayerNorm _npx_layer_norm", "LayerNorm(x, gamma, beta)",
                                   "Add(Multiply(MVN(x, axis), gamma), beta)");
  convert<normalizing::group_norm>(r, "GroupNorm _npx_group_norm", "GroupNorm(x, gamma, beta)",
                                   "Add(Multiply(Reshape(MVN(Reshape(x))), gamma), beta)");
  convert<normalizing::l2>(r, "L2Normalization", "L2Normalization(x, mode)", "NormalizeL2(x, axes)");
  convert<normalizing::lrn>(r, "LRN", "LRN(x)", "LRN(x, 1)");
}

}  // namespace mo::mxnet
