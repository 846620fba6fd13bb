// Matrices inverted and taken apart, and equations solved by the inverse.
#include "support/values.hpp"

#include <mo/bodies.hpp>

#include <cmath>
#include <limits>

namespace mo::pytorch {

namespace linear_algebra {

static OutPort inverse_of(const Call& c, const OutPort& x) {
  return c.b.node("Inverse", "opset14", {x}).set("adjoint", false).out_port();
}
// Newer operators call it "A", older ones "self".
static OutPort matrix_of(const Call& c) { return c.tensor(c.is_given("A") ? "A" : "self"); }
static Ports inverse(const Call& c) { return {inverse_of(c, matrix_of(c))}; }
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
static OutPort solution(const Call& c) {
  const OutPort a = c.tensor("A"), b = c.tensor("B");
  const bool vector = c.rank(b) == 1 || (c.rank(a) == c.rank(b) + 1 && c.rank(a) > 2);
  const OutPort columns = vector ? c.b.unsqueeze(b, c.b.list({-1})) : b;
  const OutPort y =
      c.flag("left", true) ? c.b.matmul(inverse_of(c, a), columns) : c.b.matmul(b, inverse_of(c, a));
  return vector ? c.b.squeeze(y, {-1}) : y;
}
static Ports solve(const Call& c) { return {solution(c)}; }
// The other results tell how it was found and whether it failed, which nothing here knows.
static Ports solve_with_state(const Call& c) {
  Ports results{solution(c)};
  results.resize(c.result_count());
  return results;
}

// Elimination by the greatest element of each column: the pivots, whose sign changes with each exchange of
// rows.
static Ports pivots(const Call& c) {
  OutPort a = matrix_of(c);
  const int64_t size = c.dim(a, -1);
  require(size <= 16, "matrices have ", size, " rows, at most 16 are supported");
  Ports all;
  if (size == 0) return all;
  const OutPort one = c.like(a, 1), zero = c.like(a, 0);
  const auto columns = [&](const OutPort& x, int64_t from, int64_t to) { return slice(c, x, -1, from, to); };
  const auto rows = [&](const OutPort& x, int64_t from, int64_t to) { return slice(c, x, -2, from, to); };
  for (int64_t left = size; left > 1; --left) {
    const Node best = c.b.node("TopK", "opset3", {c.op1("Abs", {columns(a, 0, 1)}), c.b.integer(1)}, 2);
    best.set("axis", -2).set("mode", "max").set("sort", "value").set("index_element_type", ElementType::i64);
    const OutPort at = best.out_port(1),
                  numbers = c.b.reshape(c.b.list(counted(static_cast<size_t>(left))), Ints{left, 1});
    const OutPort chosen = c.op1("Equal", {numbers, at});
    const OutPort row = c.b.reduce("ReduceSum", c.b.select(chosen, a, zero), c.b.list({-2}), true);
    a = c.b.select(chosen, rows(a, 0, 1), a);
    const OutPort pivot = columns(row, 0, 1);
    const OutPort stays = c.op1("Equal", {at, c.b.integer(0)});
    all.push_back(c.b.select(stays, pivot, c.op1("Negative", {pivot})));
    // Without a pivot the determinant is 0, whatever follows.
    const OutPort divisor = c.b.select(c.op1("Equal", {pivot, zero}), one, pivot);
    const OutPort below = rows(a, 1, INT64_MAX);
    const OutPort shares = c.b.divide(columns(below, 0, 1), divisor);
    a = c.b.subtract(columns(below, 1, INT64_MAX), c.b.multiply(shares, columns(row, 1, INT64_MAX)));
  }
  all.push_back(a);
  return all;
}
static OutPort for_each_matrix(const Call& c, double value) {
  const OutPort a = matrix_of(c);
  return c.b.broadcast(c.like(a, value), c.b.part(c.b.shape_of(a), INT64_MIN, -2));
}
static OutPort product_of_pivots(const Call& c) {
  OutPort product;
  for (const OutPort& p : pivots(c)) product = product ? c.b.multiply(product, p) : p;
  return product ? c.b.squeeze(product, {-2, -1}) : for_each_matrix(c, 1);
}
static Ports determinant(const Call& c) { return {product_of_pivots(c)}; }
static Ports determinant_with_state(const Call& c) { return {product_of_pivots(c), {}, {}}; }

static Ports sign_and_log(const Call& c) {
  OutPort sign, log;
  for (const OutPort& p : pivots(c)) {
    const OutPort s = c.op1("Sign", {p}), l = c.op1("Log", {c.op1("Abs", {p})});
    sign = sign ? c.b.multiply(sign, s) : s;
    log = log ? c.b.add(log, l) : l;
  }
  if (!sign) return {for_each_matrix(c, 1), for_each_matrix(c, 0)};
  return {c.b.squeeze(sign, {-2, -1}), c.b.squeeze(log, {-2, -1})};
}
// Of a determinant below 0 there is none.
static Ports log_of_determinant(const Call& c) {
  const Ports both = sign_and_log(c);
  const OutPort none = c.like(both[1], std::numeric_limits<double>::quiet_NaN());
  return {c.b.select(is_less(c, both[0], c.like(both[0], 0)), none, both[1])};
}
static Ports sign_and_log_with_state(const Call& c) {
  Ports both = sign_and_log(c);
  both.resize(4);
  return both;
}

// The lower triangle whose product with itself turned gives the matrix, a column in each round.
static OutPort triangle_of(const Call& c, const OutPort& a) {
  const size_t rank = c.rank(a);
  require(rank >= 2, "the matrix has rank ", rank, ", expected 2 or more");
  const ElementType type = a.type();
  const OutPort size = size_of(c, a, -1), go = c.b.constant(Tensor::scalar<bool>(c.b.context(), true));
  BodyBuilder body(c.b.graph().create_sub_graph(text(c.node.name(), "/body")), Ports{size, go});
  const Build in(body.graph(), c.node);
  const OutPort matrix = body.in("matrix", a, {}, type);
  const OutPort number = body.in("number", c.b.integer(0), {}, ElementType::i64);
  const OutPort places = body.in("places", count_to(c, size), {}, ElementType::i64);
  body.next(body.out("next_number", in.add(number, in.integer(1))), number);
  const auto ones_where = [&](std::string_view comparison) {
    return in.convert(in.op(comparison, "opset1", {places, number}), type);
  };
  const auto sum = [&](const OutPort& x, bool keep) {
    return in.reduce("ReduceSum", x, in.list({-1}), keep);
  };
  const OutPort here = ones_where("Equal"), column = sum(in.multiply(matrix, here), false);
  const OutPort root = in.op("Sqrt", "opset1", {sum(in.multiply(column, here), true)});
  const OutPort done = in.divide(in.multiply(column, ones_where("GreaterEqual")), root);
  const OutPort standing = in.unsqueeze(done, in.list({-1})), lying = in.unsqueeze(done, in.list({-2}));
  body.next(body.out("rest", in.subtract(matrix, in.multiply(standing, lying))), matrix);
  body.out("column", standing, 0, Slices{static_cast<int64_t>(rank) - 1});
  body.condition(in.constant(Tensor::scalar<bool>(c.b.context(), true)));
  const Node loop = c.b.node("Loop", "opset5", body.inputs());
  body.set(loop);
  return loop.out_port();
}
static OutPort cholesky_of(const Call& c) {
  const OutPort lower = triangle_of(c, c.tensor("self"));
  return c.flag("upper", false) ? transposed(c, lower) : lower;
}
static Ports cholesky(const Call& c) { return {cholesky_of(c)}; }
static Ports cholesky_with_state(const Call& c) { return {cholesky_of(c), {}}; }
// By the triangle, which may be the upper one.
static OutPort inverse_triangle(const Call& c, std::string_view name) {
  const OutPort inverted = inverse_of(c, c.tensor(name));
  return c.flag("upper", false) ? transposed(c, inverted) : inverted;
}
static Ports cholesky_solve(const Call& c) {
  const OutPort inverted = inverse_triangle(c, "input2");
  return {c.b.matmul(inverted, c.b.matmul(inverted, c.tensor("self")), true, false)};
}
static Ports cholesky_inverse(const Call& c) {
  const OutPort inverted = inverse_triangle(c, "self");
  return {c.b.matmul(inverted, inverted, true, false)};
}

static Ports product_of_many(const Call& c) {
  OutPort y;
  for (const OutPort& x : c.tensors(c.is_given("matrices") ? "matrices" : "tensors"))
    y = y ? c.b.matmul(y, x) : x;
  require(static_cast<bool>(y), "it has no matrices");
  return {y};
}

// The root of the sum of squares, or the greatest or least sum of a row or column.
static Ports matrix_norm(const Call& c) {
  const OutPort x = as_float(c, c.tensor("self"));
  const bool named = c.target() == "linalg_matrix_norm.str_ord";
  const Ints given = c.ints("dim", {-2, -1});
  const bool keep = c.flag("keepdim", false);
  const auto rank = static_cast<int64_t>(c.rank(x));
  require(given.size() == 2, "argument 'dim' has ", given.size(), " entries, expected 2");
  const auto counted_up = [&](int64_t axis) { return axis < 0 ? axis + rank : axis; };
  const int64_t rows = counted_up(given[0]), columns = counted_up(given[1]);
  if (named) {
    const std::string word = c.word("ord", "fro");
    require(word == "fro", "argument 'ord' is '", word, "', which takes singular values; expected fro");
    return {c.b.reduce("ReduceL2", x, c.b.list({rows, columns}), keep)};
  }
  const double order = c.number("ord"), size = std::abs(order);
  require(size == 1 || std::isinf(size), "argument 'ord' is ", order,
          ", which takes singular values; expected 1, -1, inf or -inf");
  const int64_t summed = size == 1 ? rows : columns, compared = size == 1 ? columns : rows;
  const OutPort sums = c.b.reduce("ReduceL1", x, c.b.list({summed}), true);
  const OutPort y = c.b.reduce(order > 0 ? "ReduceMax" : "ReduceMin", sums, c.b.list({compared}), true);
  return {keep ? y : c.b.squeeze(y, {std::min(rows, columns), std::max(rows, columns)})};
}

// Each element of x times all of y: dimensions of both take turns, then two become one.
static Ports kronecker(const Call& c) {
  auto [x, y] = c.promoted("self", "other");
  const auto rank = static_cast<int64_t>(std::max(c.rank(x), c.rank(y)));
  if (rank == 0) return {c.b.multiply(x, y)};
  const auto filled = [&](const OutPort& v) {
    const Ints in_front = counted(static_cast<size_t>(rank) - c.rank(v));
    return in_front.empty() ? v : c.b.unsqueeze(v, c.b.list(in_front));
  };
  x = filled(x);
  y = filled(y);
  Ints even, odd;
  for (int64_t i = 0; i < rank; ++i) {
    even.push_back(2 * i);
    odd.push_back(2 * i + 1);
  }
  const OutPort all = c.b.multiply(c.b.unsqueeze(x, c.b.list(odd)), c.b.unsqueeze(y, c.b.list(even)));
  return {c.b.reshape(all, c.b.multiply(c.b.shape_of(x), c.b.shape_of(y)))};
}

template <bool Rising>
static Ports powers_of(const Call& c) {
  const OutPort x = c.tensor("x");
  const int64_t count = c.is_given("N") ? c.integer("N") : c.dim(x, -1);
  require(count >= 0 && count < 1 << 20, "argument 'N' is ", count);
  std::vector<double> exponents(static_cast<size_t>(count));
  const bool rising = Rising || c.flag("increasing", false);
  for (int64_t i = 0; i < count; ++i)
    exponents[static_cast<size_t>(i)] = static_cast<double>(rising ? i : count - 1 - i);
  const OutPort y = as_type(c, x, c.result_type());
  return {c.op1("Power", {c.b.unsqueeze(y, c.b.list({-1})), c.b.like(y, exponents, {count})})};
}

}  // namespace linear_algebra

void register_linear_algebra(Registry& r) {
  using namespace linear_algebra;
  convert<inverse>(r, "aten.linalg_inv.default aten.inverse.default", "linalg_inv(a)", "Inverse-14(a)");
  convert<inverse_with_state>(r, "aten.linalg_inv_ex.default", "linalg_inv_ex(a)", "Inverse-14(a)");
  convert<solve_triangular>(r, "aten.linalg_solve_triangular.default", "linalg_solve_triangular(a, b)",
                            "MatMul(Inverse-14(Select(triangle, a, 0)), b)");
  convert<solve>(r, "aten.linalg_solve.default", "linalg_solve(a, b)", "MatMul(Inverse-14(a), b)");
  convert<solve_with_state>(r, "aten._linalg_solve_ex.default aten.linalg_solve_ex.default",
                            "_linalg_solve_ex(a, b)", "MatMul(Inverse-14(a), b)");
  constexpr std::string_view elimination =
      "the product of the pivots: TopK, Select and Subtract for each column";
  convert<determinant>(r, "aten.linalg_det.default aten.det.default", "linalg_det(a)", elimination);
  convert<determinant_with_state>(r, "aten._linalg_det.default", "_linalg_det(a)", elimination);
  convert<sign_and_log>(r, "aten.linalg_slogdet.default aten.slogdet.default", "linalg_slogdet(a)",
                        "signs and logarithms of the pivots of linalg_det");
  convert<log_of_determinant>(r, "aten.logdet.default", "logdet(a)", "the logarithm of linalg_slogdet");
  convert<sign_and_log_with_state>(r, "aten._linalg_slogdet.default", "_linalg_slogdet(a)",
                                   "signs and logarithms of the pivots of linalg_det");
  convert<cholesky>(r, "aten.linalg_cholesky.default", "linalg_cholesky(a)",
                    "Loop(a), whose round k takes a[:, k] / Sqrt(a[k, k])");
  convert<cholesky_with_state>(r, "aten.linalg_cholesky_ex.default", "linalg_cholesky_ex(a)",
                               "Loop(a), whose round k takes a[:, k] / Sqrt(a[k, k])");
  convert<cholesky_solve>(r, "aten.cholesky_solve.default", "cholesky_solve(b, l)",
                          "MatMul(Transpose(Inverse-14(l)), MatMul(Inverse-14(l), b))");
  convert<cholesky_inverse>(r, "aten.cholesky_inverse.default", "cholesky_inverse(l)",
                            "MatMul(Transpose(Inverse-14(l)), Inverse-14(l))");
  convert<product_of_many>(r, "aten.linalg_multi_dot.default aten.chain_matmul.default",
                           "linalg_multi_dot(tensors)", "MatMul(MatMul(a, b), c)");
  convert<matrix_norm>(r, "aten.linalg_matrix_norm.default aten.linalg_matrix_norm.str_ord",
                       "linalg_matrix_norm(a, ord)", "ReduceL2(a), or ReduceMax(ReduceL1(a))");
  convert<kronecker>(r, "aten.kron.default", "kron(x, y)",
                     "Reshape(Multiply(Unsqueeze(x), Unsqueeze(y)), Multiply(ShapeOf(x), ShapeOf(y)))");
  convert<powers_of<false>>(r, "aten.vander.default", "vander(x, n)", "Power(Unsqueeze(x), n - 1 to 0)");
  convert<powers_of<true>>(r, "aten.linalg_vander.default", "linalg_vander(x, n)",
                           "Power(Unsqueeze(x), 0 to n - 1)");
}

}  // namespace mo::pytorch
