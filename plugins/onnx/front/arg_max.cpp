#include "support/build.hpp"

namespace mo::onnx {

static OutPort reversed(const Build& b, const OutPort& x, int64_t axis) {
  // The entry for the axis stands last, or first behind an ellipsis.
  const auto n = static_cast<size_t>(axis < 0 ? 1 - axis : axis + 1);
  const size_t at = axis < 0 ? 1 : static_cast<size_t>(axis);
  Ints stride(n, 1), ellipsis(n, 0);
  stride[at] = -1;
  if (axis < 0) ellipsis[0] = 1;
  const Node s =
      b.node("StridedSlice", "opset1", {x, b.list(Ints(n, 0)), b.list(Ints(n, 0)), b.list(stride)});
  s.set("begin_mask", Ints(n, 1)).set("end_mask", Ints(n, 1)).set("ellipsis_mask", ellipsis);
  s.set("new_axis_mask", Ints(n, 0)).set("shrink_axis_mask", Ints(n, 0));
  return s.out_port();
}

static Ports arg_extreme(const Build& b, const SourceNode& n, std::string_view mode) {
  const auto axis = axis_of(n, 0);
  const bool last = n.native("select_last_index", 0) != 0;
  const OutPort x = last ? reversed(b, b.in(0), axis) : b.in(0);
  const Node top = b.node("TopK", "opset3", {x, b.integer(1)}, 2);
  top.set("axis", axis).set("mode", mode).set("sort", "value").set("index_element_type", ElementType::i64);
  OutPort index = top.out_port(1);
  if (last) index = b.subtract(b.op("Subtract", "opset1", {b.dim(b.in(0), axis), b.list({1})}), index);
  return {n.native("keepdims", 1) != 0 ? index : b.squeeze(index, {axis})};
}

static Ports arg_max(Build& b, const SourceNode& n) { return arg_extreme(b, n, "max"); }
static Ports arg_min(Build& b, const SourceNode& n) { return arg_extreme(b, n, "min"); }

// k is an attribute in version 1.
static Ports top_k(Build& b, const SourceNode& n) {
  const OutPort k = b.has(1) ? as_scalar(b, b.in(1)) : b.integer(n.native<int64_t>("k"));
  const Node top = b.node("TopK", "opset3", {b.in(0), k}, 2);
  top.set("axis", axis_of(n, -1)).set("mode", n.native("largest", 1) != 0 ? "max" : "min");
  top.set("sort", n.native("sorted", 1) != 0 ? "value" : "none").set("index_element_type", ElementType::i64);
  return {top.out_port(0), top.out_port(1)};
}

void register_arg_max(Registry& r) {
  replace<arg_max>(r, {"ArgMax", "ArgMax(x)", "Squeeze(TopK(x, 1).1)"});
  replace<arg_min>(r, {"ArgMin", "ArgMin(x)", "Squeeze(TopK(x, 1).1)"});
  replace<top_k>(r, {"TopK", "TopK(x, k)", "TopK(x, k)"});
}

}  // namespace mo::onnx
