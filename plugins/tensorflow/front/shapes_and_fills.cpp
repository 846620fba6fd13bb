// Shapes as tensors, tensors made from shapes, and dimensions of 1.
#include "support/known.hpp"

namespace mo::tensorflow {

namespace shaping {

static OutPort typed_shape(const Build& b, const OutPort& x, ElementType type) {
  return b.node("ShapeOf", "opset3", {x}).set("output_type", type).out_port();
}

}  // namespace shaping

static Ports shape_n(Build& b, const SourceNode& n) {
  const auto type = n.native("out_type", ElementType::i32);
  Ports shapes;
  for (size_t i = 0; i < n.in_count(); ++i) shapes.push_back(shaping::typed_shape(b, b.in(i), type));
  return shapes;
}

static Ports size(Build& b, const SourceNode& n) {
  const OutPort shape = shaping::typed_shape(b, b.in(0), n.native("out_type", ElementType::i32));
  return {b.reduce("ReduceProd", shape, b.list({0}), false)};
}

static Ports rank(Build& b, const SourceNode&) {
  if (const Shape s = b.in(0).shape(); s.has_rank())
    return {b.constant(Tensor::scalar<int32_t>(b.context(), static_cast<int32_t>(s.rank())))};
  return {b.convert(b.rank(b.in(0)), ElementType::i32)};
}

static Ports squeeze(Build& b, const SourceNode& n) {
  const auto dims = n.find_native<Ints>("squeeze_dims").value_or(Ints{});
  return {dims.empty() ? b.op("Squeeze", "opset1", {b.in(0)}) : b.squeeze(b.in(0), dims)};
}

static Ports expand_dims(Build& b, const SourceNode&) {
  const auto axis = b.ints(1);
  return {b.unsqueeze(b.in(0), axis ? b.list(*axis) : b.reshape(b.in(1), {-1}))};
}

static Ports fill(Build& b, const SourceNode&) { return {b.broadcast(b.in(1), b.in(0))}; }

// What is in it is not defined; zeros are asked for by an attribute.
static Ports empty(Build& b, const SourceNode& n) {
  const auto type = n.native<ElementType>("dtype");
  return {b.broadcast(b.constant(Tensor::filled(b.context(), type, {0}, {})), b.in(0))};
}

template <int Value>
static Ports filled_like(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  const ElementType type = x.type() != ElementType::unknown ? x.type() : n.out_port().type();
  const OutPort value = type == ElementType::unknown
                            ? b.like(x, Value)
                            : b.constant(Tensor::filled(b.context(), type, {Value}, {}));
  return {b.broadcast(value, b.shape_of(x))};
}

// The shape that two shapes give together.
static Ports broadcast_args(Build& b, const SourceNode& n) {
  const OutPort both = b.broadcast(b.broadcast(b.integer(0), b.in(0)), b.in(1), "bidirectional");
  const ElementType type = n.native("T", ElementType::i32);
  return {shaping::typed_shape(b, both, type)};
}

// Numbers at equal distances, the last one `stop`.
static Ports lin_space(Build& b, const SourceNode& n) {
  const ElementType type = n.native("T", ElementType::f32);
  const auto op = [&](std::string_view t, const OutPort& l, const OutPort& r) {
    return b.op(t, "opset1", {l, r});
  };
  const OutPort count = b.convert(b.in(2), ElementType::i64);
  const OutPort last = op("Subtract", count, b.integer(1));
  const OutPort places = b.convert(b.range(b.integer(0), count, 1), type);
  const OutPort steps = b.convert(op("Maximum", last, b.integer(1)), type);
  const OutPort distance = op("Divide", op("Subtract", b.in(1), b.in(0)), steps);
  return {op("Add", b.in(0), op("Multiply", places, distance))};
}

static Ports one_hot(Build& b, const SourceNode& n) {
  const Node hot = b.node("OneHot", "opset1", {b.in(0), b.in(1), b.in(2), b.in(3)});
  hot.set("axis", n.native("axis", -1));
  return {hot.out_port()};
}

void register_shapes_and_fills(Registry& r) {
  replace<shape_n>(r, {"ShapeN", "ShapeN(a, b)", "ShapeOf(a), ShapeOf(b)"});
  replace<size>(r, {"Size", "Size(x)", "ReduceProd(ShapeOf(x))"});
  replace<rank>(r, {"Rank", "Rank(x)", "ShapeOf(ShapeOf(x))"});
  replace<squeeze>(r, {"Squeeze", "Squeeze(x)", "Squeeze(x, axes)"});
  replace<expand_dims>(r, {"ExpandDims", "ExpandDims(x, axis)", "Unsqueeze(x, axis)"});
  replace<fill>(r, {"Fill", "Fill(shape, value)", "Broadcast(value, shape)"});
  replace<empty>(r, {"Empty", "Empty(shape)", "Broadcast(0, shape)"});
  replace<filled_like<0>>(r, {"ZerosLike", "ZerosLike(x)", "Broadcast(0, ShapeOf(x))"});
  replace<filled_like<1>>(r, {"OnesLike", "OnesLike(x)", "Broadcast(1, ShapeOf(x))"});
  replace<broadcast_args>(r,
                          {"BroadcastArgs", "BroadcastArgs(s, t)", "ShapeOf(Broadcast(Broadcast(0, s), t))"});
  replace<lin_space>(
      r, {"LinSpace", "LinSpace(start, stop, count)", "Add(start, Multiply(Range(count), step))"});
  replace<one_hot>(r, {"OneHot", "OneHot(x, depth, on, off)", "OneHot(x, depth, on, off)"});
}

}  // namespace mo::tensorflow
