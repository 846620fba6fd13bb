// Det: elimination with the largest pivot of each column.
#include "support/build.hpp"

namespace mo::onnx {

namespace determinant {

static OutPort piece(const Build& b, const OutPort& x, Ints begin, Ints end) {
  const size_t n = begin.size();
  Ints stride(n, 1), ellipsis(n, 0), end_mask;
  ellipsis[0] = 1;
  for (const int64_t e : end) end_mask.push_back(e == INT64_MAX ? 1 : 0);
  std::replace(end.begin(), end.end(), INT64_MAX, int64_t{0});
  const Node s = b.node("StridedSlice", "opset1", {x, b.list(begin), b.list(end), b.list(stride)});
  s.set("begin_mask", Ints(n, 0)).set("end_mask", end_mask).set("ellipsis_mask", ellipsis);
  s.set("new_axis_mask", Ints(n, 0)).set("shrink_axis_mask", Ints(n, 0));
  return s.out_port();
}
// Rows from..to of columns from..to of the matrices in the last two dimensions.
static OutPort rows(const Build& b, const OutPort& x, int64_t from, int64_t to) {
  return piece(b, x, {0, from, 0}, {0, to, INT64_MAX});
}
static OutPort columns(const Build& b, const OutPort& x, int64_t from, int64_t to) {
  return piece(b, x, {0, from}, {0, to});
}

}  // namespace determinant

static Ports det(Build& b, const SourceNode&) {
  using namespace determinant;
  const auto op = [&](std::string_view t, const OutPort& l, const OutPort& r) {
    return b.op(t, "opset1", {l, r});
  };
  OutPort a = b.in(0);
  const Shape s = a.shape();
  const bool known =
      s.has_rank() && s.rank() >= 2 && (s[s.size() - 1].is_static() || s[s.size() - 2].is_static());
  require(known, "the size of the matrices cannot be told from the model",
          hint("--input_shape states that of inputs"));
  const int64_t size = s[s[s.size() - 1].is_static() ? s.size() - 1 : s.size() - 2].value();
  require(size >= 1 && size <= 16, "matrices have ", size, " rows; 1 to 16 are supported");
  const OutPort one = b.like(a, 1), zero = b.like(a, 0);
  OutPort product;
  for (int64_t left = size; left > 1; --left) {
    const OutPort first = columns(b, a, 0, 1);
    const Node top = b.node("TopK", "opset3", {b.op("Abs", "opset1", {first}), b.integer(1)}, 2);
    top.set("axis", -2).set("mode", "max").set("sort", "value").set("index_element_type", ElementType::i64);
    Ints numbers;
    for (int64_t i = 0; i < left; ++i) numbers.push_back(i);
    const OutPort number = b.reshape(b.list(numbers), Ints{left, 1});
    const OutPort chosen = op("Equal", number, top.out_port(1));
    // The row of the pivot and the first one change places, which turns the sign when they are two.
    const OutPort pivot_row = b.reduce("ReduceSum", b.select(chosen, a, zero), b.list({-2}), true);
    a = b.select(chosen, rows(b, a, 0, 1), a);
    const OutPort pivot = columns(b, pivot_row, 0, 1);
    const OutPort stays = op("Equal", top.out_port(1), b.integer(0));
    const OutPort factor = b.select(stays, pivot, b.op("Negative", "opset1", {pivot}));
    product = product ? op("Multiply", product, factor) : factor;
    // Without a pivot the determinant is 0, whatever follows.
    const OutPort divisor = b.select(op("Equal", pivot, zero), one, pivot);
    const OutPort below = rows(b, a, 1, INT64_MAX);
    const OutPort shares = op("Divide", columns(b, below, 0, 1), divisor);
    const OutPort rest = columns(b, pivot_row, 1, INT64_MAX);
    a = op("Subtract", columns(b, below, 1, INT64_MAX), op("Multiply", shares, rest));
  }
  return {b.squeeze(product ? op("Multiply", product, a) : a, {-2, -1})};
}

void register_determinant(Registry& r) {
  replace<det>(r, {"Det", "Det(x)", "the product of the pivots: TopK, Select and Subtract for each column"});
}

}  // namespace mo::onnx
