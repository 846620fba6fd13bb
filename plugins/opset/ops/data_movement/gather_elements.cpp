// GatherElements: each index chooses along the axis, the other coordinates are its own.
#include "support/movement.hpp"

namespace mo::opset {

struct GatherElements {
  static constexpr std::string_view type = "GatherElements", opset = "opset6";
  static void schema(OpSchema& s) {
    s.doc("out[i][j] = data[indices[i][j]][j] for axis 0").inputs(2).outputs(1).attr<int64_t>("axis");
  }
  static void infer(InferContext& c) {
    require_integer(c, 1);
    const Shape data = c.shape(0), indices = c.shape(1);
    const int64_t axis_value = c.attr<int64_t>("axis");
    Shape out = indices.has_rank() ? indices : data.has_rank() ? Shape::of_rank(data.size()) : data;
    if (out.has_rank()) {
      require_rank(data, "the data", out.rank());
      const size_t axis = normalize_axis(axis_value, out.size());
      for (size_t i = 0; data.has_rank() && i < out.size(); ++i)
        if (i != axis)
          out[i] = same_dim(out[i], data[i], text("dimension ", i, " of the indices and of the data"));
    }
    c.output(0, c.type(0), out);
  }
  static void evaluate(EvalContext& c) {
    const Tensor given = c.input(0), data = in_bytes(c, given), indices = c.input(1);
    const Dims in = data.dims(), out = indices.dims(), strides = dense_strides(in);
    const size_t axis = normalize_axis(c.attr<int64_t>("axis"), in.size());
    for (size_t i = 0; i < in.size(); ++i)
      require(in.size() == out.size() && (i == axis || in[i] == out[i]), "indices of shape ", indices.shape(),
              " do not fit data of shape ", data.shape());
    const size_t width = width_of(data.type());
    const auto result = create_grown(c, data.type(), out, data.bytes() + indices.bytes());
    const auto inner = strides[axis];
    const auto n = static_cast<int64_t>(indices.size());
    for (int64_t i = 0; i < n; ++i) {
      int64_t at = indices.integer(static_cast<size_t>(i));
      require(at >= -in[axis] && at < in[axis], "index ", at, " is outside of ", -in[axis], " to ",
              in[axis] - 1);
      if (at < 0) at += in[axis];
      const int64_t block = i / inner / out[axis];
      const int64_t from = (block * in[axis] + at) * inner + i % inner;
      std::memcpy(static_cast<char*>(result.second) + static_cast<size_t>(i) * width,
                  static_cast<const char*>(data.data()) + static_cast<size_t>(from) * width, width);
    }
    c.output(0, of_type(c, result.first, given.type()));
  }
};

void register_gather_elements(Registry& r) { r.operation<GatherElements>(); }

}  // namespace mo::opset
