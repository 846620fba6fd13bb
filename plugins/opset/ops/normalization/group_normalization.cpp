// GroupNormalization: data, scale, bias; mean and variance of each group of channels.
#include "support/elements.hpp"
#include "support/inference.hpp"

namespace mo::opset {

struct GroupNormalization {
  static constexpr std::string_view type = "GroupNormalization", opset = "opset12";
  static void schema(OpSchema& s) {
    s.doc("data, scale, bias")
        .input("data", Role::fixed, float_types)
        .inputs({"scale", "bias"}, Role::fixed)
        .keeps_shape()
        .outputs(1)
        .attr<int64_t>("num_groups")
        .attr<double>("epsilon");
  }
  static void infer(InferContext& c) {
    const int64_t groups = int_attr(c, "num_groups", 1);
    Shape out = c.shape(0);
    require_rank(out, "the data", 2, std::numeric_limits<int64_t>::max());
    for (size_t i = 1; i < 3; ++i) {
      const Shape s = c.shape(i);
      require_rank(s, text("input ", i), 1);
      if (s.has_rank() && out.has_rank())
        out[1] = same_dim(out[1], s[0], text("channels of the data and of input ", i));
    }
    if (out.has_rank())
      out[1] = multiples(out[1], groups, "with attribute 'num_groups' the number of channels");
    c.output(0, common_type(c, {0, 1, 2}), out);
  }
  static void evaluate(EvalContext& c) {
    const Tensor x = c.input(0), scale = c.input(1), bias = c.input(2);
    require(x.rank() >= 2, "the data has shape ", x.shape(), "; expected rank 2 or more");
    const auto groups = static_cast<size_t>(int_attr(c, "num_groups", 1)),
               channels = static_cast<size_t>(x.dim(1));
    require(channels % groups == 0 && scale.size() == channels && bias.size() == channels, "num_groups is ",
            groups, " and scale has shape ", scale.shape(), " for ", channels, " channels");
    const auto epsilon = c.attr<double>("epsilon");
    const auto out = Tensor::create_bytes(c.context(), x.type(), x.dims());
    const size_t rows = static_cast<size_t>(x.dim(0)) * groups, n = x.size() / std::max<size_t>(rows, 1);
    const size_t inner = n / std::max<size_t>(channels / groups, 1);
    for_float(x.type(), [&](auto e) {
      using E = decltype(e);
      for (size_t row = 0; row < rows && n > 0; ++row) {
        const auto at = [&](size_t i) { return static_cast<double>(E::get(x.data(), row * n + i)); };
        double mean = 0, variance = 0;
        for (size_t i = 0; i < n; ++i) mean += at(i);
        mean /= static_cast<double>(n);
        for (size_t i = 0; i < n; ++i) variance += (at(i) - mean) * (at(i) - mean);
        const double root = std::sqrt(variance / static_cast<double>(n) + epsilon);
        for (size_t start = 0; start < n; start += inner) {
          const size_t channel = row % groups * (channels / groups) + start / inner;
          const double factor = scale.number(channel), shift = bias.number(channel);
          for (size_t i = start; i < start + inner; ++i) {
            const double y = (at(i) - mean) / root * factor + shift;
            E::put(out.second, row * n + i, static_cast<typename E::computed>(y));
          }
        }
      }
    });
    c.output(0, out.first);
  }
};

void register_group_normalization(Registry& r) { r.operation<GroupNormalization>(); }

}  // namespace mo::opset
