// Statistics of the training.
#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace batch_norms {

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

// What tools that merge statistics into their neighbours write.
static Ports scale_shift(Build& b, const SourceNode& n) {
  const size_t rank = rank_of(b, b.in(0));
  const bool fixed = n.native("fix_gamma", true);
  const OutPort x = fixed ? b.in(0) : b.multiply(b.in(0), along(b, b.in(1), 1, rank));
  return {b.add(x, along(b, b.in(2), 1, rank))};
}

}  // namespace batch_norms

void register_batch_norm(Registry& r) {
  convert<batch_norms::batch_norm>(
      r, "BatchNorm BatchNorm_v1 CuDNNBatchNorm _contrib_SyncBatchNorm _npx_batch_norm",
      "BatchNorm(x, gamma, beta, mean, variance)", "BatchNormInference(x, gamma or 1, beta, mean, variance)");
  convert<batch_norms::scale_shift>(r, "ScaleShift", "ScaleShift(x, gamma, beta)",
                                    "Add(Multiply(x, gamma or 1), beta)");
}

}  // namespace mo::mxnet
