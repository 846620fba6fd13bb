// Scatter of StableHLO: windows of updates are combined with those of the data at the indices. What would lie
// outside is left out.
#include <algorithm>

#include <mo/slices.hpp>
#include "support/index_windows.hpp"
#include "support/reductions.hpp"

namespace mo::tflite {

namespace stable_scatter {

// What the operator says of the dimensions; errors where that does not fit.
struct Dimensions {
  Ints window, inserted, indexed;
  int64_t rank, index_at, index_rank, updates_rank;
  size_t given;  // numbers of an index; the others are 0
  // The operator has `count` tensors, the places, and updates for each tensor.
  Dimensions(const Build& b, const SourceNode& n, size_t count)
      : window(n.native<Ints>("update_window_dims")),
        inserted(n.native<Ints>("inserted_window_dims")),
        indexed(n.native<Ints>("scatter_dims_to_operand_dims")),
        rank(rank_of(b, n, 0)),
        index_at(n.native<int64_t>("index_vector_dim")),
        index_rank(rank_of(b, n, count)),
        updates_rank(rank_of(b, n, count + 1)),
        given(indexed.size()),
        updates_(count + 1) {
    require(index_at >= 0 && index_at <= index_rank, "attribute 'index_vector_dim' is ", index_at,
            ", but input ", count, " has ", index_rank, " dimensions");
    require(!indexed.empty(), "attribute 'scatter_dims_to_operand_dims' is empty");
    require_different(inserted, rank, "inserted_window_dims");
    require_different(indexed, rank, "scatter_dims_to_operand_dims");
    require_different(window, updates_rank, "update_window_dims");
    require(window.size() + inserted.size() == static_cast<size_t>(rank) &&
                batch_rank() + static_cast<int64_t>(window.size()) == updates_rank,
            "it has ", window.size(), " and ", inserted.size(),
            " dimensions of windows and those that they lack, ", "but input 0 has ", rank, " and input ",
            updates_, ' ', updates_rank);
    std::sort(window.begin(), window.end());
    for (int64_t axis = 0; axis < rank; ++axis)
      if (!contains(indexed, axis) && !is_whole(n, axis)) indexed.push_back(axis);
  }
  size_t places_input() const { return updates_ - 1; }
  int64_t batch_rank() const { return index_rank - (index_at == index_rank ? 0 : 1); }
  // The dimension of the updates that holds the windows' dimension; -1 when windows lack it.
  int64_t in_updates(int64_t axis) const {
    if (contains(inserted, axis)) return -1;
    const auto lacking = std::count_if(inserted.begin(), inserted.end(), [&](int64_t d) { return d < axis; });
    return window[static_cast<size_t>(axis - lacking)];
  }
  // Of the data, those that indices are for come first.
  Ints order() const {
    Ints all = indexed;
    for (int64_t axis = 0; axis < rank; ++axis)
      if (!contains(indexed, axis)) all.push_back(axis);
    return all;
  }
  Ints indexed_sizes(const SourceNode& n) const {
    Ints sizes;
    for (const int64_t axis : indexed) {
      const int64_t at = in_updates(axis);
      sizes.push_back(at < 0 ? 1 : stated_dim(n, updates_, at));
    }
    return sizes;
  }

