// Layers that give their elements another shape: Flatten, Reshape, Permute, Tile.
#include "support/registering.hpp"

namespace mo::caffe {

namespace reshaping {

static Ports flatten(Build& b, const SourceNode& l) {
  const OutPort x = bottom(l, 0);
  const size_t first = axis_of(integer(l, "flatten_param.axis", 1), x, "axis");
  const int64_t end = integer(l, "flatten_param.end_axis", -1);
  Ints dims(first, 0);
  if (end == -1) {
    dims.push_back(-1);
    return {reshaped(b, x, dims)};
  }
  const size_t rank = rank_of(x), last = axis_of(end, x, "end_axis");
  require(first <= last && last < rank, "axis is ", first, " and end_axis ", last, "; it reads a blob of ",
          rank, " dimensions");
  dims.push_back(-1);
  for (size_t i = last + 1; i < rank; ++i) dims.push_back(dim_of(x, i));
  return {reshaped(b, x, dims)};
}

static Ports reshape(Build& b, const SourceNode& l) {
  const OutPort x = bottom(l, 0);
  const Ints wanted = integers(l, "reshape_param.shape.dim");
  // A negative axis counts the places between dimensions, -1 is the one behind the last (reshape_layer.cpp).
  const int64_t stated = integer(l, "reshape_param.axis", 0);
  const size_t first = stated == -1 ? rank_of(x) : axis_of(stated < 0 ? stated + 1 : stated, x, "axis");
  const int64_t axes = integer(l, "reshape_param.num_axes", -1);
  Ints dims(first, 0);
  for (const int64_t d : wanted) {
    require(d >= -1, "a dimension of its shape is ", d);
    dims.push_back(d);
  }
  if (axes < 0) return {reshaped(b, x, dims)};
  const size_t rank = rank_of(x);
  require(first + static_cast<size_t>(axes) <= rank, "axis and num_axes are beyond its blob of ", rank,
          " dimensions");
  for (size_t i = first + static_cast<size_t>(axes); i < rank; ++i) dims.push_back(dim_of(x, i));
  return {reshaped(b, x, dims)};
}

static Ports permute(Build& b, const SourceNode& l) {
  const OutPort x = bottom(l, 0);
  Ints order = integers(l, "permute_param.order");
  const size_t rank = rank_of(x);
  std::vector<bool> used(rank, false);
  for (const int64_t o : order) {
    require(o >= 0 && o < static_cast<int64_t>(rank) && !used[static_cast<size_t>(o)], "its order is ", order,
            " for a blob of ", rank, " dimensions");
    used[static_cast<size_t>(o)] = true;
  }
  for (size_t i = 0; i < rank; ++i)
    if (!used[i]) order.push_back(static_cast<int64_t>(i));
  return {b.op("Transpose", "opset1", {x, b.list(order)})};
}

static Ports tile(Build& b, const SourceNode& l) {
  const OutPort x = bottom(l, 0);
  const int64_t tiles = integer(l, "tile_param.tiles", 0);
  require(tiles > 0, "tiles is missing");
  const size_t rank = rank_of(x), axis = axis_of(integer(l, "tile_param.axis", 1), x, "axis");
  require(axis < rank, "its axis is ", axis, ", but it reads a blob of ", rank, " dimensions");
  Ints repeats(rank, 1);
  repeats[axis] = tiles;
  return {b.op("Tile", "opset1", {x, b.list(repeats)})};
}

}  // namespace reshaping

void register_reshaping(Registry& r) {
  convert<reshaping::flatten>(r, "Flatten", "Flatten(x)", "Reshape(x, shape)");
  convert<reshaping::reshape>(r, "Reshape", "Reshape(x)", "Reshape(x, shape)");
  convert<reshaping::permute>(r, "Permute", "Permute(x)", "Transpose(x, order)");
  convert<reshaping::tile>(r, "Tile", "Tile(x)", "Tile(x, repeats)");
}

}  // namespace mo::caffe
