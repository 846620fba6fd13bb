// Sparse tensors, which TensorFlow has as places, values and a shape: SparseToDense, SparseReshape,
// SparseFillEmptyRows, and sums over segments of rows.
#include "support/known.hpp"

#include <set>

namespace mo::tensorflow {

namespace sparse {

static OutPort math(const Build& b, std::string_view type, const OutPort& l, const OutPort& r) {
  return b.op(type, "opset1", {l, r});
}
static int64_t rank_of(const Build& b, size_t input) {
  const auto rank = known_rank(b, b.in(input));
  // What it reads may be the operator that cannot be converted.
  only_when(rank.has_value(), "input ", input, " has an unknown rank; --input_shape may give it one");
  return static_cast<int64_t>(*rank);
}
static size_t length_of(const Build& b, size_t input) {
  if (!b.in(input).shape().is_static()) b.graph().infer_marked();
  const Shape s = b.in(input).shape();
  require(s.rank() == 1 && s.is_static() && s[0].value() <= 16, "input ", input, " has shape ", s,
          "; expected a list of known length");
  return static_cast<size_t>(s[0].value());
}

// Places as [n, rank], values as [n].
static OutPort dense(const Build& b, const OutPort& base, OutPort places, int64_t rank,
                     const OutPort& values) {
  if (rank == 1) places = b.unsqueeze(places, b.list({1}));
  if (rank == 0) places = b.reshape(places, b.list({1, 1}));
  return b.op("ScatterNDUpdate", "opset4", {base, places, values});
}

// Whether places that are constant are all different.
static bool differ(const Build& b, size_t input) {
  const auto list = b.ints(input);
  if (!list || list->size() > 1U << 20) return false;
  std::set<std::pair<int64_t, int64_t>> seen;
  for (size_t i = 0; i + 1 < list->size(); i += 2)
    if (!seen.emplace((*list)[i], (*list)[i + 1]).second) return false;
  return true;
}

// For each dimension the product of those behind it.
static Ports strides(const Build& b, const OutPort& shape, size_t rank) {
  Ports list(rank);
  OutPort product = b.list({1});
  for (size_t i = rank; i-- != 0;) {
    list[i] = product;
    if (i != 0)
      product =
          math(b, "Multiply", product, b.part(shape, static_cast<int64_t>(i), static_cast<int64_t>(i) + 1));
  }
  return list;
}

// A matrix with zeros where there are no places. Values of one place are added.
static OutPort matrix(const Build& b, const OutPort& places, const OutPort& values, const OutPort& shape) {
  const OutPort flat =
      b.reduce("ReduceSum", math(b, "Multiply", places, b.concat(strides(b, shape, 2))), b.list({1}), false);
  const OutPort size = b.reduce("ReduceProd", shape, b.list({0}), true);
  const OutPort zeros = b.op("Broadcast", "opset3", {b.like(values, 0), size});
  const Node sums = b.node("ScatterElementsUpdate", "opset12", {zeros, flat, values, b.integer(0)});
  sums.set("reduction", "sum").set("use_init_val", true);
  return b.reshape(sums.out_port(), shape);
}

}  // namespace sparse

// Places, shape, values (one for each place, or one for all), and what stands elsewhere.
static Ports sparse_to_dense(Build& b, const SourceNode&) {
  using namespace sparse;
  const int64_t rank = rank_of(b, 0);
  const OutPort places = b.convert(b.in(0), ElementType::i64), shape = b.convert(b.in(1), ElementType::i64);
  OutPort values = b.in(2);
  if (rank_of(b, 2) == 0)
    values = b.op("Broadcast", "opset3", {values, rank == 0 ? b.list({1}) : b.dim(places, 0)});
  const OutPort base = b.op("Broadcast", "opset3", {b.in(3), shape});
  return {dense(b, base, places, rank, values)};
}

// Places and shape of the same elements in another shape, in which one entry may be -1.
static Ports sparse_reshape(Build& b, const SourceNode&) {
  using namespace sparse;
  const size_t from = length_of(b, 1), to = length_of(b, 2);
  const OutPort places = b.in(0), shape = b.in(1), wanted = b.in(2);
  const OutPort total = b.reduce("ReduceProd", shape, b.list({0}), true);
  const OutPort open = math(b, "Equal", wanted, b.list({-1}));
  const OutPort stated = b.reduce("ReduceProd", b.select(open, b.list({1}), wanted), b.list({0}), true);
  const OutPort now = b.select(open, math(b, "Divide", total, stated), wanted);
  if (!b.wants(0)) return {OutPort(), now};
  const OutPort weights = b.concat(strides(b, shape, from));
  const OutPort flat = b.reduce("ReduceSum", math(b, "Multiply", places, weights), b.list({1}), true);
  const OutPort steps = b.concat(strides(b, now, to));
  return {math(b, "FloorMod", math(b, "Divide", flat, steps), now), now};
}

// Places, values, shape, and the value for rows that are empty.
static Ports sparse_fill_empty_rows(Build& b, const SourceNode& n) {
  require(!n.is_out_port_connected(3), "output 3, reverse_index_map, is read; the IR's operation has none");
  const Node f = b.node("SparseFillEmptyRows", "opset16", {b.in(1), b.in(2), b.in(0), b.in(3)}, 3);
  return {f.out_port(0), f.out_port(1), f.out_port(2)};
}

// Rows of a table, and the segment that each is added to; segments are sorted.
static Ports segment_sum(Build& b, const SourceNode& n) {
  using namespace sparse;
  const std::string op = n.op_name();
  const bool chosen = op.substr(0, 6) == "Sparse";
  const OutPort table = b.in(0), ids = b.convert(b.in(chosen ? 2 : 1), ElementType::i64);
  const OutPort rows = chosen ? b.convert(b.in(1), ElementType::i64)
                              : b.range(b.integer(0), b.reshape(b.shape_of(ids), b.list({})), 1);
  OutPort count;
  if (op.find("WithNumSegments") != std::string::npos)
    count = b.reshape(b.convert(b.in(3), ElementType::i64), b.list({}));
  else
    count = math(b, "Add", b.op("Gather", "opset7", {ids, b.integer(-1), b.integer(0)}), b.integer(1));
  const auto sum = [&](const OutPort& of, const OutPort& which) {
    return b.op("EmbeddingSegmentsSum", "opset3", {of, which, ids, count});
  };
  OutPort y = sum(table, rows);
  const bool mean = op.find("Mean") != std::string::npos, root = op.find("SqrtN") != std::string::npos;
  if (!mean && !root) return {y};
  const int64_t rank = rank_of(b, 0);
  require(rank > 0, "the data is a scalar; expected at least one dimension");
  const OutPort one = b.like(table, {1.0}, {1, 1});
  const OutPort zeros = math(b, "Multiply", rows, b.integer(0));
  OutPort sizes = math(b, "Maximum", sum(one, zeros), b.like(table, 1));
  if (root) sizes = b.op("Sqrt", "opset1", {sizes});
  Ints shape(static_cast<size_t>(rank), 1);
  shape[0] = -1;
  return {math(b, "Divide", y, b.reshape(sizes, b.list(shape)))};
}

// The sparse matrix becomes a dense one.
static Ports sparse_dense_mat_mul(Build& b, const SourceNode& n) {
  using namespace sparse;
  const OutPort places = b.convert(b.in(0), ElementType::i64), shape = b.convert(b.in(2), ElementType::i64);
  const OutPort whole =
      differ(b, 0) ? dense(b, b.op("Broadcast", "opset3", {b.like(b.in(1), 0), shape}), places, 2, b.in(1))
                   : matrix(b, places, b.in(1), shape);
  return {b.matmul(whole, b.in(3), n.native("adjoint_a", false), n.native("adjoint_b", false))};
}

void register_sparse(Registry& r) {
  replace<sparse_to_dense>(r, {"SparseToDense", "SparseToDense(places, shape, values, default)",
                               "ScatterNDUpdate(Broadcast(default, shape), places, values)"});
  replace<sparse_reshape>(r,
                          {"SparseReshape", "SparseReshape(places, shape, new shape)",
                           "FloorMod(Divide(ReduceSum(Multiply(places, strides)), new strides), new shape)"});
  replace<sparse_fill_empty_rows>(
      r, {"SparseFillEmptyRows", "SparseFillEmptyRows(places, values, shape, default)",
          "SparseFillEmptyRows-16(values, shape, places, default)"});
  for (const char* op : {"SparseSegmentSum", "SparseSegmentMean", "SparseSegmentSqrtN", "SegmentSum",
                         "SegmentMean", "SparseSegmentSumWithNumSegments", "SparseSegmentMeanWithNumSegments",
                         "SparseSegmentSqrtNWithNumSegments"})
    replace<segment_sum>(
        r, {op, text(op, "(data, segments)"), "EmbeddingSegmentsSum(data, rows, segments, count)"});
  replace<sparse_dense_mat_mul>(
      r, {"SparseTensorDenseMatMul", "SparseTensorDenseMatMul(places, values, shape, x)",
          "MatMul(ScatterElementsUpdate-12(zeros, places, values), x)"});
}

}  // namespace mo::tensorflow
