// BatchNorm of Caffe and BN of its forks: one multiplication and one addition per channel.
#include "support/registering.hpp"
#include "support/scaling.hpp"

#include <cmath>

namespace mo::caffe {

namespace batch_norm {

static std::vector<double> doubles(const Tensor& t) { return t.to_floats<double>(); }

static int64_t channels(const SourceNode& l) {
  if (blob_count(l) != 0) return static_cast<int64_t>(weights(l, 0).size());
  return rank_of(bottom(l, 0)) == 1 ? 1 : dim_of(bottom(l, 0), 1);
}

static Ints channel_dims(const SourceNode& l, int64_t count) {
  const size_t rank = rank_of(bottom(l, 0));
  return rank == 1 ? Ints{count} : aligned_dims({count}, 1, rank);
}

// Blobs: sums of means and variances, and the number by which both are to be divided.
static Ports caffe_form(Build& b, const SourceNode& l) {
  require(flag(l, "batch_norm_param.use_global_stats", true),
          "use_global_stats is false: it would normalise by each batch, which is not supported");
  const int64_t count = channels(l);
  const double eps = real(l, "batch_norm_param.eps", 1e-5);
  const auto mean = doubles(weights(l, 0, {count})), variance = doubles(weights(l, 1, {count}, 1));
  double by = 1;
  if (blob_count(l) > 2) {
    const double held = doubles(weights(l, 2, {1})).front();
    by = held == 0 ? 0 : 1 / held;
  }
  Scaling s{{}, {}, channel_dims(l, count)};
  for (size_t i = 0; i < mean.size(); ++i) {
    const double factor = 1 / std::sqrt(variance[i] * by + eps);
    s.factors.push_back(factor);
    s.shifts.push_back(-mean[i] * by * factor);
  }
  // Five blobs: forks keep what Scale would do here.
  if (blob_count(l) >= 5) {
    const auto scale = doubles(weights(l, 3, {count})), shift = doubles(weights(l, 4, {count}));
    for (size_t i = 0; i < scale.size(); ++i) {
      s.factors[i] *= scale[i];
      s.shifts[i] = s.shifts[i] * scale[i] + shift[i];
    }
  }
  return {scaled(b, bottom(l, 0), std::move(s))};
}

// Blobs: scale, shift and, when they are not merged into these, mean and variance.
static Ports fork_form(Build& b, const SourceNode& l) {
  require(blob_count(l) == 0 || blob_count(l) == 2 || blob_count(l) == 4, "it has ", blob_count(l),
          " blobs; expected 2 or 4");
  const int64_t count = channels(l);
  const double eps =
      real(l, "bn_param.eps", real(l, "bn_param.var_eps", real(l, "batch_norm_param.eps", 1e-5)));
  Scaling s{doubles(weights(l, 0, {count}, 1)), doubles(weights(l, 1, {count})), channel_dims(l, count)};
  if (blob_count(l) == 4) {
    const auto mean = doubles(weights(l, 2, {count})), variance = doubles(weights(l, 3, {count}));
    for (size_t i = 0; i < mean.size(); ++i) {
      s.factors[i] /= std::sqrt(variance[i] + eps);
      s.shifts[i] -= mean[i] * s.factors[i];
    }
  }
  return {scaled(b, bottom(l, 0), std::move(s))};
}

}  // namespace batch_norm

void register_batch_norm(Registry& r) {
  convert<batch_norm::caffe_form>(r, "BatchNorm", "BatchNorm(x, mean, variance, factor)",
                                  "Add(Multiply(x, factors), shifts)");
  convert<batch_norm::fork_form>(r, "BN", "BN(x, scale, shift, mean, variance)",
                                 "Add(Multiply(x, factors), shifts)");
}

}  // namespace mo::caffe
