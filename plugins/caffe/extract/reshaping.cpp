// Layers that give their elements another shape: Flatten, Reshape, Permute, Tile.
#include "support/convert_layers.hpp"

namespace mo::caffe {

namespace reshaping {

static Ports flatten(Layer& l) {
  const OutPort x = l.in(0);
  const size_t first = l.axis(l.integer("flatten_param.axis", 1), x, "axis");
  const int64_t end = l.integer("flatten_param.end_axis", -1);
  Ints dims(first, 0);
  if (end == -1) {
    dims.push_back(-1);
    return {l.reshape(x, dims)};
  }
  const size_t rank = l.rank(x), last = l.axis(end, x, "end_axis");
  require(first <= last && last < rank, "axis is ", first, " and end_axis ", last, "; it reads a blob of ",
          rank, " dimensions");
  dims.push_back(-1);
  for (size_t i = last + 1; i < rank; ++i) dims.push_back(l.dim(x, i));
  return {l.reshape(x, dims)};
}

static Ports reshape(Layer& l) {
  const OutPort x = l.in(0);
  const Ints wanted = l.integers("reshape_param.shape.dim");
  // A negative axis counts the places between dimensions, -1 is the one behind the last (reshape_layer.cpp).
  const int64_t stated = l.integer("reshape_param.axis", 0);
  const size_t first = stated == -1 ? l.rank(x) : l.axis(stated < 0 ? stated + 1 : stated, x, "axis");
  const int64_t axes = l.integer("reshape_param.num_axes", -1);
  Ints dims(first, 0);
  for (const int64_t d : wanted) {
    require(d >= -1, "a dimension of its shape is ", d);
    dims.push_back(d);
  }
  if (axes < 0) return {l.reshape(x, dims)};
  const size_t rank = l.rank(x);
  require(first + static_cast<size_t>(axes) <= rank, "axis and num_axes are beyond its blob of ", rank,
          " dimensions");
  for (size_t i = first + static_cast<size_t>(axes); i < rank; ++i) dims.push_back(l.dim(x, i));
  return {l.reshape(x, dims)};
}

static Ports permute(Layer& l) {
  const OutPort x = l.in(0);
  Ints order = l.integers("permute_param.order");
  const size_t rank = l.rank(x);
  std::vector<bool> used(rank, false);
  for (const int64_t o : order) {
    require(o >= 0 && o < static_cast<int64_t>(rank) && !used[static_cast<size_t>(o)], "its order is ", order,
            " for a blob of ", rank, " dimensions");
    used[static_cast<size_t>(o)] = true;
  }
  for (size_t i = 0; i < rank; ++i)
    if (!used[i]) order.push_back(static_cast<int64_t>(i));
  return {l.op("Transpose", "opset1", {x, l.list(order)})};
}

static Ports tile(Layer& l) {
  const OutPort x = l.in(0);
  const int64_t tiles = l.integer("tile_param.tiles", 0);
  require(tiles > 0, "tiles is missing");
  const size_t rank = l.rank(x), axis = l.axis(l.integer("tile_param.axis", 1), x, "axis");
  require(axis < rank, "its axis is ", axis, ", but it reads a blob of ", rank, " dimensions");
  Ints repeats(rank, 1);
  repeats[axis] = tiles;
  return {l.op("Tile", "opset1", {x, l.list(repeats)})};
}

}  // namespace reshaping

void register_reshaping(Items& items) {
  items.layer("Flatten", &reshaping::flatten);
  items.layer("Reshape", &reshaping::reshape);
  items.layer("Permute", &reshaping::permute);
  items.layer("Tile", &reshaping::tile);
}

}  // namespace mo::caffe
