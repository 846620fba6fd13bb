#include "support/prior_grid.hpp"

namespace mo::opset::prior_grid {

namespace {
std::vector<double> variances(const OpContext& c) {
  auto list = c.find_attr<std::vector<double>>("variance").value_or(std::vector<double>{});
  if (list.empty()) list.push_back(0.1);
  require(list.size() == 1 || list.size() == 4, "attribute 'variance' is ", list,
          "; expected 0, 1 or 4 numbers");
  for (const double v : list)
    require(std::isfinite(v) && v > 0, "attribute 'variance' is ", list, "; expected positive numbers");
  return list;
}
}  // namespace

void infer(const InferContext& c, int64_t boxes) {
  variances(c);
  for (const size_t i : {size_t{0}, size_t{1}}) {
    if (!c.has(i)) continue;
    const auto* const what = i == 0 ? "output_size" : "image_size";
    require_integer(c, i);
    require_rank(c.shape(i), what, 1);
    require_elements(c, i, what, 2);
  }
  Dim points = Dim(1);
  for (const Interval& v : intervals_or_unknown(c, 0, 2)) {
    require(v.hi >= 0, "output_size has a size of ", v.hi, "; expected 0 or more");
    points = points * v.to_dim();
  }
  c.output(0, ElementType::f32, {2, points * Dim(detail::checked_mul(4, boxes))});
}

Sizes sizes(const EvalContext& c, size_t input) {
  const auto list = c.input(input).to_ints();
  for (const int64_t v : list) require(v >= 0, "input ", input, " has a size of ", v, "; expected 0 or more");
  return {static_cast<double>(list.at(0)), static_cast<double>(list.at(1))};
}

Writer::Writer(const EvalContext& c, int64_t boxes) : c_(c) {
  const auto grid = c.input(0).to_ints();
  const Dim count = Dim(grid.at(0)) * Dim(grid.at(1)) * Dim(detail::checked_mul(4, boxes));
  auto [tensor, data] = create_grown(c, ElementType::f32, {2, count.value()}, 0);
  tensor_ = tensor;
  out_ = static_cast<float*>(data);
}

void Writer::finish() {
  const auto list = variances(c_);
  for (size_t i = 0; i < at_; ++i) out_[at_ + i] = static_cast<float>(list[i % list.size()]);
  c_.output(0, tensor_);
}

}  // namespace mo::opset::prior_grid
