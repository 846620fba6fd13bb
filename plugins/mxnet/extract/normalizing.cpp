// Normalisations: by statistics of the training, or of what is read.
#include "support/items.hpp"
#include "support/numbers.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace normalizing {

static OutPort channels_second(const Build& b, const OutPort& x, size_t axis, size_t rank, bool back) {
  Ints order;
  for (size_t i = 0; i < rank; ++i)
    if (i != axis) order.push_back(static_cast<int64_t>(i));
  order.insert(order.begin() + 1, static_cast<int64_t>(axis));
  if (!back) return b.transpose(x, order);
  Ints inverse(rank);
  for (size_t i = 0; i < rank; ++i) inverse[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  return b.transpose(x, inverse);
}

// fix_gamma: the factors count as 1 whatever the file has.
static OutPort factors(const Build& b, const SourceNode& n) {
  if (!n.native("fix_gamma", true)) return b.in(1);
  const Shape s = shape_of(b, b.in(4));
  require(s.rank() == 1 && s[0].is_static(), "its variances have shape ", s,
          "; expected one for each channel");
  const auto count = static_cast<size_t>(s[0].value());
  return b.constant(Tensor::of<float>(b.context(), std::vector<float>(count, 1), {s[0].value()}));
}

static Ports batch_norm(Build& b, const SourceNode& n) {
  const auto axis = n.native("axis", 1);
  OutPort x = b.in(0);
  const bool second = axis == 1;
  const size_t rank = second ? 0 : rank_of(b, x), at = second ? 1 : axis_of(b, x, axis);
  require(at != 0, "attribute 'axis' is the batch");
  if (at != 1) x = channels_second(b, x, at, rank, false);
  const Node norm = b.node("BatchNormInference", "opset5", {x, factors(b, n), b.in(2), b.in(3), b.in(4)});
  norm.set("epsilon", n.native("eps", 1e-3));
  return {at == 1 ? norm.out_port() : channels_second(b, norm.out_port(), at, rank, true)};
}

static OutPort mean_variance(const Build& b, const OutPort& x, const Ints& axes, double eps) {
  const Node m = b.node("MVN", "opset6", {x, b.list(axes)});
  m.set("normalize_variance", true).set("eps", eps).set("eps_mode", "inside_sqrt");
  return m.out_port();
}

static OutPort scaled(const Build& b, const OutPort& x, size_t axis, size_t rank) {
  return add(b, multiply(b, x, along(b, b.in(1), axis, rank)), along(b, b.in(2), axis, rank));
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

// Channels in groups: each of a sample is normalised by itself.
static Ports group_norm(Build& b, const SourceNode& n) {
  const size_t rank = rank_of(b, b.in(0));
  const auto groups = n.native("num_groups", 1);
  require(rank >= 3 && groups > 0, "it reads ", rank, " dimensions in ", groups, " groups");
  const OutPort apart = b.reshape(b.in(0), Ints{0, groups, -1});
  const OutPort norm = mean_variance(b, apart, {2}, n.native("eps", 1e-5));
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

void register_normalizing(Items& items) {
  items.convert<normalizing::batch_norm>(
      "BatchNorm BatchNorm_v1 CuDNNBatchNorm _contrib_SyncBatchNorm _npx_batch_norm");
  items.convert<normalizing::instance_norm>("InstanceNorm");
  items.convert<normalizing::layer_norm>("LayerNorm _npx_layer_norm");
  items.convert<normalizing::group_norm>("GroupNorm");
  items.convert<normalizing::l2>("L2Normalization");
  items.convert<normalizing::lrn>("LRN");
}

}  // namespace mo::mxnet
