#include "support/build.hpp"

namespace mo::onnx {

int64_t checked_axis(int64_t axis, std::string_view what) {
  constexpr int64_t greatest_rank = 64;
  require(axis >= -greatest_rank && axis < greatest_rank, what, " is ", axis, ", expected -", greatest_rank,
          " to ", greatest_rank - 1);
  return axis;
}
int64_t axis_of(const SourceNode& n) { return checked_axis(n.native<int64_t>("axis"), "attribute 'axis'"); }
int64_t axis_of(const SourceNode& n, int64_t fallback) {
  return checked_axis(n.native("axis", fallback), "attribute 'axis'");
}

OutPort to_matrix(const Build& b, const OutPort& x, int64_t axis) {
  if (axis == 0) return b.reshape(x, b.list({1, -1}));
  if (axis == 1) return b.reshape(x, b.list({0, -1}), true);
  const auto product = [&](int64_t begin, int64_t end) {
    return b.reduce("ReduceProd", b.part(b.shape_of(x), begin, end), b.list({0}), true);
  };
  if (axis > 0) return b.reshape(x, b.concat({product(INT64_MIN, axis), b.list({-1})}));
  return b.reshape(x, b.concat({b.list({-1}), product(axis, INT64_MAX)}));
}

OutPort as_scalar(const Build& b, const OutPort& x) {
  if (const auto value = x.value()) {
    if (value->rank() == 0) return x;
    return b.constant(value->reshaped(b.context(), {}));
  }
  const Shape s = x.shape();
  return s.has_rank() && s.empty() ? x : b.reshape(x, b.list({}));
}

}  // namespace mo::onnx
