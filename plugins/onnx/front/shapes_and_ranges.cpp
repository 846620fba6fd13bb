#include "support/build.hpp"
#include "support/early_rank.hpp"

namespace mo::onnx {

// From version 15 on a part of the shape may be asked for.
static Ports part_of_shape(Build& b, const SourceNode& n) {
  const auto start = n.native("start", 0);
  const auto end = n.find_native<int64_t>("end").value_or(INT64_MAX);
  return {b.part(b.shape_of(b.in(0)), start, end)};
}

static Ports size(Build& b, const SourceNode&) {
  return {b.reduce("ReduceProd", b.shape_of(b.in(0)), b.list({0}), false)};
}

static Ports constant_of_shape(Build& b, const SourceNode& n) {
  const auto value = n.find_native<Tensor>("value");
  require(!value || value->size() == 1, "attribute 'value' must have one element");
  const OutPort scalar =
      b.constant(value ? value->reshaped(b.context(), {}) : Tensor::scalar<float>(b.context(), 0));
  const Node filled = b.node("Broadcast", "opset3", {scalar, b.in(0)});
  filled.set("mode", "numpy");
  return {filled.out_port()};
}

static Ports range(Build& b, const SourceNode&) {
  const Node n =
      b.node("Range", "opset4", {as_scalar(b, b.in(0)), as_scalar(b, b.in(1)), as_scalar(b, b.in(2))});
  ElementType type = ElementType::unknown;
  for (size_t i = 0; i < 3 && type == ElementType::unknown; ++i) type = b.in(i).type();
  require(type != ElementType::unknown, "its element type cannot be told from the model");
  n.set("output_type", type);
  return {n.out_port()};
}

static Ports cum_sum(Build& b, const SourceNode& n) {
  const Node sum = b.node("CumSum", "opset3", {b.in(0), as_scalar(b, b.in(1))});
  sum.set("exclusive", n.native("exclusive", 0) != 0).set("reverse", n.native("reverse", 0) != 0);
  return {sum.out_port()};
}

void register_shapes_and_ranges(Registry& r) {
  replace<part_of_shape>(r, {"Shape", "Shape(x)", "StridedSlice(ShapeOf(x))"});
  replace<size>(r, {"Size", "Size(x)", "ReduceProd(ShapeOf(x))"});
  replace<constant_of_shape>(r, {"ConstantOfShape", "ConstantOfShape(shape)", "Broadcast(value, shape)"});
  replace<range>(r, {"Range", "Range(start, limit, delta)", "Range(start, limit, delta)"});
  says_rank({"CumSum"}, Rank::kept);
  replace<cum_sum>(r, {"CumSum", "CumSum(x, axis)", "CumSum(x, axis)"});
}

}  // namespace mo::onnx
