// Matrices inverted, and equations solved by the inverse.
#include "support/values.hpp"

namespace mo::pytorch {

namespace linear_algebra {

static OutPort inverse_of(const Call& c, const OutPort& x) {
  return c.b.node("Inverse", "opset14", {x}).set("adjoint", false).out_port();
}
static Ports inverse(const Call& c) { return {inverse_of(c, c.tensor(c.is_given("A") ? "A" : "self"))}; }
// The second result tells failures, which the operation does not.
static Ports inverse_with_state(const Call& c) {
  const OutPort x = c.tensor("A");
  return {inverse_of(c, x), {}};
}

static Ports solve_triangular(const Call& c) {
  const OutPort a = c.tensor("self"), b = c.tensor("B");
  const OutPort places = count_to(c, size_of(c, a, -1)), rows = c.b.unsqueeze(places, c.b.list({1}));
  const bool upper = c.flag("upper", true);
  OutPort kept = c.op1(upper ? "GreaterEqual" : "LessEqual", {places, rows});
  OutPort triangle = c.b.select(kept, a, c.like(a, 0));
  if (c.flag("unitriangular", false))
    triangle = c.b.select(c.op1("Equal", {places, rows}), c.like(a, 1), triangle);
  const OutPort inverted = inverse_of(c, triangle);
  return {c.flag("left", true) ? c.b.matmul(inverted, b) : c.b.matmul(b, inverted)};
}
static Ports solve(const Call& c) {
  const OutPort a = c.tensor("A"), b = c.tensor("B");
  const bool vector = c.rank(b) == 1 || (c.rank(a) == c.rank(b) + 1 && c.rank(a) > 2);
  const OutPort columns = vector ? c.b.unsqueeze(b, c.b.list({-1})) : b;
  const OutPort y = c.flag("left", true) ? c.b.matmul(inverse_of(c, a), columns) : c.b.matmul(b, inverse_of(c, a));
  return {vector ? c.b.squeeze(y, {-1}) : y};
}

// Elimination by the greatest element of each column: the product of the pivots, whose sign changes with each
// exchange of rows.
static Ports determinant(const Call& c) {
  OutPort a = c.tensor("A");
  const int64_t size = c.dim(a, -1);
  require(size <= 16, "matrices have ", size, " rows, at most 16 are supported");
  if (size == 0) return {c.b.broadcast(c.like(a, 1), c.b.part(c.b.shape_of(a), INT64_MIN, -2))};
  const OutPort one = c.like(a, 1), zero = c.like(a, 0);
  const auto columns = [&](const OutPort& x, int64_t from, int64_t to) { return slice(c, x, -1, from, to); };
  const auto rows = [&](const OutPort& x, int64_t from, int64_t to) { return slice(c, x, -2, from, to); };
  OutPort product;
  for (int64_t left = size; left > 1; --left) {
    const Node best = c.b.node("TopK", "opset3", {c.op1("Abs", {columns(a, 0, 1)}), c.b.integer(1)}, 2);
    best.set("axis", -2).set("mode", "max").set("sort", "value").set("index_element_type", ElementType::i64);
    const OutPort at = best.out_port(1), numbers = c.b.reshape(c.b.list(counted(static_cast<size_t>(left))), Ints{left, 1});
    const OutPort chosen = c.op1("Equal", {numbers, at});
    const OutPort row = c.b.reduce("ReduceSum", c.b.select(chosen, a, zero), c.b.list({-2}), true);
    a = c.b.select(chosen, rows(a, 0, 1), a);
    const OutPort pivot = columns(row, 0, 1);
    const OutPort stays = c.op1("Equal", {at, c.b.integer(0)});
    const OutPort factor = c.b.select(stays, pivot, c.op1("Negative", {pivot}));
    product = product ? c.b.multiply(product, factor) : factor;
    // Without a pivot the determinant is 0, whatever follows.
    const OutPort divisor = c.b.select(c.op1("Equal", {pivot, zero}), one, pivot);
    const OutPort below = rows(a, 1, INT64_MAX);
    const OutPort shares = c.b.divide(columns(below, 0, 1), divisor);
    a = c.b.subtract(columns(below, 1, INT64_MAX), c.b.multiply(shares, columns(row, 1, INT64_MAX)));
  }
  return {c.b.squeeze(product ? c.b.multiply(product, a) : a, {-2, -1})};
}

}  // namespace linear_algebra

void register_linear_algebra(Registry& r) {
  using namespace linear_algebra;
  convert<inverse>(r, "aten.linalg_inv.default aten.inverse.default", "linalg_inv(a)", "Inverse-14(a)");
  convert<inverse_with_state>(r, "aten.linalg_inv_ex.default", "linalg_inv_ex(a)", "Inverse-14(a)");
  convert<solve_triangular>(r, "aten.linalg_solve_triangular.default", "linalg_solve_triangular(a, b)",
                            "MatMul(Inverse-14(Select(triangle, a, 0)), b)");
  convert<solve>(r, "aten.linalg_solve.default", "linalg_solve(a, b)", "MatMul(Inverse-14(a), b)");
  convert<determinant>(r, "aten.linalg_det.default aten.det.default", "linalg_det(a)",
                       "the product of the pivots: TopK, Select and Subtract for each column");
}

}  // namespace mo::pytorch
