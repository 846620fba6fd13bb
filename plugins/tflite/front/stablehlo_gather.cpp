// Gather of StableHLO: a window of fixed size for each index, in any order of dimensions.
#include <algorithm>

#include "support/index_windows.hpp"

namespace mo::tflite {

namespace stable_gather {

// The first elements of the dimensions that are not indexed, when not all of them are read.
static OutPort read_part(const Build& b, const SourceNode& n, const Ints& sizes, const Ints& indexed) {
  Ints whole(sizes.size(), 1);
  bool all = true;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const auto axis = static_cast<int64_t>(d);
    if (contains(indexed, axis) || sizes[d] == stated_dim(n, 0, axis)) continue;
    whole[d] = 0;
    all = false;
  }
  if (all) return b.in(0);
  const Ints any(sizes.size(), 0);
  const Node s =
      b.node("StridedSlice", "opset1", {b.in(0), b.list(any), b.list(sizes), b.list(Ints(sizes.size(), 1))});
  s.set("begin_mask", any).set("end_mask", whole);
  return s.out_port();
}

// What the operator says of the dimensions; errors where that does not fit.
struct Dimensions {
  Ints offset, collapsed, indexed, sizes;
  int64_t index_at, index_rank;
  Dimensions(const Build& b, const SourceNode& n)
      : offset(n.native<Ints>("offset_dims")),
        collapsed(n.native<Ints>("collapsed_slice_dims")),
        indexed(n.native<Ints>("start_index_map")),
        sizes(n.native<Ints>("slice_sizes")),
        index_at(n.native<int64_t>("index_vector_dim")),
        index_rank(rank_of(b, n, 1)) {
    const auto rank = static_cast<int64_t>(sizes.size());
    require(rank == rank_of(b, n, 0), "attribute 'slice_sizes' is ", sizes, ", but input 0 has ",
            rank_of(b, n, 0), " dimensions");
    require(index_at >= 0 && index_at <= index_rank, "attribute 'index_vector_dim' is ", index_at,
            ", but input 1 has ", index_rank, " dimensions");
    require(!indexed.empty(), "attribute 'start_index_map' is empty");
    require_different(collapsed, rank, "collapsed_slice_dims");
    require_different(indexed, rank, "start_index_map");
    require_different(offset, batch_rank() + static_cast<int64_t>(offset.size()), "offset_dims");
    require(offset.size() + collapsed.size() == sizes.size(), "it has ", offset.size(), " and ",
            collapsed.size(), " dimensions of windows that stay and that go, but input 0 has ", rank);
    for (const int64_t d : collapsed)
      require(sizes[static_cast<size_t>(d)] == 1, "dimension ", d, " of its windows goes, but has ",
              sizes[static_cast<size_t>(d)], " elements");
  }
  int64_t batch_rank() const { return index_rank - (index_at == index_rank ? 0 : 1); }
  // Those of input 0, the indexed ones first.
  Ints order() const {
    Ints all = indexed;
    for (int64_t d = 0; d < static_cast<int64_t>(sizes.size()); ++d)
      if (!contains(indexed, d)) all.push_back(d);
    return all;
  }
  Ints indexed_sizes() const {
    Ints list;
    for (const int64_t d : indexed) list.push_back(sizes[static_cast<size_t>(d)]);
    return list;
  }
};

// Where each element is read: [batch…, sizes of the indexed dimensions…, index]. Indices are moved so that
// their windows fit.
static OutPort places(const Build& b, const Dimensions& d) {
  const OutPort dims = b.gather(b.shape_of(b.in(0)), b.list(d.indexed), 0);
  const OutPort room = op1(b, "Subtract", {dims, b.list(d.indexed_sizes())});
  OutPort first = index_last(b, b.in(1), d.index_at, d.index_rank);
  first = op1(b, "Maximum", {op1(b, "Minimum", {first, room}), b.integer(0)});
  return window_places(b, first, d.batch_rank(), d.indexed_sizes());
}

// [batch…, windows…] without the dimensions that go, and with the others where the result has them.
static OutPort arranged(const Build& b, OutPort x, const Dimensions& d) {
  const Ints order = d.order();
  Ints gone, stay;
  for (size_t k = 0; k < order.size(); ++k)
    if (contains(d.collapsed, order[k]))
      gone.push_back(d.batch_rank() + static_cast<int64_t>(k));
    else
      stay.push_back(order[k]);
  if (!gone.empty()) x = b.squeeze(x, gone);
  Ints sorted = stay, to;
  std::sort(sorted.begin(), sorted.end());
  int64_t batch = 0;
  size_t window = 0;
  for (int64_t k = 0; k < d.batch_rank() + static_cast<int64_t>(stay.size()); ++k) {
    if (!contains(d.offset, k)) {
      to.push_back(batch++);
      continue;
    }
    const auto from = std::find(stay.begin(), stay.end(), sorted[window++]);
    to.push_back(d.batch_rank() + (from - stay.begin()));
  }
  return std::is_sorted(to.begin(), to.end()) ? x : b.transpose(x, to);
}

}  // namespace stable_gather

static Ports stable_gather_windows(Build& b, const SourceNode& n) {
  using namespace stable_gather;
  const Dimensions d(b, n);
  const Ints order = d.order();
  OutPort x = read_part(b, n, d.sizes, d.indexed);
  if (!std::is_sorted(order.begin(), order.end())) x = b.transpose(x, order);
  const Node g = b.node("GatherND", "opset8", {x, places(b, d)});
  g.set("batch_dims", int64_t{0});
  return {arranged(b, g.out_port(), d)};
}

void register_stablehlo_gather(Registry& r) {
  replace<stable_gather_windows>(r, {"STABLEHLO_GATHER", "STABLEHLO_GATHER(x, first)",
                                     "GatherND(x, Add(Maximum(Minimum(first, room), 0), offsets))"});
}

}  // namespace mo::tflite
