// Matrices are taken apart in loops over their columns, and equations are solved by the inverse.
//   Cholesky(a)                   ->   Loop(a), whose column k is a[:, k] / Sqrt(a[k, k]), a - column * column'
//   MatrixTriangularSolve(a, b)   ->   MatMul(Inverse(Select(triangle, a, 0)), b)
#include "support/build.hpp"

#include <mo/bodies.hpp>

namespace mo::tensorflow {

namespace linear_algebra {

// A loop over the columns of all matrices: [batch, n, n].
class Columns {
 public:
  Columns(const Build& b, const SourceNode& n)
      : b_(b),
        type_(b.in(0).type()),
        body_(n.graph().create_sub_graph(text(n.name(), "/body")), Ports(2)),
        in_(body_.graph(), n),
        shape_(b.shape_of(b.in(0))),
        size_(b.part(shape_, -1, INT64_MAX)),
        flat_(b.reshape(b.in(0), b.concat({b.list({-1}), size_, size_}))) {
    require_float(b.in(0), "the matrix");
    require(type_ != ElementType::unknown, "the type of its input cannot be told from the model");
    matrix_ = body_.in("matrix", flat_, {}, type_);
    number_ = body_.in("number", b.integer(0));
    places_ =
        body_.in("places", b.range(b.integer(0), b.reshape(size_, b.list({})), 1), {}, ElementType::i64);
    body_.next(body_.out("next_number", in_.add(number_, in_.integer(1))), number_);
    column_ = sum(in_.multiply(matrix_, ones_where("Equal", number_)), 2, false);
  }

  BodyBuilder& body() { return body_; }
  const Build& in() const { return in_; }
  const OutPort& matrix() const { return matrix_; }
  const OutPort& number() const { return number_; }
  const OutPort& places() const { return places_; }
  const OutPort& column() const { return column_; }  // [batch, n]
  const OutPort& shape() const { return shape_; }
  const OutPort& flat() const { return flat_; }
  OutPort one() const { return in_.like(matrix_, 1); }

  OutPort sum(const OutPort& x, int64_t axis, bool keep) const {
    return in_.reduce("ReduceSum", x, in_.list({axis}), keep);
  }
  // Of the places those that compare so with `other` are 1, others 0.
  OutPort ones_where(std::string_view comparison, const OutPort& other) const {
    return in_.convert(in_.op(comparison, "opset1", {places_, other}), type_);
  }
  OutPort as_column(const OutPort& x) const { return in_.unsqueeze(x, in_.list({2})); }
  OutPort as_row(const OutPort& x) const { return in_.unsqueeze(x, in_.list({1})); }
  void reduce_by(const OutPort& column, const OutPort& row) {
    const OutPort less = in_.subtract(matrix_, in_.multiply(as_column(column), as_row(row)));
    body_.next(body_.out("rest", less), matrix_);
  }
  // One number for each matrix.
  OutPort state(std::string_view name, double first, const OutPort& dims) {
    return body_.in(name, b_.broadcast(b_.like(b_.in(0), first), dims), {}, type_);
  }
  Node loop(uint32_t outputs) {
    body_.condition(in_.constant(Tensor::scalar<bool>(b_.context(), true)));
    Ports inputs = body_.inputs();
    inputs[0] = b_.reshape(size_, b_.list({}));
    inputs[1] = b_.constant(Tensor::scalar<bool>(b_.context(), true));
    const Node n = b_.node("Loop", "opset5", inputs, outputs);
    body_.set(n);
    for (const OutPort& p : n.out_ports()) p.set_shape(type_, Shape::unknown());
    return n;
  }

