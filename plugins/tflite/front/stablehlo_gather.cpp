// Gather of StableHLO: a window of fixed size for each index, in any order of dimensions.
#include <algorithm>

#include "support/build.hpp"

namespace mo::tflite {

namespace stable_gather {

static bool has(const Ints& list, int64_t v) { return std::find(list.begin(), list.end(), v) != list.end(); }

// From where each element of a window of these sizes is: [sizes…, number of sizes].
static OutPort offsets(const Build& b, const Ints& sizes) {
  int64_t count = 1;
  for (const int64_t s : sizes) {
    require(s >= 0 && count * s <= (1 << 20), "its windows are of ", sizes,
            " elements, but each index is written out, which is done up to ", 1 << 20);
    count *= s;
  }
  std::vector<double> places;
  for (int64_t k = 0; k < count; ++k) {
    int64_t rest = k;
    Ints place(sizes.size());
    for (size_t d = sizes.size(); d-- > 0; rest /= sizes[d]) place[d] = rest % sizes[d];
    places.insert(places.end(), place.begin(), place.end());
  }
  Ints dims = sizes;
  dims.push_back(static_cast<int64_t>(sizes.size()));
  return b.constant(Tensor::filled(b.context(), ElementType::i64, places, dims));
}

// [batch…, index]: the dimension of the index is the last one.
static OutPort index_last(const Build& b, int64_t at, int64_t rank) {
  const OutPort i = b.convert(b.in(1), ElementType::i64);
  if (at == rank) return b.unsqueeze(i, b.list({rank}));
  if (at == rank - 1) return i;
  Ints order;
  for (int64_t d = 0; d < rank; ++d)
    if (d != at) order.push_back(d);
  order.push_back(at);
  return b.transpose(i, order);
}

// The first elements of the dimensions that are not indexed, when not all of them are read.
static OutPort read_part(const Build& b, const SourceNode& n, const Ints& sizes, const Ints& indexed) {
  Ints whole(sizes.size(), 1);
  bool all = true;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const auto axis = static_cast<int64_t>(d);
    if (has(indexed, axis) || sizes[d] == stated_dim(n, 0, axis)) continue;
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
    check(collapsed, rank, "collapsed_slice_dims");
    check(indexed, rank, "start_index_map");
    check(offset, batch_rank() + static_cast<int64_t>(offset.size()), "offset_dims");
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
      if (!has(indexed, d)) all.push_back(d);
    return all;
  }
  Ints indexed_sizes() const {
    Ints list;
    for (const int64_t d : indexed) list.push_back(sizes[static_cast<size_t>(d)]);
    return list;
  }

 private:
  static void check(const Ints& list, int64_t rank, std::string_view name) {
    Ints sorted = list;
    std::sort(sorted.begin(), sorted.end());
    const bool unique = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    require(unique && (sorted.empty() || (sorted.front() >= 0 && sorted.back() < rank)), "attribute '", name,
            "' is ", list, ", expected different numbers below ", rank);
  }
};

// Where each element is read: [batch…, sizes of the indexed dimensions…, index]. Indices are moved so that
// their windows fit.
static OutPort places(const Build& b, const Dimensions& d) {
  const OutPort dims = gather(b, b.shape_of(b.in(0)), b.list(d.indexed), 0);
  const OutPort room = op1(b, "Subtract", {dims, b.list(d.indexed_sizes())});
  OutPort first = index_last(b, d.index_at, d.index_rank);
  first = op1(b, "Maximum", {op1(b, "Minimum", {first, room}), b.integer(0)});
  Ints between;
  for (size_t k = 0; k < d.indexed.size(); ++k) between.push_back(d.batch_rank() + static_cast<int64_t>(k));
  return op1(b, "Add", {b.unsqueeze(first, b.list(between)), offsets(b, d.indexed_sizes())});
}

// [batch…, windows…] without the dimensions that go, and with the others where the result has them.
static OutPort arranged(const Build& b, OutPort x, const Dimensions& d) {
  const Ints order = d.order();
  Ints gone, stay;
  for (size_t k = 0; k < order.size(); ++k)
    if (has(d.collapsed, order[k]))
      gone.push_back(d.batch_rank() + static_cast<int64_t>(k));
    else
      stay.push_back(order[k]);
  if (!gone.empty()) x = b.squeeze(x, gone);
  Ints sorted = stay, to;
  std::sort(sorted.begin(), sorted.end());
  int64_t batch = 0;
  size_t window = 0;
  for (int64_t k = 0; k < d.batch_rank() + static_cast<int64_t>(stay.size()); ++k) {
    if (!has(d.offset, k)) {
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
