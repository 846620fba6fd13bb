// Elements that are put where indices say, and sums of segments.
#include "support/build.hpp"

namespace mo::tflite {

namespace scattering {

static constexpr char sum[] = "sum", prod[] = "prod", min[] = "min", max[] = "max";

// Slices [rows, …] that are combined with those of the data which `rows`, a list, says.
static OutPort combined(const Build& b, const OutPort& data, const OutPort& rows, const OutPort& slices,
                        std::string_view how) {
  const OutPort shape = b.shape_of(slices);
  const OutPort behind = op1(b, "Subtract", {b.shape_of(b.shape_of(data)), b.list({1})});
  const OutPort ones = b.broadcast(b.integer(1), behind);
  const OutPort places = b.broadcast(b.reshape(rows, b.concat({b.list({-1}), ones})), shape);
  const Node n = b.node("ScatterElementsUpdate", "opset12", {data, places, slices, b.integer(0)});
  n.set("reduction", how).set("use_init_val", true);
  return n.out_port();
}

// What nothing is combined with, for the elements of segments that are empty.
static double neutral(std::string_view how, ElementType type) {
  if (how == "sum") return 0;
  if (how == "prod") return 1;
  const bool small = how == "max";
  if (is_float(type))
    return small ? double{std::numeric_limits<float>::lowest()} : double{std::numeric_limits<float>::max()};
  return small ? INT32_MIN : INT32_MAX;
}

template <auto& How>
static Ports unsorted_segments(Build& b, const SourceNode&) {
  const OutPort x = b.in(0), count = b.reshape(b.convert(b.in(2), ElementType::i64), Ints{1});
  const OutPort row = b.part(b.shape_of(x), 1, INT64_MAX);
  const OutPort start = b.broadcast(b.like(x, neutral(How, x.type())), b.concat({count, row}));
  return {combined(b, start, b.in(1), x, How)};
}

}  // namespace scattering

// Slices with the same index are added up.
static Ports scatter_nd(Build& b, const SourceNode& n) {
  const OutPort indices = b.in(0), updates = b.in(1), shape = b.convert(b.in(2), ElementType::i64);
  const int64_t depth = stated_dim(n, 0, -1), rank = stated_dim(n, 2, 0);
  require(depth > 0 && depth <= rank && rank <= 64, "its indices have ", depth,
          " numbers each, but the result rank ", rank);
  // Indices are counted in one dimension.
  Ports strides;
  for (int64_t i = 0; i < depth; ++i)
    strides.push_back(b.reduce("ReduceProd", b.part(shape, i + 1, depth), b.list({0}), true));
  const OutPort places = op1(b, "Multiply", {b.convert(indices, ElementType::i64), b.concat(strides)});
  const OutPort rows = b.reshape(b.reduce("ReduceSum", places, b.list({-1}), false), b.list({-1}));
  const OutPort count = b.reduce("ReduceProd", b.part(shape, 0, depth), b.list({0}), true);
  const OutPort rest = b.part(shape, depth, INT64_MAX);
  const OutPort zeros = b.broadcast(b.like(updates, 0), b.concat({count, rest}));
  const OutPort slices = b.reshape(updates, b.concat({b.list({-1}), rest}));
  return {b.reshape(scattering::combined(b, zeros, rows, slices, "sum"), shape)};
}

// Values at indices, the default elsewhere. Indices: one, a list, or rows of as many numbers as dimensions.
static Ports sparse_to_dense(Build& b, const SourceNode& n) {
  const int64_t of_indices = rank_of(b, n, 0), rank = stated_dim(n, 1, 0);
  const OutPort indices =
      of_indices == 2 ? b.in(0) : b.reshape(b.in(0), b.list({-1, of_indices == 0 ? rank : 1}));
  const OutPort count = b.part(b.shape_of(indices), 0, 1);
  const OutPort values = b.broadcast(b.in(2), count);
  return {b.op("ScatterNDUpdate", "opset4", {b.broadcast(b.in(3), b.in(1)), indices, values})};
}

static Ports segment_sum(Build& b, const SourceNode&) {
  const OutPort x = b.in(0), ids = b.convert(b.in(1), ElementType::i64);
  const OutPort last = b.reduce("ReduceMax", ids, b.list({0}), true);
  const OutPort row = b.part(b.shape_of(x), 1, INT64_MAX);
  const OutPort zeros = b.broadcast(b.like(x, 0), b.concat({op1(b, "Add", {last, b.list({1})}), row}));
  return {scattering::combined(b, zeros, ids, x, "sum")};
}

void register_scattering(Registry& r) {
  using namespace scattering;
  const auto after = "ScatterElementsUpdate-12(Broadcast(neutral), ids, x)";
  replace<scatter_nd>(r, {"SCATTER_ND", "SCATTER_ND(indices, updates, shape)",
                          "ScatterElementsUpdate-12(Broadcast(0), rows, updates)"});
  replace<sparse_to_dense>(r, {"SPARSE_TO_DENSE", "SPARSE_TO_DENSE(indices, shape, values, default)",
                               "ScatterNDUpdate(Broadcast(default, shape), indices, values)"});
  replace<segment_sum>(r, {"SEGMENT_SUM", "SEGMENT_SUM(x, ids)", after});
  replace<unsorted_segments<sum>>(r, {"UNSORTED_SEGMENT_SUM", "UNSORTED_SEGMENT_SUM(x, ids, count)", after});
  replace<unsorted_segments<prod>>(r,
                                   {"UNSORTED_SEGMENT_PROD", "UNSORTED_SEGMENT_PROD(x, ids, count)", after});
  replace<unsorted_segments<min>>(r, {"UNSORTED_SEGMENT_MIN", "UNSORTED_SEGMENT_MIN(x, ids, count)", after});
  replace<unsorted_segments<max>>(r, {"UNSORTED_SEGMENT_MAX", "UNSORTED_SEGMENT_MAX(x, ids, count)", after});
}

}  // namespace mo::tflite
