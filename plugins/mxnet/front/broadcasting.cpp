// Dimensions of 1 made longer.
#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace broadcasting {

static Ports broadcast_axes(Build& b, const SourceNode& n) {
  const Ints axes = ints_of(n, "axis"), sizes = ints_of(n, "size");
  require(axes.size() == sizes.size(), "attributes 'axis' and 'size' are ", axes, " and ", sizes);
  const size_t rank = rank_of(b, b.in(0));
  Ints reps(rank, 1);
  for (size_t i = 0; i < axes.size(); ++i) reps[axis_of(b, b.in(0), axes[i])] = sizes[i];
  return {b.op("Tile", "opset1", {b.in(0), b.list(reps)})};
}

// 0 keeps a dimension.
static Ports broadcast_to(Build& b, const SourceNode& n) {
  Ports dims;
  const Ints shape = ints_of(n, "shape");
  for (size_t i = 0; i < shape.size(); ++i)
    dims.push_back(shape[i] == 0 ? b.dim(b.in(0), static_cast<int64_t>(i)) : b.list({shape[i]}));
  require(!dims.empty(), "attribute 'shape' is missing");
  return {b.broadcast(b.in(0), b.concat(dims))};
}

static Ports broadcast_like(Build& b, const SourceNode& n) {
  const Ints own = ints_of(n, "lhs_axes"), others = ints_of(n, "rhs_axes");
  if (own.empty() && others.empty()) return {b.broadcast(b.in(0), b.shape_of(b.in(1)))};
  require(own.size() == others.size(), "attributes 'lhs_axes' and 'rhs_axes' are ", own, " and ", others);
  Ports dims;
  for (size_t i = 0, end = rank_of(b, b.in(0)); i < end; ++i)
    dims.push_back(b.dim(b.in(0), static_cast<int64_t>(i)));
  for (size_t i = 0; i < own.size(); ++i)
    dims[axis_of(b, b.in(0), own[i])] = b.dim(b.in(1), static_cast<int64_t>(axis_of(b, b.in(1), others[i])));
  return {b.broadcast(b.in(0), b.concat(dims))};
}

}  // namespace broadcasting

void register_broadcasting(Registry& r) {
  convert<broadcasting::broadcast_axes>(r, "broadcast_axis broadcast_axes", "broadcast_axis(x)",
                                        "Tile(x, reps)");
  convert<broadcasting::broadcast_to>(r, "broadcast_to _np_broadcast_to", "broadcast_to(x, shape)",
                                      "Broadcast(x, shape)");
  convert<broadcasting::broadcast_like>(r, "broadcast_like", "broadcast_like(x, y)",
                                        "Broadcast(x, ShapeOf(y))");
}

}  // namespace mo::mxnet
