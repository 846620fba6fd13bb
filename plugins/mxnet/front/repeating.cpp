// Elements several times, or elsewhere.
#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace repeating {

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

void register_repeating(Registry& r) {
  convert<repeating::tile>(r, "tile _npi_tile", "tile(x)", "Tile(Unsqueeze(x), reps)");
  convert<repeating::repeat>(r, "repeat _np_repeat", "repeat(x)", "Reshape(Tile(Unsqueeze(x), reps))");
  convert<repeating::roll>(r, "_np_roll", "_np_roll(x)", "Roll(x, shift, axes)");
}

}  // namespace mo::mxnet
