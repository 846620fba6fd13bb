// Rows that are joined by a number of each: UnsortedSegment*, the Segment* that no operation has, and counts
// of numbers.
//   UnsortedSegmentSum(data, ids, n)   ->   ScatterElementsUpdate-12(zeros, ids, data, reduction=sum)
#include "support/build.hpp"

namespace mo::tensorflow {

namespace segments {

// The first dimensions of x are those of ids.
static OutPort rest_of(const Build& b, const OutPort& x, const OutPort& ids) {
  const OutPort begin = b.shape_of(b.shape_of(ids));
  const Node n = b.node("StridedSlice", "opset1", {b.shape_of(x), begin, b.list({0}), b.list({1})});
  n.set("begin_mask", Ints{0}).set("end_mask", Ints{1});
  return n.out_port();
}

static OutPort product(const Build& b, const OutPort& dims) {
  return b.reduce("ReduceProd", dims, b.list({0}), true);
}

struct Reduction {
  std::string_view name;
  OutPort start;  // of a segment without rows
};

// The least number of a type, or the greatest one.
static OutPort limit(const Build& b, const OutPort& like, bool lowest) {
  const ElementType t = like.type();
  if (t == ElementType::i64)
    return b.constant(Tensor::scalar<int64_t>(b.context(), lowest ? INT64_MIN : INT64_MAX));
  if (is_integer(t)) {
    const int digits = static_cast<int>(bits(t)) - (is_signed(t) ? 1 : 0);
    const double least = is_signed(t) ? -std::ldexp(1.0, digits) : 0.0;
    return b.like(like, lowest ? least : std::ldexp(1.0, digits) - 1);
  }
  double most = std::numeric_limits<float>::max();
  if (t == ElementType::f16) most = 65504;
  if (t == ElementType::f64) most = std::numeric_limits<double>::max();
  return b.like(like, lowest ? -most : most);
}

static Reduction reduction_of(const Build& b, const std::string& op, const OutPort& data) {
  const auto is = [&](const char* word) { return op.find(word) != std::string::npos; };
  if (is("Max")) return {"max", limit(b, data, true)};
  if (is("Min")) return {"min", limit(b, data, false)};
  if (is("Prod")) return {"prod", b.like(data, 1)};
  return {"sum", b.like(data, 0)};
}

// `rows`, of two dimensions, joined by `ids`, of one. What has a number below 0 or from `count` on goes to a row
// that is cut off.
static OutPort joined(const Build& b, const OutPort& rows, const OutPort& ids, const OutPort& count,
                      const Reduction& how) {
  const OutPort zero = b.list({0});
  const OutPort none =
      b.op("LogicalOr", "opset1",
           {b.op("Less", "opset1", {ids, zero}), b.op("GreaterEqual", "opset1", {ids, count})});
  const OutPort places = b.broadcast(b.unsqueeze(b.select(none, count, ids), b.list({1})), b.shape_of(rows));
  const OutPort start =
      b.broadcast(how.start, b.concat({b.add(count, b.list({1})), b.part(b.shape_of(rows), 1, 2)}));
  const Node all = b.node("ScatterElementsUpdate", "opset12", {start, places, rows, b.integer(0)});
  all.set("reduction", std::string(how.name)).set("use_init_val", true);
  const Node kept = b.node("StridedSlice", "opset1", {all.out_port(), zero, count, b.list({1})});
  kept.set("begin_mask", Ints{0}).set("end_mask", Ints{0});
  return kept.out_port();
}

static OutPort as_list(const Build& b, const OutPort& x) {
  return b.reshape(b.convert(x, ElementType::i64), Ints{-1});
}

}  // namespace segments

static Ports unsorted_segment(Build& b, const SourceNode& n) {
  using namespace segments;
  const OutPort data = b.in(0), ids = b.in(1), count = as_list(b, b.in(2));
  const OutPort rest = rest_of(b, data, ids), flat = as_list(b, ids);
  const OutPort rows = b.reshape(data, b.concat({b.shape_of(flat), product(b, rest)}));
  const OutPort y = joined(b, rows, flat, count, reduction_of(b, n.op_name(), data));
  return {b.reshape(y, b.concat({count, rest}))};
}

// Ids are sorted. A segment without rows is 0, in products 1.
static Ports sorted_segment(Build& b, const SourceNode& n) {
  using namespace segments;
  const OutPort data = b.in(0), ids = as_list(b, b.in(1));
  const OutPort count = b.add(b.gather(ids, b.list({-1}), 0), b.list({1}));
  const OutPort rest = b.part(b.shape_of(data), 1, INT64_MAX);
  const OutPort rows = b.reshape(data, b.concat({b.shape_of(ids), product(b, rest)}));
  const Reduction how = reduction_of(b, n.op_name(), data);
  OutPort y = joined(b, rows, ids, count, how);
  if (how.name != "prod") {
    const OutPort ones = b.broadcast(b.list({1}), b.concat({b.shape_of(ids), b.list({1})}));
    const OutPort sizes = joined(b, ones, ids, count, {"sum", b.integer(0)});
    y = b.select(b.op("Greater", "opset1", {sizes, b.list({0})}), y, b.like(data, 0));
  }
  return {b.reshape(y, b.concat({count, rest}))};
}

namespace segments {

// What is added for each number: its weight, or 1 where there are none, which a model may know late.
static OutPort weights_of(Build& b, const OutPort& weights, const OutPort& shape, bool binary) {
  if (!weights.shape().is_static()) b.graph().infer_marked();
  const Shape known = weights.shape();
  const bool none = known.rank() == 1 && known[0] == Dim(0);
  const OutPort ones = b.broadcast(b.like(weights, 1), shape);
  if (binary || none) return ones;
  if (known.is_static() || (known.has_rank() && known.rank() != 1)) return b.reshape(weights, shape);
  // Without elements all weights are 1: they stand behind those that there are.
  const OutPort both = b.concat({b.reshape(weights, b.list({-1})), b.reshape(ones, b.list({-1}))});
  const OutPort first = b.op("StridedSlice", "opset1", {both, b.list({0}), product(b, shape), b.list({1})});
  first.node().set("begin_mask", Ints{1}).set("end_mask", Ints{0});
  return b.reshape(first, shape);
}

// Rows of `width` sums, each of what is added at its places.
static OutPort summed(const Build& b, const OutPort& places, const OutPort& added, const OutPort& rows,
                      const OutPort& width, bool binary) {
  const OutPort start = b.broadcast(b.like(added, 0), b.concat({rows, width}));
  const Node all = b.node("ScatterElementsUpdate", "opset12", {start, places, added, b.integer(1)});
  return all.set("reduction", binary ? "max" : "sum").set("use_init_val", true).out_port();
}

// Behind the last number all that are too large were counted.
static OutPort without_last(const Build& b, const OutPort& rows, const OutPort& size) {
  const Node kept =
      b.node("StridedSlice", "opset1", {rows, b.list({0, 0}), b.concat({b.list({0}), size}), b.list({1, 1})});
  return kept.set("begin_mask", Ints{1, 1}).set("end_mask", Ints{1, 0}).out_port();
}

}  // namespace segments

// How often each number from 0 to size comes in each row of x, or the sum of its weights.
static Ports dense_bincount(Build& b, const SourceNode& n) {
  using namespace segments;
  const bool flat = n.is("Bincount"), binary = n.native("binary_output", false);
  const OutPort x = b.in(0), size = as_list(b, b.in(1));
  const OutPort dims = b.shape_of(x);
  const OutPort lead = flat ? b.list({}) : b.part(dims, INT64_MIN, -1);
  const OutPort last = flat ? product(b, dims) : b.part(dims, -1, INT64_MAX);
  const OutPort rows = flat ? b.list({1}) : product(b, lead), shape = b.concat({rows, last});
  const OutPort numbers = b.reshape(b.convert(x, ElementType::i64), shape);
  const OutPort places = b.op("Minimum", "opset1", {numbers, size});
  const OutPort added = weights_of(b, b.in(2), shape, binary);
  const OutPort all = summed(b, places, added, rows, b.add(size, b.list({1})), binary);
  return {b.reshape(without_last(b, all, size), flat ? size : b.concat({lead, size}))};
}

// Row k has the numbers from splits[k] to splits[k + 1]. All rows are summed as one.
static Ports ragged_bincount(Build& b, const SourceNode& n) {
  using namespace segments;
  const bool binary = n.native("binary_output", false);
  const OutPort ends = b.part(b.convert(b.in(0), ElementType::i64), 1, INT64_MAX);
  const OutPort numbers = b.convert(b.in(1), ElementType::i64), size = as_list(b, b.in(2));
  const OutPort width = b.add(size, b.list({1})), rows = b.shape_of(ends), count = b.shape_of(numbers);
  const OutPort position = b.range(b.integer(0), b.reshape(count, b.list({})), 1);
  const Node row = b.node("Bucketize", "opset3", {position, ends});
  row.set("output_type", ElementType::i64).set("with_right_bound", false);
  const OutPort place = b.add(b.multiply(row.out_port(), width), b.op("Minimum", "opset1", {numbers, size}));
  const OutPort shape = b.concat({b.list({1}), count});
  const OutPort all = summed(b, b.reshape(place, shape), weights_of(b, b.in(3), shape, binary), b.list({1}),
                             b.multiply(rows, width), binary);
  return {without_last(b, b.reshape(all, b.concat({rows, width})), size)};
}

void register_segments(Registry& r) {
  for (const char* op :
       {"UnsortedSegmentSum", "UnsortedSegmentProd", "UnsortedSegmentMax", "UnsortedSegmentMin"})
    replace<unsorted_segment>(
        r, {op, text(op, "(data, ids, count)"), "ScatterElementsUpdate-12(start, ids, data)"});
  for (const char* op : {"SegmentProd", "SegmentMax", "SegmentMin"})
    replace<sorted_segment>(r, {op, text(op, "(data, ids)"), "ScatterElementsUpdate-12(start, ids, data)"});
  for (const char* op : {"DenseBincount", "Bincount"})
    replace<dense_bincount>(
        r, {op, text(op, "(x, size, weights)"), "ScatterElementsUpdate-12(zeros, x, weights or ones)"});
  replace<ragged_bincount>(r, {"RaggedBincount", "RaggedBincount(splits, x, size, weights)",
                               "ScatterElementsUpdate-12(zeros, row and x, weights or ones)"});
}

}  // namespace mo::tensorflow
