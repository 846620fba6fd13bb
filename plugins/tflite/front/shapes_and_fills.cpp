// Tensors in another shape, and tensors made from shapes.
#include "support/build.hpp"

namespace mo::tflite {

namespace shaping {

static OutPort typed_shape(const Build& b, const OutPort& x, ElementType type) {
  const Node s = b.node("ShapeOf", "opset3", {x});
  s.set("output_type", type == ElementType::i64 ? type : ElementType::i32);
  return s.out_port();
}

}  // namespace shaping

// The second input wins over the option; one of [0] was a scalar once. A complex tensor keeps its last
// dimension.
static Ports reshape(Build& b, const SourceNode& n) {
  OutPort shape;
  if (b.has(1)) {
    const auto dims = b.ints(1);
    shape = dims ? b.list(*dims) : b.convert(b.in(1), ElementType::i64);
  } else {
    auto dims = n.native<Ints>("new_shape");
    if (dims == Ints{0}) dims.clear();
    shape = b.list(dims);
  }
  if (n.native("complex", false)) shape = b.concat({shape, b.list({2})});
  return {b.reshape(b.in(0), shape)};
}

// Dimensions counted from the end: a complex tensor has one more there.
static Ints counted(const SourceNode& n, Ints dims) {
  if (n.native("complex", false))
    for (int64_t& d : dims) d -= d < 0 ? 1 : 0;
  return dims;
}

static Ports squeeze(Build& b, const SourceNode& n) {
  const auto dims = counted(n, n.find_native<Ints>("squeeze_dims").value_or(Ints{}));
  return {dims.empty() ? op1(b, "Squeeze", {b.in(0)}) : b.squeeze(b.in(0), dims)};
}

static Ports expand_dims(Build& b, const SourceNode& n) {
  const auto axis = b.ints(1);
  require(axis || !n.native("complex", false), "the new dimension of a complex tensor must be a constant");
  return {b.unsqueeze(b.in(0), axis ? b.list(counted(n, *axis)) : b.reshape(b.in(1), {-1}))};
}

static Ports rank(Build& b, const SourceNode& n) {
  return {b.convert(b.constant(Tensor::scalar<int64_t>(b.context(), rank_of(b, n, 0))), ElementType::i32)};
}

static Ports fill(Build& b, const SourceNode&) { return {b.broadcast(b.in(1), b.in(0))}; }

static Ports zeros_like(Build& b, const SourceNode&) {
  return {b.broadcast(b.like(b.in(0), 0), b.shape_of(b.in(0)))};
}

// The shape that two shapes give together.
static Ports broadcast_args(Build& b, const SourceNode& n) {
  const OutPort both = b.broadcast(b.broadcast(b.integer(0), b.in(0)), b.in(1), "bidirectional");
  return {shaping::typed_shape(b, both, n.out_port().type())};
}

static Ports range(Build& b, const SourceNode& n) {
  const Node r = b.node("Range", "opset4", {b.in(0), b.in(1), b.in(2)});
  r.set("output_type", n.out_port().type());
  return {r.out_port()};
}

static Ports concatenation(Build& b, const SourceNode& n) {
  Ports parts;
  for (size_t i = 0; i < n.in_count(); ++i) parts.push_back(b.in(i));
  require(!parts.empty(), "it has nothing to join");
  if (parts.size() == 1 && n.native("fused_activation_function", "NONE") == "NONE")
    return bypass(n, parts.front());
  return {activated(b, n, b.concat(parts, n.native("axis", 0)))};
}

static Ports pack(Build& b, const SourceNode& n) {
  const auto axis = n.native("axis", 0);
  Ports parts;
  for (size_t i = 0; i < n.in_count(); ++i) parts.push_back(b.unsqueeze(b.in(i), b.list({axis})));
  require(!parts.empty(), "it has nothing to join");
  return {b.concat(parts, axis)};
}

static Ports one_hot(Build& b, const SourceNode& n) {
  const Node hot = b.node("OneHot", "opset1", {b.in(0), b.in(1), b.in(2), b.in(3)});
  hot.set("axis", n.native("axis", -1));
  return {hot.out_port()};
}

// x on the main diagonals of square matrices.
static Ports matrix_diag(Build& b, const SourceNode&) {
  const OutPort x = b.in(0), count = b.range(b.integer(0), b.squeeze(b.dim(x, -1), {0}), 1);
  const OutPort eye = op1(b, "Equal", {b.unsqueeze(count, b.list({1})), count});
  return {b.select(eye, b.unsqueeze(x, b.list({-1})), b.like(x, 0))};
}

// The second input on the main diagonals of the matrices of the first.
static Ports matrix_set_diag(Build& b, const SourceNode&) {
  const OutPort x = b.in(0);
  const auto count = [&](int64_t axis) { return b.range(b.integer(0), b.squeeze(b.dim(x, axis), {0}), 1); };
  const OutPort rows = b.unsqueeze(count(-2), b.list({1})), columns = count(-1);
  const OutPort least = op1(b, "Minimum", {b.dim(x, -2), b.dim(x, -1)});
  const OutPort last = op1(b, "Subtract", {b.squeeze(least, {0}), b.integer(1)});
  const OutPort spread = b.gather(b.in(1), op1(b, "Minimum", {columns, last}), -1);
  return {b.select(op1(b, "Equal", {rows, columns}), b.unsqueeze(spread, b.list({-2})), x)};
}

void register_shapes_and_fills(Registry& r) {
  replace<reshape>(r, {"RESHAPE", "RESHAPE(x, shape)", "Reshape(x, shape)"});
  replace<squeeze>(r, {"SQUEEZE", "SQUEEZE(x)", "Squeeze(x, axes)"});
  replace<expand_dims>(r, {"EXPAND_DIMS", "EXPAND_DIMS(x, axis)", "Unsqueeze(x, axis)"});
  replace<rank>(r, {"RANK", "RANK(x)", "Const"});
  replace<fill>(r, {"FILL", "FILL(shape, value)", "Broadcast(value, shape)"});
  replace<zeros_like>(r, {"ZEROS_LIKE", "ZEROS_LIKE(x)", "Broadcast(0, ShapeOf(x))"});
  replace<broadcast_args>(
      r, {"BROADCAST_ARGS", "BROADCAST_ARGS(s, t)", "ShapeOf(Broadcast(Broadcast(0, s), t))"});
  replace<range>(r, {"RANGE", "RANGE(start, limit, delta)", "Range(start, limit, delta)"});
  replace<concatenation>(r, {"CONCATENATION", "CONCATENATION(a, b)", "activation(Concat(a, b))"});
  replace<pack>(r, {"PACK", "PACK(a, b)", "Concat(Unsqueeze(a), Unsqueeze(b))"});
  replace<one_hot>(r, {"ONE_HOT", "ONE_HOT(x, depth, on, off)", "OneHot(x, depth, on, off)"});
  replace<matrix_diag>(r, {"MATRIX_DIAG", "MATRIX_DIAG(x)", "Select(eye, Unsqueeze(x), 0)"});
  replace<matrix_set_diag>(r, {"MATRIX_SET_DIAG", "MATRIX_SET_DIAG(x, y)", "Select(eye, Unsqueeze(y), x)"});
}

}  // namespace mo::tflite
