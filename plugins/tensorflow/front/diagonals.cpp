// Diagonals, bands, and what is computed along an axis with a triangle of pairs.
#include "support/known.hpp"

namespace mo::tensorflow {

namespace matrices {

static OutPort op1(const Build& b, std::string_view type, const Ports& inputs) {
  return b.op(type, "opset1", inputs);
}
static OutPort count(const Build& b, const OutPort& list_of_one) {
  return b.range(b.integer(0), b.squeeze(list_of_one, {0}), 1);
}
static OutPort row_numbers(const Build& b, const OutPort& rows) {
  return b.unsqueeze(count(b, rows), b.list({1}));
}
static OutPort eye(const Build& b, const OutPort& rows, const OutPort& columns) {
  return op1(b, "Equal", {row_numbers(b, rows), count(b, columns)});
}
static OutPort zero_like(const Build& b, size_t input) { return b.like(b.in(input), 0); }

// Elements on the diagonal of the last two dimensions.
static OutPort diagonal_of(const Build& b, const OutPort& x, const OutPort& rows, const OutPort& columns) {
  const OutPort kept = b.select(eye(b, rows, columns), x, zero_like(b, 0));
  const OutPort sums = b.reduce("ReduceSum", kept, b.list({-1}), false);  // of one element each
  const OutPort least = op1(b, "Minimum", {rows, columns});
  const Node cut = b.node("StridedSlice", "opset1",
                          {sums, b.list({0, 0}), b.concat({b.list({0}), least}), b.list({1, 1})});
  cut.set("begin_mask", Ints{0, 1}).set("end_mask", Ints{0, 0}).set("new_axis_mask", Ints{0, 0});
  cut.set("shrink_axis_mask", Ints{0, 0}).set("ellipsis_mask", Ints{1, 0});
  return cut.out_port();
}

// x on the main diagonals of square matrices.
static OutPort on_diagonals(const Build& b, const OutPort& x) {
  const OutPort n = b.dim(x, -1);
  return b.select(eye(b, n, n), b.unsqueeze(x, b.list({-1})), zero_like(b, 0));
}

// The later operators can take other diagonals than the main one, and other sizes.
static void only_main_diagonal(const Build& b, std::initializer_list<size_t> open) {
  for (const int64_t k : required_ints(b, 1, "the diagonals"))
    require(k == 0, "diagonal ", k, " is asked for; only the main one is supported");
  for (const size_t i : open)
    for (const int64_t size : required_ints(b, i, "the size"))
      require(size == -1, "input ", i, " is ", size, "; only square matrices are supported");
}

}  // namespace matrices

static Ports matrix_diag(Build& b, const SourceNode&) { return {matrices::on_diagonals(b, b.in(0))}; }

static Ports matrix_diag_v2(Build& b, const SourceNode&) {
  matrices::only_main_diagonal(b, {2, 3});
  return {matrices::on_diagonals(b, b.in(0))};
}

static Ports matrix_diag_part(Build& b, const SourceNode&) {
  return {matrices::diagonal_of(b, b.in(0), b.dim(b.in(0), -2), b.dim(b.in(0), -1))};
}

static Ports matrix_diag_part_v2(Build& b, const SourceNode& n) {
  matrices::only_main_diagonal(b, {});
  return matrix_diag_part(b, n);
}

// Entry i of the diagonal takes the place of element (i, i).
static OutPort with_diagonal(const Build& b) {
  using matrices::op1;
  const OutPort x = b.in(0), rows = b.dim(x, -2), columns = b.dim(x, -1);
  const OutPort last = op1(b, "Subtract", {op1(b, "Minimum", {rows, columns}), b.list({1})});
  const Node entries = b.node("Gather", "opset7",
                              {b.in(1), op1(b, "Minimum", {matrices::count(b, rows), last}), b.integer(-1)});
  entries.set("batch_dims", 0);
  return b.select(matrices::eye(b, rows, columns), b.unsqueeze(entries.out_port(), b.list({-1})), x);
}

static Ports matrix_set_diag(Build& b, const SourceNode&) { return {with_diagonal(b)}; }

static Ports matrix_set_diag_v2(Build& b, const SourceNode&) {
  for (const int64_t k : required_ints(b, 2, "the diagonals"))
    require(k == 0, "diagonal ", k, " is set; only the main one is supported");
  return {with_diagonal(b)};
}

static Ports diag(Build& b, const SourceNode&) {
  const OutPort x = b.in(0), shape = b.shape_of(x);
  return {b.reshape(matrices::on_diagonals(b, b.reshape(x, b.list({-1}))), b.concat({shape, shape}))};
}

static Ports diag_part(Build& b, const SourceNode&) {
  const OutPort x = b.in(0), shape = b.shape_of(x);
  const Node half = b.node("Split", "opset1", {shape, b.integer(0)}, 2);
  half.set("num_splits", 2);
  const OutPort n = b.reduce("ReduceProd", half.out_port(0), b.list({0}), true);
  const OutPort square = b.reshape(x, b.concat({n, n}));
  return {b.reshape(matrices::diagonal_of(b, square, n, n), half.out_port(0))};
}

// Elements at most `lower` below and `upper` above the diagonal; a negative limit is none.
static Ports matrix_band_part(Build& b, const SourceNode&) {
  using matrices::op1;
  const OutPort x = b.in(0);
  const OutPort below =
      op1(b, "Subtract", {matrices::row_numbers(b, b.dim(x, -2)), matrices::count(b, b.dim(x, -1))});
  const auto within = [&](size_t input, const OutPort& distance) {
    const OutPort limit = b.convert(b.in(input), ElementType::i64);
    return op1(b, "LogicalOr",
               {op1(b, "Less", {limit, b.integer(0)}), op1(b, "LessEqual", {distance, limit})});
  };
  const OutPort kept = op1(b, "LogicalAnd", {within(1, below), within(2, op1(b, "Negative", {below}))});
  return {b.select(kept, x, matrices::zero_like(b, 0))};
}

// Running products: each element is the product of those of its line that come no later.
static Ports cumprod(Build& b, const SourceNode& n) {
  using matrices::op1;
  const OutPort x = b.in(0);
  const int64_t axis = required_int(b, 1, "the axis");
  const OutPort size = b.dim(x, axis);
  const OutPort later =
      op1(b, "Subtract", {matrices::row_numbers(b, size), matrices::count(b, size)});  // [to, from]
  const bool reverse = n.native("reverse", false);
  const OutPort distance = reverse ? op1(b, "Negative", {later}) : later;
  OutPort factors = op1(b, "GreaterEqual", {distance, b.integer(n.native("exclusive", false) ? 1 : 0)});
  // Dimensions behind the axis.
  const OutPort behind =
      axis < 0 ? b.list({-1 - axis}) : b.reshape(op1(b, "Subtract", {b.rank(x), b.integer(axis + 1)}), {1});
  const Node ones = b.node("Broadcast", "opset3", {b.integer(1), behind});
  ones.set("mode", "numpy");
  factors = b.reshape(factors, b.concat({size, size, ones.out_port()}));
  const OutPort lines = b.unsqueeze(x, b.list({axis < 0 ? axis - 1 : axis}));
  const OutPort kept = b.select(factors, lines, b.like(x, 1));
  return {b.reduce("ReduceProd", kept, b.list({axis < 0 ? axis : axis + 1}), false)};
}

void register_diagonals(Registry& r) {
  const auto made = "Select(Equal(rows, columns), Unsqueeze(x), 0)";
  replace<matrix_diag>(r, {"MatrixDiag", "MatrixDiag(x)", made});
  replace_late<matrix_diag_v2>(r, {"MatrixDiagV2", "MatrixDiagV2(x, 0, -1, -1)", made});
  replace_late<matrix_diag_v2>(r, {"MatrixDiagV3", "MatrixDiagV3(x, 0, -1, -1)", made});
  const auto part = "ReduceSum(Select(Equal(rows, columns), x, 0))";
  replace<matrix_diag_part>(r, {"MatrixDiagPart", "MatrixDiagPart(x)", part});
  replace_late<matrix_diag_part_v2>(r, {"MatrixDiagPartV2", "MatrixDiagPartV2(x, 0)", part});
  replace_late<matrix_diag_part_v2>(r, {"MatrixDiagPartV3", "MatrixDiagPartV3(x, 0)", part});
  const auto set = "Select(Equal(rows, columns), Unsqueeze(d), x)";
  replace<matrix_set_diag>(r, {"MatrixSetDiag", "MatrixSetDiag(x, d)", set});
  replace_late<matrix_set_diag_v2>(r, {"MatrixSetDiagV2", "MatrixSetDiagV2(x, d, 0)", set});
  replace_late<matrix_set_diag_v2>(r, {"MatrixSetDiagV3", "MatrixSetDiagV3(x, d, 0)", set});
  replace<diag>(r, {"Diag", "Diag(x)", made});
  replace<diag_part>(r, {"DiagPart", "DiagPart(x)", part});
  replace<matrix_band_part>(
      r, {"MatrixBandPart", "MatrixBandPart(x, lower, upper)", "Select(near the diagonal, x, 0)"});
  replace_late<cumprod>(
      r, {"Cumprod", "Cumprod(x, axis)", "ReduceProd(Select(GreaterEqual(to, from), Unsqueeze(x), 1))"});
}

}  // namespace mo::tensorflow
