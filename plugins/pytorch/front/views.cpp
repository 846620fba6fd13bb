// Other shapes of a tensor, and other orders of its dimensions. Of complex numbers all dimensions but the one
// of the parts.
#include "support/values.hpp"

namespace mo::pytorch {

namespace views {

static OutPort reshaped(const Call& c, const OutPort& x, const OutPort& sizes) {
  OutPort shape = sizes;
  if (c.is_complex("self")) shape = c.b.concat({sizes, c.b.list({2})});
  if (const auto known = c.known(shape)) {
    // OpenVINO 2026.4 crashes where a product is reshaped to no dimensions.
    if (known->empty()) return c.rank(x) == 0 ? x : c.b.squeeze(x, counted(c.rank(x)));
    // 0 is the size of an empty dimension here, not that of the input.
    const Node n = c.b.node("Reshape", "opset1", {x, c.b.list(*known)});
    return n.set("special_zero", false).out_port();
  }
  return c.b.reshape(x, shape);
}

// One size that is computed is what is left, so that the shape is known where the others are.
static OutPort sizes(const Call& c, std::string_view name) {
  const auto stated = c.node.find_native<Ints>(name);
  if (!stated) return c.sizes(name);
  Ints list = *stated;
  size_t open = 0;
  for (int64_t& d : list)
    if (d == -1 || d == INT64_MIN) ++open, d = -1;
  const bool has_zero = std::find(list.begin(), list.end(), 0) != list.end();
  return open <= 1 && !has_zero ? c.b.list(list) : c.sizes(name);
}

template <char Which>
static Ports view(const Call& c) {
  return {reshaped(c, c.tensor("self"), sizes(c, Which == 'v' ? "size" : "shape"))};
}

static Ports view_as(const Call& c) {
  OutPort shape = c.b.shape_of(c.tensor("other"));
  if (c.is_complex("other")) shape = c.b.part(shape, INT64_MIN, -1);
  return {reshaped(c, c.tensor("self"), shape)};
}

static size_t rank_of(const Call& c) { return c.rank("self") - (c.is_complex("self") ? 1 : 0); }

static OutPort ordered(const Call& c, Ints order) {
  if (c.is_complex("self")) order.push_back(static_cast<int64_t>(order.size()));
  if (std::is_sorted(order.begin(), order.end())) return c.tensor("self");
  return c.b.transpose(c.tensor("self"), order);
}

static Ports permute(const Call& c) {
  const size_t rank = rank_of(c);
  Ints order = c.ints("dims");
  require(order.size() == rank, "argument 'dims' is ", order, ", but the tensor has ", rank, " dimensions");
  for (int64_t& d : order) d = static_cast<int64_t>(normalize_axis(d, rank, "argument 'dims'"));
  return {ordered(c, order)};
}

static Ports swapped(const Call& c, std::string_view first, std::string_view second) {
  const size_t rank = rank_of(c);
  if (rank == 0) return {c.tensor("self")};
  Ints order = counted(rank);
  std::swap(order[c.axis(first, 0, rank)], order[c.axis(second, 0, rank)]);
  return {ordered(c, order)};
}
static Ports transpose(const Call& c) { return swapped(c, "dim0", "dim1"); }
static Ports swap_axes(const Call& c) { return swapped(c, "axis0", "axis1"); }

static Ports last_two(const Call& c) {
  const size_t rank = rank_of(c);
  if (rank < 2) return {c.tensor("self")};
  Ints order = counted(rank);
  std::swap(order[rank - 1], order[rank - 2]);
  return {ordered(c, order)};
}

static Ports adjoint(const Call& c) {
  const OutPort y = last_two(c).front();
  return {c.is_complex("self") ? conjugate(c, y) : y};
}

static Ports all_reversed(const Call& c) {
  Ints order = counted(rank_of(c));
  std::reverse(order.begin(), order.end());
  return {ordered(c, order)};
}

static Ports move_dims(const Call& c) {
  const size_t rank = rank_of(c);
  Ints from = c.ints("source"), to = c.ints("destination");
  require(from.size() == to.size(), "arguments 'source' and 'destination' are ", from, " and ", to);
  Ints order(rank, -1);
  std::vector<bool> moves(rank, false);
  for (size_t i = 0; i < from.size(); ++i) {
    const size_t source = normalize_axis(from[i], rank, "argument 'source'");
    order[normalize_axis(to[i], rank, "argument 'destination'")] = static_cast<int64_t>(source);
    moves[source] = true;
  }
  size_t next = 0;
  for (int64_t& d : order) {
    if (d != -1) continue;
    while (next < rank && moves[next]) ++next;
    require(next < rank, "arguments 'source' and 'destination' are ", from, " and ", to);
    d = static_cast<int64_t>(next++);
  }
  return {ordered(c, order)};
}

static Ports unsqueeze(const Call& c) {
  const auto axis = static_cast<int64_t>(c.axis("dim", 0, rank_of(c) + 1));
  return {c.b.unsqueeze(c.tensor("self"), c.b.list({axis}))};
}

// Dimensions that are not 1 stay, and so do those that may have another size: torch takes a size that it
// does not know for another one.
static Ports squeeze(const Call& c) {
  const OutPort x = c.tensor("self");
  const size_t rank = rank_of(c);
  const Shape s = x.shape();
  Ints gone;
  for (const int64_t a : c.axes("dim", rank))
    if (s[static_cast<size_t>(a)] == Dim(1)) gone.push_back(a);
  return {gone.empty() ? x : c.b.squeeze(x, gone)};
}

static Ports flatten(const Call& c) {
  const OutPort x = c.tensor("self");
  const size_t rank = rank_of(c);
  if (rank == 0) return {c.b.reshape(x, Ints{1})};
  const size_t first = c.axis("start_dim", 0, rank), last = c.axis("end_dim", -1, rank);
  require(first <= last, "arguments 'start_dim' and 'end_dim' are ", first, " and ", last);
  if (first == last) return {x};
  Ports parts;
  if (first > 0) parts.push_back(c.b.part(c.b.shape_of(x), 0, static_cast<int64_t>(first)));
  parts.push_back(c.b.list({-1}));
  if (last + 1 < rank)
    parts.push_back(c.b.part(c.b.shape_of(x), static_cast<int64_t>(last) + 1, static_cast<int64_t>(rank)));
  return {reshaped(c, x, c.b.concat(parts))};
}

static Ports unflatten(const Call& c) {
  const OutPort x = c.tensor("self");
  const size_t rank = rank_of(c);
  const auto axis = static_cast<int64_t>(c.axis("dim", 0, rank));
  const OutPort shape = c.b.shape_of(x);
  Ports parts;
  if (axis > 0) parts.push_back(c.b.part(shape, 0, axis));
  parts.push_back(c.sizes("sizes"));
  if (axis + 1 < static_cast<int64_t>(rank))
    parts.push_back(c.b.part(shape, axis + 1, static_cast<int64_t>(rank)));
  return {reshaped(c, x, c.b.concat(parts))};
}

static Ports expanded(const Call& c, const OutPort& sizes) {
  OutPort shape = sizes;
  if (c.is_complex("self")) shape = c.b.concat({sizes, c.b.list({2})});
  return {c.b.broadcast(c.tensor("self"), shape, "bidirectional")};
}
// -1 keeps a size: against 1 it does not change.
static Ports expand(const Call& c) { return expanded(c, c.sizes("size", 1)); }
static Ports expand_as(const Call& c) {
  OutPort shape = c.b.shape_of(c.tensor("other"));
  if (c.is_complex("other")) shape = c.b.part(shape, INT64_MIN, -1);
  return expanded(c, shape);
}

static OutPort common_shape(const Call& c, const Ports& all) {
  // Zeros that are as large as all of them together.
  OutPort sum;
  for (const OutPort& x : all) {
    const OutPort truth = c.b.broadcast(c.b.integer(0), c.b.shape_of(x));
    sum = sum ? c.b.add(sum, truth) : truth;
  }
  return c.b.shape_of(sum);
}
static Ports broadcast_tensors(const Call& c) {
  Ports all = c.tensors("tensors");
  const OutPort shape = common_shape(c, all);
  for (OutPort& x : all) x = c.b.broadcast(x, shape);
  return all;
}

// Each vector along its own dimension; with "xy" the first two change places.
static Ports mesh_grid(const Call& c) {
  Ports all = c.tensors("tensors");
  const auto indexing = c.word("indexing", "ij");
  require(indexing == "ij" || indexing == "xy", "argument 'indexing' is '", indexing, "', expected ij or xy");
  const auto place = [&](size_t i) { return indexing == "xy" && all.size() > 1 && i < 2 ? 1 - i : i; };
  Ports sizes(all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    if (c.rank(all[i]) == 0) all[i] = c.b.reshape(all[i], Ints{1});
    sizes[place(i)] = c.b.dim(all[i], 0);
  }
  const OutPort shape = c.b.concat(sizes);
  for (size_t i = 0; i < all.size(); ++i) {
    Ints dims(all.size(), 1);
    dims[place(i)] = -1;
    all[i] = c.b.broadcast(c.b.reshape(all[i], dims), shape);
  }
  return all;
}

static Ports at_least(const Call& c, const std::vector<Ints>& added) {
  const OutPort x = c.tensor("self");
  const size_t rank = c.rank(x);
  return {rank < added.size() ? c.b.unsqueeze(x, c.b.list(added[rank])) : x};
}
static Ports at_least_1d(const Call& c) { return at_least(c, {{0}}); }
static Ports at_least_2d(const Call& c) { return at_least(c, {{0, 1}, {0}}); }
static Ports at_least_3d(const Call& c) { return at_least(c, {{0, 1, 2}, {0, 2}, {2}}); }

// Elements of the storage, which is that of a tensor without gaps.
static Ports as_strided(const Call& c) {
  require(!c.is_complex("self"), "strides of complex numbers are not supported");
  const Ints steps = c.ints("stride");
  const OutPort sizes = c.sizes("size");
  OutPort places = c.is_given("storage_offset") ? c.size("storage_offset") : c.b.integer(0);
  for (size_t i = 0; i < steps.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    const OutPort size = as_scalar(c, c.b.part(sizes, at, at + 1));
    const OutPort along = c.b.multiply(count_to(c, size), c.b.integer(steps[i]));
    Ints dims(steps.size() - i, 1);
    dims[0] = -1;
    places = c.b.add(places, c.b.reshape(along, dims));
  }
  return {gather(c, flat(c, c.tensor("self")), places, 0)};
}

// Pictures may come without the dimension of the batch.
static OutPort blocks(const Call& c, std::string_view type, std::string_view size) {
  const OutPort x = c.tensor("self");
  const size_t rank = c.rank(x);
  require(rank == 3 || rank == 4, "it reads a tensor of ", rank, " dimensions, expected 3 or 4");
  const Node n = c.b.node(type, "opset1", {rank == 4 ? x : c.b.unsqueeze(x, c.b.list({0}))});
  n.set("block_size", c.integer(size)).set("mode", "depth_first");
  return rank == 4 ? n.out_port() : c.b.squeeze(n.out_port(), {0});
}
static Ports pixel_shuffle(const Call& c) { return {blocks(c, "DepthToSpace", "upscale_factor")}; }
static Ports pixel_unshuffle(const Call& c) { return {blocks(c, "SpaceToDepth", "downscale_factor")}; }

// [groups, n] of the channels becomes [n, groups].
static Ports channel_shuffle(const Call& c) {
  const OutPort x = c.tensor("self"), shape = c.b.shape_of(x);
  const auto groups = c.integer("groups");
  require(groups > 0, "argument 'groups' is ", groups, ", expected at least 1");
  const OutPort split = c.b.reshape(
      x, c.b.concat({c.b.part(shape, 0, 1), c.b.list({groups, -1}), c.b.part(shape, 2, INT64_MAX)}));
  Ints order = counted(c.rank(x) + 1);
  std::swap(order[1], order[2]);
  return {c.b.reshape(c.b.transpose(split, order), shape)};
}

static Ports parts_as_dimension(const Call& c) {
  c.does_same_to_parts();
  return {c.tensor("self")};
}

}  // namespace views

void register_views(Registry& r) {
  using namespace views;
  convert<view<'v'>>(r, "aten.view.default aten._unsafe_view.default aten.view_copy.default", "view(x, size)",
                     "Reshape(x, size)");
  convert<view<'s'>>(r, "aten.reshape.default aten._reshape_copy.default", "reshape(x, shape)",
                     "Reshape(x, shape)");
  convert<view<'v'>>(r, "aten._reshape_alias.default", "_reshape_alias(x, size)", "Reshape(x, size)");
  convert<view_as>(r, "aten.view_as.default aten.reshape_as.default", "view_as(x, other)",
                   "Reshape(x, ShapeOf(other))");
  convert<permute>(r, "aten.permute.default aten.permute_copy.default", "permute(x, dims)",
                   "Transpose(x, dims)");
  convert<transpose>(r, "aten.transpose.int aten.transpose_copy.int aten.swapdims.default",
                     "transpose(x, dim0, dim1)", "Transpose(x)");
  convert<swap_axes>(r, "aten.swapaxes.default", "swapaxes(x, axis0, axis1)", "Transpose(x)");
  convert<last_two>(r, "aten.t.default aten.t_copy.default aten.mT.default", "t(x)", "Transpose(x)");
  convert<adjoint>(r, "aten.mH.default aten.adjoint.default aten.matrix_H.default", "mH(x)",
                   "Transpose(x), of complex numbers conjugated");
  convert<all_reversed>(r, "aten.numpy_T.default", "numpy_T(x)", "Transpose(x)");
  convert<move_dims>(r, "aten.movedim.int aten.movedim.intlist aten.moveaxis.int aten.moveaxis.intlist",
                     "movedim(x, source, destination)", "Transpose(x)");
  convert<unsqueeze>(r, "aten.unsqueeze.default aten.unsqueeze_copy.default", "unsqueeze(x, dim)",
                     "Unsqueeze(x, dim)");
  convert<squeeze>(r,
                   "aten.squeeze.default aten.squeeze.dim aten.squeeze.dims aten.squeeze_copy.default "
                   "aten.squeeze_copy.dim aten.squeeze_copy.dims",
                   "squeeze(x, dim)", "Squeeze(x, those of dim that are 1)");
  convert<flatten>(r, "aten.flatten.using_ints", "flatten(x, start_dim, end_dim)", "Reshape(x)");
  convert<unflatten>(r, "aten.unflatten.int", "unflatten(x, dim, sizes)", "Reshape(x)");
  convert<expand>(r, "aten.expand.default aten.expand_copy.default aten.broadcast_to.default",
                  "expand(x, size)", "Broadcast-3(x, size)");
  convert<expand_as>(r, "aten.expand_as.default", "expand_as(x, other)", "Broadcast-3(x, ShapeOf(other))");
  convert<broadcast_tensors>(r, "aten.broadcast_tensors.default", "broadcast_tensors(x, y)",
                             "Broadcast-3 of each, to the shape of their sum");
  convert<mesh_grid>(r, "aten.meshgrid.default aten.meshgrid.indexing", "meshgrid(x, y)",
                     "Broadcast-3(Reshape(x)), Broadcast-3(Reshape(y))");
  convert<at_least_1d>(r, "aten.atleast_1d.default", "atleast_1d(x)", "Unsqueeze(x)");
  convert<at_least_2d>(r, "aten.atleast_2d.default", "atleast_2d(x)", "Unsqueeze(x)");
  convert<at_least_3d>(r, "aten.atleast_3d.default", "atleast_3d(x)", "Unsqueeze(x)");
  convert<as_strided>(r, "aten.as_strided.default aten.as_strided_copy.default",
                      "as_strided(x, size, stride, storage_offset)", "Gather(Reshape(x), places)");
  convert<pixel_shuffle>(r, "aten.pixel_shuffle.default", "pixel_shuffle(x)", "DepthToSpace(x), depth first");
  convert<pixel_unshuffle>(r, "aten.pixel_unshuffle.default", "pixel_unshuffle(x)",
                           "SpaceToDepth(x), depth first");
  convert<channel_shuffle>(r, "aten.channel_shuffle.default aten.native_channel_shuffle.default",
                           "channel_shuffle(x, groups)", "Reshape(Transpose(Reshape(x)))");
  convert<parts_as_dimension>(
      r, "aten.view_as_real.default aten.view_as_complex.default aten.view_as_real_copy.default",
      "view_as_real(x)", "x: complex numbers have a last dimension of two");
}

}  // namespace mo::pytorch
