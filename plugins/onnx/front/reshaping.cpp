// Operators that give a tensor another shape.
#include "support/build.hpp"

namespace mo::onnx {

// In version 1 the shape is an attribute.
static Ports reshape_by_attribute(Build& b, const SourceNode& n) {
  return {b.reshape(b.in(0), b.list(n.native<Ints>("shape")), true)};
}

// The axes are an attribute up to version 12.
static OutPort axes_of(const Build& b, const SourceNode& n) {
  if (const auto list = n.find_native<Ints>("axes")) return b.list(*list);
  return b.has(1) ? b.in(1) : OutPort();
}

static Ports squeeze(Build& b, const SourceNode& n) {
  const OutPort axes = axes_of(b, n);
  return {axes ? b.op("Squeeze", "opset1", {b.in(0), axes}) : b.op("Squeeze", "opset1", {b.in(0)})};
}

static Ports unsqueeze(Build& b, const SourceNode& n) {
  const OutPort axes = axes_of(b, n);
  require(static_cast<bool>(axes), "it has neither an attribute nor an input with axes");
  return {b.unsqueeze(b.in(0), axes)};
}

static Ports transpose(Build& b, const SourceNode& n) {
  if (const auto order = n.find_native<Ints>("perm"))
    return {b.op("Transpose", "opset1", {b.in(0), b.list(*order)})};
  // Without an order the dimensions are reversed.
  const Shape s = b.in(0).shape();
  if (!s.has_rank()) {
    const OutPort last = b.op("Subtract", "opset1", {b.rank(b.in(0)), b.integer(1)});
    return {b.op("Transpose", "opset1", {b.in(0), b.range(last, b.integer(-1), -1)})};
  }
  Ints reversed;
  for (int64_t a = s.rank(); a-- > 0;) reversed.push_back(a);
  return {b.op("Transpose", "opset1", {b.in(0), b.list(reversed)})};
}

static Ports flatten(Build& b, const SourceNode& n) { return {to_matrix(b, b.in(0), axis_of(n, 1))}; }

// Up to version 5 one axis is repeated.
static Ports tile_axis(Build& b, const SourceNode&) {
  const auto i64 = [&](size_t i) { return b.reshape(b.convert(b.in(i), ElementType::i64), b.list({1})); };
  const OutPort rank = b.rank(b.in(0));
  const Node ones = b.node("Broadcast", "opset3", {b.integer(1), b.reshape(rank, b.list({1}))});
  ones.set("mode", "numpy");
  const OutPort axis = b.op("FloorMod", "opset1", {i64(2), rank});
  const OutPort repeats =
      b.op("ScatterElementsUpdate", "opset3", {ones.out_port(), axis, i64(1), b.integer(0)});
  return {b.op("Tile", "opset1", {b.in(0), repeats})};
}

void register_reshaping(Registry& r) {
  replace<reshape_by_attribute>(r, {"Reshape", "Reshape(x) of version 1", "Reshape(x, shape)"});
  replace<tile_axis>(r, {"Tile", "Tile(x, count, axis) of version 1", "Tile(x, repeats)"});
  replace<squeeze>(r, {"Squeeze", "Squeeze(x)", "Squeeze(x, axes)"});
  replace<unsqueeze>(r, {"Unsqueeze", "Unsqueeze(x)", "Unsqueeze(x, axes)"});
  replace<transpose>(r, {"Transpose", "Transpose(x)", "Transpose(x, order)"});
  replace<flatten>(r, {"Flatten", "Flatten(x)", "Reshape(x, [0, -1])"});
}

}  // namespace mo::onnx