 private:
  bool is_whole(const SourceNode& n, int64_t axis) const {
    const int64_t at = in_updates(axis);
    return at >= 0 && stated_dim(n, updates_, at) == stated_dim(n, 0, axis);
  }
  size_t updates_;  // the input
};

static OutPort in_order(const Build& b, const OutPort& x, const Ints& order) {
  return std::is_sorted(order.begin(), order.end()) ? x : b.transpose(x, order);
}

// [batch…, windows in the indexed dimensions…, index]
static OutPort places(const Build& b, const SourceNode& n, const Dimensions& d) {
  OutPort first = index_last(b, b.in(d.places_input()), d.index_at, d.index_rank);
  if (d.given < d.indexed.size()) {
    const OutPort batch = b.part(b.shape_of(first), 0, d.batch_rank());
    const OutPort size = b.concat({batch, b.list({static_cast<int64_t>(d.indexed.size() - d.given)})});
    first = b.concat({first, broadcast(b, b.integer(0), size)}, d.batch_rank());
  }
  const OutPort all = window_places(b, first, d.batch_rank(), d.indexed_sizes(n));
  Ints lacking;
  for (size_t k = 0; k < d.indexed.size(); ++k)
    if (d.in_updates(d.indexed[k]) < 0) lacking.push_back(d.batch_rank() + static_cast<int64_t>(k));
  return lacking.empty() ? all : b.squeeze(all, lacking);
}

// [batch…, windows in the indexed dimensions…, the other dimensions of the data…]
static OutPort arranged(const Build& b, const OutPort& updates, const Dimensions& d) {
  Ints order;
  for (int64_t k = 0; k < d.updates_rank; ++k)
    if (!contains(d.window, k)) order.push_back(k);
  for (const int64_t axis : d.order())
    if (const int64_t at = d.in_updates(axis); at >= 0) order.push_back(at);
  return in_order(b, updates, order);
}

// Data with one row more in each indexed dimension, for what lies outside.
static OutPort with_margin(const Build& b, const OutPort& x, const Dimensions& d) {
  Ints margin(static_cast<size_t>(d.rank), 0);
  std::fill_n(margin.begin(), d.indexed.size(), 1);
  const Node p = b.node("Pad", "opset1", {x, b.list(Ints(margin.size(), 0)), b.list(margin), b.like(x, 0)});
  p.set("pad_mode", "constant");
  return p.out_port();
}

static OutPort without_margin(const Build& b, const OutPort& x, const Dimensions& d) {
  Ints none(static_cast<size_t>(d.rank), 0), margin = none;
  std::fill_n(margin.begin(), d.indexed.size(), 1);
  return without_ends(b, x, none, margin, Ints(none.size(), 1));
}

static OutPort outside_in_margin(const Build& b, const OutPort& places, const OutPort& data,
                                 const Dimensions& d) {
  const OutPort dims = gather(b, b.shape_of(data), b.list(d.indexed), 0);
  const OutPort outside =
      op1(b, "LogicalOr", {op1(b, "Less", {places, b.integer(0)}), op1(b, "GreaterEqual", {places, dims})});
  return b.select(outside, dims, places);
}

static OutPort scattered(const Build& b, const OutPort& x, const OutPort& places, const OutPort& updates,
                         std::string_view how) {
  const bool plain = how == "none";
  const Node n = b.node("ScatterNDUpdate", plain ? "opset4" : "opset15", {x, places, updates});
  if (!plain) n.set("reduction", how);
  return n.out_port();
}

}  // namespace stable_scatter

static Ports stable_scatter_windows(Build& b, const SourceNode& n) {
  using namespace stable_scatter;
  const size_t count = n.in_count() / 2;
  require(n.in_count() == 2 * count + 1 && count != 0, "it has ", n.in_count(),
          " inputs, expected tensors, the places, and updates for each tensor");
  const Dimensions d(b, n, count);
  const OutPort at = outside_in_margin(b, places(b, n, d), b.in(0), d);
  const Ints order = d.order();
  Ints back(order.size());
  for (size_t i = 0; i < order.size(); ++i) back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  Ports updated;
  for (size_t i = 0; i < count; ++i) {
    const OutPort data = b.in(i);
    const std::string_view how =
        replaces(n, i) ? "none" : reduction_of_body(n, i, data.type(), "combines elements").scattering;
    const OutPort x = with_margin(b, in_order(b, data, order), d);
    const OutPort y = without_margin(b, scattered(b, x, at, arranged(b, b.in(count + 1 + i), d), how), d);
    updated.push_back(in_order(b, y, back));
  }
  return updated;
}

void register_stablehlo_scattering(Registry& r) {
  replace<stable_scatter_windows>(r, {"STABLEHLO_SCATTER", "STABLEHLO_SCATTER(x, first, updates)",
                                      "ScatterNDUpdate-15(Pad(x), Add(first, offsets), updates), cut"});
}

}  // namespace mo::tflite