 private:
  const Build& b_;
  ElementType type_;
  BodyBuilder body_;
  Build in_;
  OutPort shape_, size_, flat_, matrix_, number_, places_, column_;
};

static OutPort inverse(const Build& b, const OutPort& a) {
  return b.node("Inverse", "opset14", {a}).set("adjoint", false).out_port();
}

}  // namespace linear_algebra

static Ports cholesky(Build& b, const SourceNode& n) {
  linear_algebra::Columns c(b, n);
  const Build& in = c.in();
  const OutPort diagonal = c.sum(in.multiply(c.column(), c.ones_where("Equal", c.number())), 1, true);
  const OutPort column = in.divide(in.multiply(c.column(), c.ones_where("GreaterEqual", c.number())),
                                   in.op("Sqrt", "opset1", {diagonal}));
  c.reduce_by(column, column);
  c.body().out("column", c.as_column(column), 0, Slices{2});
  return {b.reshape(c.loop(1).out_port(), c.shape())};
}

// Elimination, each time by the row whose element is the greatest. A row is taken out of those that are left,
// which changes the sign once for each of these that is before it.
static Ports determinant(Build& b, const SourceNode& n) {
  const bool with_log = n.is("LogMatrixDeterminant");
  linear_algebra::Columns c(b, n);
  const Build& in = c.in();
  const OutPort dims = b.shape_of(c.flat()), batch = b.concat({b.part(dims, 0, 1), b.list({1})});
  const OutPort left = c.state("left", 1, b.part(dims, 0, 2));
  const OutPort product = c.state("product", 1, batch);
  const OutPort size = in.op("Abs", "opset1", {c.column()});
  const OutPort candidates = in.add(in.multiply(size, left), in.subtract(left, c.one()));
  const Node best = in.node("TopK", "opset3", {candidates, in.integer(1)}, 2);
  best.set("axis", 1).set("mode", "max").set("sort", "none").set("index_element_type", ElementType::i64);
  const OutPort chosen = c.ones_where("Equal", best.out_port(1));
  const OutPort pivot = c.sum(in.multiply(chosen, c.column()), 1, true);
  const OutPort before = c.sum(in.multiply(left, c.ones_where("Less", best.out_port(1))), 1, true);
  const OutPort odd = in.op("FloorMod", "opset1", {before, in.like(c.matrix(), 2)});
  const OutPort sign = in.subtract(c.one(), in.multiply(in.like(c.matrix(), 2), odd));
  const OutPort row = c.sum(in.multiply(c.matrix(), c.as_column(chosen)), 1, false);
  const OutPort others = in.subtract(left, chosen);
  const OutPort divisor =
      in.select(in.op("Equal", "opset1", {pivot, in.like(c.matrix(), 0)}), c.one(), pivot);
  c.reduce_by(in.divide(in.multiply(c.column(), others), divisor), row);
  c.body().next(c.body().out("next_left", others), left);
  const OutPort factor = with_log ? in.op("Sign", "opset1", {pivot}) : pivot;
  c.body().next(c.body().out("next_product", in.multiply(product, in.multiply(factor, sign)), 0), product);
  if (with_log) {
    const OutPort log = c.state("log", 0, batch);
    const OutPort more = in.op("Log", "opset1", {in.op("Abs", "opset1", {pivot})});
    c.body().next(c.body().out("next_log", in.add(log, more), 1), log);
  }
  const Node loop = c.loop(with_log ? 2 : 1);
  Ports outputs;
  for (const OutPort& p : loop.out_ports()) outputs.push_back(b.reshape(p, b.part(c.shape(), INT64_MIN, -2)));
  return outputs;
}

static Ports matrix_solve(Build& b, const SourceNode& n) {
  return {b.matmul(linear_algebra::inverse(b, b.in(0)), b.in(1), n.native("adjoint", false))};
}

static Ports triangular_solve(Build& b, const SourceNode& n) {
  const OutPort a = b.in(0);
  const OutPort places =
      b.range(b.integer(0), b.reshape(b.part(b.shape_of(a), -1, INT64_MAX), b.list({})), 1);
  const char* comparison = n.native("lower", true) ? "GreaterEqual" : "LessEqual";
  const OutPort kept =
      b.op(comparison, "opset1", {b.unsqueeze(places, b.list({1})), b.unsqueeze(places, b.list({0}))});
  const OutPort triangle = b.select(kept, a, b.like(a, 0));
  return {b.matmul(linear_algebra::inverse(b, triangle), b.in(1), n.native("adjoint", false))};
}

void register_linear_algebra(Registry& r) {
  for (const char* op : {"Cholesky", "BatchCholesky"}) replace<cholesky>(r, {op, text(op, "(a)"), "Loop(a)"});
  for (const char* op : {"MatrixDeterminant", "BatchMatrixDeterminant", "LogMatrixDeterminant"})
    replace<determinant>(r, {op, text(op, "(a)"), "Loop(a)"});
  for (const char* op : {"MatrixSolve", "BatchMatrixSolve"})
    replace<matrix_solve>(r, {op, text(op, "(a, b)"), "MatMul(Inverse(a), b)"});
  for (const char* op : {"MatrixTriangularSolve", "BatchMatrixTriangularSolve"})
    replace<triangular_solve>(r, {op, text(op, "(a, b)"), "MatMul(Inverse(Select(triangle, a, 0)), b)"});
}

}  // namespace mo::tensorflow
