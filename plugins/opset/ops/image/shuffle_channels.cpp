// ShuffleChannels: groups along an axis become interleaved.
#include "support/limits.hpp"
#include "support/movement.hpp"

namespace mo::opset {

struct ShuffleChannels {
  static constexpr std::string_view type = "ShuffleChannels", opset = "opset3";
  static void schema(OpSchema& s) {
    s.doc("[groups, n] along the axis becomes [n, groups]").input("data", Role::fixed).outputs(1);
    s.attr<int64_t>("axis", 1).attr<int64_t>("group", 1);
  }
  static void ir_attrs(const Node& n, IrAttributes&) {
    check_limits(n, {{"the rank is 4 or more", "2021.4", "ngraph/core/src/op/shuffle_channels.cpp:168",
                      rank_from<0, 4>}});
  }
  static void infer(InferContext& c) {
    const int64_t group = int_attr(c, "group", 1);
    Shape shape = c.shape(0);
    if (shape.has_rank()) {
      Dim& d = shape[normalize_axis(c.attr<int64_t>("axis"), shape.size(), "attribute 'axis'")];
      const Dim each{ceil_div(Dim(d.min), group).value(), floor_div(d, group).max};
      require(each.is_unbounded() || each.min <= each.max, "attribute 'group' is ", group,
              " but the dimension is ", d);
      d = each * Dim(group);
    }
    c.output(0, c.type(0), shape);
  }
  static void evaluate(EvalContext& c) {
    const Tensor in = c.input(0);
    const Dims dims = in.dims();
    const size_t axis = normalize_axis(c.attr<int64_t>("axis"), dims.size(), "attribute 'axis'");
    const int64_t group = int_attr(c, "group", 1), n = dims[axis] / group, inner = dense_strides(dims)[axis];
    require(dims[axis] % group == 0, "attribute 'group' is ", group, " but the dimension is ", dims[axis]);
    if (in.size() == 0) return c.output(0, in);
    int64_t outer = 1;
    for (size_t i = 0; i < axis; ++i) outer *= dims[i];
    const Dims counts{outer, n, group, inner};
    c.output(0,
             moved(c, in,
                   {dims, {Copy{counts, {dims[axis] * inner, inner, n * inner, 1}, dense_strides(counts)}}}));
  }
};

void register_shuffle_channels(Registry& r) { r.operation<ShuffleChannels>(); }

}  // namespace mo::opset
