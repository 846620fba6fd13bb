// GatherElements: each index chooses along the axis, the other coordinates are its own. The runtime takes no
// index below 0 for one that counts from the end.
#include "support/limits.hpp"
#include "support/movement.hpp"

namespace mo::opset {

struct GatherElements {
  static constexpr std::string_view type = "GatherElements", opset = "opset6";
  static void schema(OpSchema& s) {
    s.doc("out[i][j] = data[indices[i][j]][j] for axis 0")
        .input("data", Role::data)
        .input("indices", Role::data, integer_types)
        .outputs(1)
        .attr<int64_t>("axis")
        .role(Role::axes);
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(
        n,
        {{"constant indices count from the start", "2023.3",
          "ngraph/core/reference/include/ngraph/runtime/reference/gather_elements.hpp:37", from_start<1>},
         {"indices are i32 or i64", "", "src/core/src/op/gather_elements.cpp of 2025", are_i32_or_i64<1>}});
  }
  // An element for each of the indices.
  static void symbols(SymbolsContext& c) { c.output(0, c.dims(1)); }
  static void infer(InferContext& c) {
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
    const auto places = c.ints(1);
    const ElementType t = c.type(0);
    if (places && may_have_bounds(t, out) && may_have_bounds(t, data) && bounds_wanted(c, {0})) {
      const auto from = *intervals(c, 0);
      std::vector<Interval> list(places->size());
      move(data.to_static(), out.to_static(), normalize_axis(axis_value, out.size()), *places, from.data(),
           list.data(), sizeof(Interval));
      return output_intervals(c, 0, t, out, list);
    }
    c.output(0, t, out);
  }
  static void evaluate(EvalContext& c) {
    const Tensor given = c.input(0), data = in_bytes(c, given), indices = c.input(1);
    const Dims in = data.dims(), out = indices.dims();
    const size_t axis = normalize_axis(c.attr<int64_t>("axis"), in.size());
    for (size_t i = 0; i < in.size(); ++i)
      require(in.size() == out.size() && (i == axis || in[i] == out[i]), "indices of shape ", indices.shape(),
              " do not fit data of shape ", data.shape());
    const size_t width = width_of(data.type());
    const auto result = create_grown(c, data.type(), out, data.bytes() + indices.bytes());
    move(in, out, axis, indices.to_ints(), data.data(), result.second, width);
    c.output(0, of_type(c, result.first, given.type()));
  }

 private:
  static void move(const Dims& in, const Dims& out, size_t axis, const Dims& indices, const void* data,
                   void* to, size_t width) {
    const int64_t inner = dense_strides(in)[axis];
    for (size_t i = 0; i < indices.size(); ++i) {
      const int64_t at = indices[i];
      require(at >= 0 && at < in[axis], "index ", at, " is outside of 0 to ", in[axis] - 1);
      const auto place = static_cast<int64_t>(i);
      const int64_t block = place / inner / out[axis];
      const int64_t from = (block * in[axis] + at) * inner + place % inner;
      std::memcpy(static_cast<char*>(to) + i * width,
                  static_cast<const char*>(data) + static_cast<size_t>(from) * width, width);
    }
  }
};

void register_gather_elements(Registry& r) { r.operation<GatherElements>(); }

}  // namespace mo::opset
