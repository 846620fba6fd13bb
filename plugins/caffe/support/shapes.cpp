#include "support/shapes.hpp"

namespace mo::caffe {

Shape shape_of(const OutPort& x) {
  x.node().graph().infer_marked();
  return x.shape();
}

size_t rank_of(const OutPort& x) {
  const Shape s = shape_of(x);
  require(s.has_rank(), "the number of dimensions of what it reads is not known",
          hint("give the inputs shapes with --input_shape"));
  return s.size();
}

int64_t dim_of(const OutPort& x, size_t axis) {
  const Shape s = shape_of(x);
  require(s.has_rank() && axis < s.size() && s[axis].is_static(), "dimension ", axis, " of what it reads, ",
          s, ", is not known", hint("give the inputs shapes with --input_shape"));
  return s[axis].value();
}

size_t axis_of(int64_t given, const OutPort& x, std::string_view what) {
  if (given >= 0) return static_cast<size_t>(given);
  return normalize_axis(given, rank_of(x), what);
}

}  // namespace mo::caffe
