#include "support/reduction.hpp"

namespace mo::opset {

namespace {

Shape without_axes(const Shape& in, const std::vector<size_t>& axes, bool keep) {
  Shape out;
  for (size_t i = 0; i < in.size(); ++i) {
    const bool reduced = std::find(axes.begin(), axes.end(), i) != axes.end();
    if (!reduced || keep) out.push_back(reduced ? Dim(1) : in[i]);
  }
  return out;
}

}  // namespace

Shape reduced_shape(const InferContext& c, bool keep) {
  const Shape in = c.shape(0);
  const Dim count = vector_length(c, 1, "axes");
  if (!in.has_rank()) return in;
  if (const auto axes = axes_input(c, 1, in.size())) return without_axes(in, *axes, keep);
  if (count == Dim(in.rank())) return keep ? Shape::of_rank(in.size(), 1) : Shape();
  if (keep) {
    Shape out = in;
    for (Dim& d : out) d = unite(d, 1);
    return out;
  }
  if (!count.is_static()) return Shape::unknown();
  Shape out;  // some of the dimensions, in their order
  const auto n = static_cast<size_t>(count.value());
  for (size_t i = 0; i + n < in.size(); ++i) {
    Dim d = in[i];
    for (size_t k = 1; k <= n; ++k) d = unite(d, in[i + k]);
    out.push_back(d);
  }
  return out;
}

namespace {
// Offsets of all elements of a box, in its order.
Dims offsets(const Dims& counts, const Dims& strides) {
  Dims list{0};
  for (size_t i = 0; i < counts.size(); ++i) {
    Dims next;
    next.reserve(list.size() * static_cast<size_t>(counts[i]));
    for (const int64_t base : list)
      for (int64_t k = 0; k < counts[i]; ++k) next.push_back(base + k * strides[i]);
    list = std::move(next);
  }
  return list;
}
}  // namespace

ReductionPlan reduction_plan(const Dims& in, const std::vector<size_t>& axes, bool keep) {
  const Dims strides = dense_strides(in);
  Dims kept, kept_strides, reduced, reduced_strides;
  for (size_t i = 0; i < in.size(); ++i) {
    const bool away = std::find(axes.begin(), axes.end(), i) != axes.end();
    (away ? reduced : kept).push_back(in[i]);
    (away ? reduced_strides : kept_strides).push_back(strides[i]);
  }
  return {without_axes(Shape(in), axes, keep).to_static(), offsets(kept, kept_strides),
          offsets(reduced, reduced_strides)};
}

}  // namespace mo::opset
