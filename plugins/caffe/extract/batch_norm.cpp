// BatchNorm of Caffe and BN of its forks: one multiplication and one addition per channel.
#include "support/convert_layers.hpp"
#include "support/scaling.hpp"

#include <cmath>

namespace mo::caffe {

namespace batch_norm {

static std::vector<double> doubles(const Tensor& t) { return t.to_floats<double>(); }

static int64_t channels(const Layer& l) {
  if (l.blobs() != 0) return static_cast<int64_t>(l.weights(0).size());
  return l.rank(l.in(0)) == 1 ? 1 : l.dim(l.in(0), 1);
}

static Ints channel_dims(const Layer& l, int64_t count) {
  const size_t rank = l.rank(l.in(0));
  return rank == 1 ? Ints{count} : aligned_dims({count}, 1, rank);
}

// Blobs: sums of means and variances, and the number by which both are to be divided.
static Ports caffe_form(Layer& l) {
  require(l.flag("batch_norm_param.use_global_stats", true),
          "use_global_stats is false: it would normalise by each batch, which is not supported");
  const int64_t count = channels(l);
  const double eps = l.real("batch_norm_param.eps", 1e-5);
  const auto mean = doubles(l.weights(0, {count})), variance = doubles(l.weights(1, {count}, 1));
  double by = 1;
  if (l.blobs() > 2) {
    const double held = doubles(l.weights(2, {1})).front();
    by = held == 0 ? 0 : 1 / held;
  }
  Scaling s{{}, {}, channel_dims(l, count)};
  for (size_t i = 0; i < mean.size(); ++i) {
    const double factor = 1 / std::sqrt(variance[i] * by + eps);
    s.factors.push_back(factor);
    s.shifts.push_back(-mean[i] * by * factor);
  }
  // Five blobs: forks keep what Scale would do here.
  if (l.blobs() >= 5) {
    const auto scale = doubles(l.weights(3, {count})), shift = doubles(l.weights(4, {count}));
    for (size_t i = 0; i < scale.size(); ++i) {
      s.factors[i] *= scale[i];
      s.shifts[i] = s.shifts[i] * scale[i] + shift[i];
    }
  }
  return {scaled(l, l.in(0), std::move(s))};
}

// Blobs: scale, shift and, when they are not merged into these, mean and variance.
static Ports fork_form(Layer& l) {
  require(l.blobs() == 0 || l.blobs() == 2 || l.blobs() == 4, "it has ", l.blobs(),
          " blobs; expected 2 or 4");
  const int64_t count = channels(l);
  const double eps = l.real("bn_param.eps", l.real("bn_param.var_eps", l.real("batch_norm_param.eps", 1e-5)));
  Scaling s{doubles(l.weights(0, {count}, 1)), doubles(l.weights(1, {count})), channel_dims(l, count)};
  if (l.blobs() == 4) {
    const auto mean = doubles(l.weights(2, {count})), variance = doubles(l.weights(3, {count}));
    for (size_t i = 0; i < mean.size(); ++i) {
      s.factors[i] /= std::sqrt(variance[i] + eps);
      s.shifts[i] -= mean[i] * s.factors[i];
    }
  }
  return {scaled(l, l.in(0), std::move(s))};
}

}  // namespace batch_norm

void register_batch_norm(Items& items) {
  items.layer("BatchNorm", &batch_norm::caffe_form);
  items.layer("BN", &batch_norm::fork_form);
}

}  // namespace mo::caffe
