// Elements several times, and around the edges.
#include "support/items.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace repeating {

static OutPort broadcast(const Build& b, const OutPort& x, const OutPort& shape) {
  const Node n = b.node("Broadcast", "opset3", {x, shape});
  n.set("mode", "numpy");
  return n.out_port();
}

// More repetitions than dimensions add dimensions before them.
static Ports tile(Build& b, const SourceNode& n) {
  Ints reps = ints_of(n, "reps");
  OutPort x = b.in(0);
  const size_t rank = rank_of(b, x);
  if (reps.size() > rank) {
    Ints axes;
    for (size_t i = 0; i < reps.size() - rank; ++i) axes.push_back(static_cast<int64_t>(i));
    x = b.unsqueeze(x, b.list(axes));
  }
  if (reps.size() < rank) reps.insert(reps.begin(), rank - reps.size(), 1);
  return {b.op("Tile", "opset1", {x, b.list(reps)})};
}

// Each element several times in its place; without an axis, of all that is read as one list.
static Ports repeat(Build& b, const SourceNode& n) {
  const Ints counts = ints_of(n, "repeats");
  require(counts.size() == 1 && counts[0] > 0, "attribute 'repeats' is ", counts,
          "; expected one number from 1 on");
  const auto given = n.find_native<int64_t>("axis");
  const OutPort x = given ? b.in(0) : b.reshape(b.in(0), b.list({-1}));
  const size_t rank = rank_of(b, x), axis = given ? axis_of(b, x, *given) : 0;
  Ints reps(rank + 1, 1);
  reps[axis + 1] = counts[0];
  const OutPort apart = b.unsqueeze(x, b.list({static_cast<int64_t>(axis) + 1}));
  const OutPort all = b.op("Tile", "opset1", {apart, b.list(reps)});
  Ports dims;
  for (size_t i = 0; i < rank; ++i)
    dims.push_back(i == axis ? b.list({-1}) : b.dim(x, static_cast<int64_t>(i)));
  return {b.reshape(all, b.concat(dims))};
}

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
  return {broadcast(b, b.in(0), b.concat(dims))};
}

static Ports broadcast_like(Build& b, const SourceNode& n) {
  const Ints own = ints_of(n, "lhs_axes"), others = ints_of(n, "rhs_axes");
  if (own.empty() && others.empty()) return {broadcast(b, b.in(0), b.shape_of(b.in(1)))};
  require(own.size() == others.size(), "attributes 'lhs_axes' and 'rhs_axes' are ", own, " and ", others);
  Ports dims;
  for (size_t i = 0, end = rank_of(b, b.in(0)); i < end; ++i)
    dims.push_back(b.dim(b.in(0), static_cast<int64_t>(i)));
  for (size_t i = 0; i < own.size(); ++i)
    dims[axis_of(b, b.in(0), own[i])] = b.dim(b.in(1), static_cast<int64_t>(axis_of(b, b.in(1), others[i])));
  return {broadcast(b, b.in(0), b.concat(dims))};
}

static Ports pad(Build& b, const SourceNode& n) {
  const Ints widths = ints_of(n, "pad_width");
  const auto mode = n.native<std::string>("mode");
  require(mode == "constant" || mode == "edge" || mode == "reflect", "attribute 'mode' is '", mode,
          "'; expected constant, edge or reflect");
  require(!widths.empty() && widths.size() % 2 == 0, "attribute 'pad_width' is ", widths,
          "; expected two numbers for each dimension");
  Ints begin, end;
  for (size_t i = 0; i < widths.size(); i += 2) {
    begin.push_back(widths[i]);
    end.push_back(widths[i + 1]);
  }
  Ports inputs{b.in(0), b.list(begin), b.list(end)};
  if (mode == "constant") inputs.push_back(b.like(b.in(0), n.native("constant_value", 0.0)));
  const Node p = b.node("Pad", "opset1", inputs);
  p.set("pad_mode", mode);
  return {p.out_port()};
}

static Ports roll(Build& b, const SourceNode& n) {
  const Ints shift = ints_of(n, "shift"), axes = ints_of(n, "axis");
  require(!shift.empty(), "attribute 'shift' is missing");
  const auto rolled = [&](const OutPort& x, const Ints& along) {
    const Ints by = shift.size() == along.size() ? shift : Ints(along.size(), shift.front());
    return b.op("Roll", "opset7", {x, b.list(by), b.list(along)});
  };
  if (!axes.empty()) return {rolled(b.in(0), axes)};
  return {b.reshape(rolled(b.reshape(b.in(0), b.list({-1})), {0}), b.shape_of(b.in(0)))};
}

}  // namespace repeating

void register_repeating(Items& items) {
  items.convert<repeating::tile>("tile _npi_tile");
  items.convert<repeating::repeat>("repeat _np_repeat");
  items.convert<repeating::broadcast_axes>("broadcast_axis broadcast_axes");
  items.convert<repeating::broadcast_to>("broadcast_to _np_broadcast_to");
  items.convert<repeating::broadcast_like>("broadcast_like");
  items.convert<repeating::pad>("Pad pad");
  items.convert<repeating::roll>("_np_roll");
}

}  // namespace mo::mxnet
