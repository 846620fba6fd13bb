// OneHot: indices, depth, on_value, off_value; an index outside of 0 to depth-1 leaves only off_value.
#include "support/movement.hpp"

namespace mo::opset {

struct OneHot {
  static constexpr std::string_view type = "OneHot", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("indices, depth, on_value, off_value").inputs(4).outputs(1).attr<int64_t>("axis");
  }
  static void infer(InferContext& c) {
    require_integer(c, 0);
    for (size_t i = 1; i < 4; ++i) require_elements(c, i, text("input ", i), 1);
    require_integer(c, 1);
    const Interval depth = intervals_or_unknown(c, 1, 1)[0];
    require(depth.hi >= 0, "depth is ", depth.hi, "; expected 0 or more");
    Shape out = c.shape(0);
    if (out.has_rank()) {
      const size_t axis = normalize_axis(c.attr<int64_t>("axis"), out.size() + 1, "attribute 'axis'");
      out.insert(axis, depth.to_dim());
    }
    c.output(0, common_type(c, {2, 3}), out);
  }
  static void evaluate(EvalContext& c) {
    const Tensor indices = c.input(0), on = c.input(2), off = c.input(3);
    Dims dims = indices.dims();
    const size_t axis = normalize_axis(c.attr<int64_t>("axis"), dims.size() + 1, "attribute 'axis'");
    const int64_t depth = c.input(1).to_ints().at(0);
    require(depth >= 0 && on.size() == 1 && off.size() == 1 && on.type() == off.type(), "depth is ", depth,
            ", on_value ", on.shape(), " and off_value ", off.shape());
    dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis), depth);
    if (is_packed(on.type())) no_values_for(on.type());
    const auto out = create_grown(c, on.type(), dims, indices.bytes());
    const size_t width = width_of(on.type()), n = out.first.size();
    const auto to = static_cast<char*>(out.second);
    for (size_t i = 0; i < n; ++i) std::memcpy(to + i * width, off.data(), width);
    const auto inner = static_cast<size_t>(dense_strides(dims)[axis]);
    for (size_t i = 0; i < indices.size() && n > 0; ++i) {
      const int64_t at = indices.integer(i);
      if (at < 0 || at >= depth) continue;
      const size_t place =
          (i / inner * static_cast<size_t>(depth) + static_cast<size_t>(at)) * inner + i % inner;
      std::memcpy(to + place * width, on.data(), width);
    }
    c.output(0, out.first);
  }
};

void register_one_hot(Registry& r) { r.operation<OneHot>(); }

}  // namespace mo::opset
