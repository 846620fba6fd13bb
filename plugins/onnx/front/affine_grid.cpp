#include "support/build.hpp"

namespace mo::onnx {

namespace affine_grid {

// -1 to 1 over `size` places: the ends are the middles of the outer ones, or their outer edges.
static OutPort places(const Build& b, const OutPort& size, const OutPort& like, bool corners) {
  const auto op = [&](std::string_view t, const OutPort& l, const OutPort& r) {
    return b.op(t, "opset1", {l, r});
  };
  const OutPort count = b.squeeze(size, {0});
  const auto number = [&](const OutPort& x) {
    return like.type() == ElementType::unknown ? b.op("ConvertLike", "opset1", {x, like})
                                               : b.convert(x, like.type());
  };
  const OutPort index = number(b.range(b.integer(0), count, 1)), two = b.like(like, 2), one = b.like(like, 1);
  if (!corners) {
    const OutPort middle = op("Add", op("Multiply", index, two), one);
    return op("Subtract", op("Divide", middle, number(count)), one);
  }
  // One place alone is at -1.
  const OutPort steps = op("Maximum", op("Subtract", count, b.integer(1)), b.integer(1));
  return op("Subtract", op("Divide", op("Multiply", index, two), number(steps)), one);
}

}  // namespace affine_grid

// theta [N, 2, 3] or [N, 3, 4] maps places of the output, the innermost dimension first, to places of the
// input.
static Ports affine_grid_of(Build& b, const SourceNode& n) {
  const OutPort theta = b.in(0), size = b.convert(b.in(1), ElementType::i64);
  const bool corners = n.native("align_corners", 0) != 0;
  std::optional<int64_t> rank;
  if (const Shape s = b.in(1).shape(); s.rank() == 1 && s[0].is_static()) rank = s[0].value();
  if (const Shape s = theta.shape(); !rank && s.rank() == 3 && s[1].is_static()) rank = s[1].value() + 2;
  require(rank == 4 || rank == 5,
          "whether the grid has 2 or 3 spatial dimensions cannot be told from the model");
  const int64_t spatial = *rank - 2;
  const OutPort sizes = b.part(size, 2, INT64_MAX);
  Ports columns;
  for (int64_t d = spatial; d-- > 0;) {
    const OutPort line = affine_grid::places(b, b.part(size, 2 + d, 3 + d), theta, corners);
    Ints shape(static_cast<size_t>(spatial - d), 1);
    shape[0] = -1;
    const Node all = b.node("Broadcast", "opset3", {b.reshape(line, b.list(shape)), sizes});
    all.set("mode", "numpy");
    columns.push_back(b.unsqueeze(all.out_port(), b.list({-1})));
  }
  const Node ones = b.node("Broadcast", "opset3", {b.like(theta, 1), b.concat({sizes, b.list({1})})});
  ones.set("mode", "numpy");
  columns.push_back(ones.out_port());
  const OutPort base = b.reshape(b.concat(columns, -1), b.list({-1, spatial + 1}));
  const Node moved = b.node("MatMul", "opset1", {base, theta});
  moved.set("transpose_a", false).set("transpose_b", true);
  return {b.reshape(moved.out_port(), b.concat({b.part(size, 0, 1), sizes, b.list({spatial})}))};
}

void register_affine_grid(Registry& r) {
  replace<affine_grid_of>(r, {"AffineGrid", "AffineGrid(theta, size)", "Reshape(MatMul(places, theta))"});
}

}  // namespace mo::onnx
