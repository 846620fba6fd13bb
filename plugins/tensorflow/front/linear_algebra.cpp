// Matrices are taken apart in loops over their columns, and equations are solved by the inverse.
//   Cholesky(a)                   ->   Loop(a), whose column k is a[:, k] / Sqrt(a[k, k]), a - column * column'
//   MatrixTriangularSolve(a, b)   ->   MatMul(Inverse(Select(triangle, a, 0)), b)
//   Svd(a):0                      ->   the lengths of the columns of a, which a Loop turns until they are orthogonal
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

// Pairs of columns are turned until their product is 0 (Hestenes); all pairs of a round at once, and in `columns - 1`
// rounds each column meets each other one. What is left after ten times that is below what f32 and f64 tell apart.
static Ports singular_values(Build& b, const SourceNode& n) {
  require(
      !n.native("compute_uv", true) || (!b.wants(1) && !b.wants(2)),
      "its vectors are read, whose signs nothing determines; only the values, output 0, can be converted");
  const OutPort x = b.in(0);
  require_float(x, "the matrix");
  if (!x.shape().has_rank()) b.graph().infer_marked();
  const Shape shape = x.shape();
  require(shape.has_rank() && shape.size() >= 2 && shape[shape.size() - 1].is_static() &&
              shape[shape.size() - 2].is_static(),
          "the size of its matrices is not known; --input_shape may tell it");
  const int64_t height = shape[shape.size() - 2].value(), width = shape[shape.size() - 1].value();
  const int64_t values = std::min(height, width), most = 128, half = (values + 1) / 2;
  require(values >= 1 && values <= most, "its matrices have ", height, " rows and ", width,
          " columns, expected not more than ", most, " of one of them");
  OutPort columns = b.reshape(x, Ints{-1, height, width});
  if (height < width) columns = b.transpose(columns, {0, 2, 1});
  if (values % 2 == 1) columns = b.pad(columns, b.list({0, 0, 0}), b.list({0, 0, 1}), b.like(x, 0));
  BodyBuilder body(n.graph().create_sub_graph(text(n.name(), "/body")), Ports(2));
  const Build in(body.graph(), n);
  const OutPort now = body.in("columns", columns, {}, x.type());
  const auto number = [&](double value) {
    return in.constant(Tensor::filled(in.context(), x.type(), {value}, {}));
  };
  const auto product = [&](const OutPort& l, const OutPort& r) {
    return in.reduce("ReduceSum", in.multiply(l, r), in.list({1}), true);
  };
  const Ports pair = in.split(now, 2, 2);
  const OutPort apart = in.subtract(product(pair[1], pair[1]), product(pair[0], pair[0])),
                twice = in.multiply(product(pair[0], pair[1]), number(2));
  const OutPort root =
      in.op("Sqrt", "opset1", {in.add(in.multiply(apart, apart), in.multiply(twice, twice))});
  const OutPort size = in.add(in.add(in.op("Abs", "opset1", {apart}), root), number(1e-30));
  const OutPort negative = in.op("Less", "opset1", {apart, number(0)});
  const OutPort tangent = in.divide(in.select(negative, in.op("Negative", "opset1", {twice}), twice), size);
  const OutPort cosine =
      in.divide(number(1), in.op("Sqrt", "opset1", {in.add(in.multiply(tangent, tangent), number(1))}));
  const OutPort sine = in.multiply(tangent, cosine);
  const OutPort first = in.subtract(in.multiply(cosine, pair[0]), in.multiply(sine, pair[1])),
                second = in.add(in.multiply(sine, pair[0]), in.multiply(cosine, pair[1]));
  // The first column stays, all others go round.
  Ints order{0};
  if (half > 1) order.push_back(half);
  for (int64_t i = 1; i < half - 1; ++i) order.push_back(i);
  for (int64_t i = half + 1; i < 2 * half; ++i) order.push_back(i);
  order.push_back(half > 1 ? half - 1 : 1);
  const OutPort turned = in.gather(in.concat({first, second}, 2), in.list(order), 2);
  body.next(body.out("turned", turned, 0), now);
  body.condition(in.constant(Tensor::scalar<bool>(b.context(), true)));
  Ports inputs = body.inputs();
  inputs[0] = b.integer(10 * (2 * half - 1));
  inputs[1] = b.constant(Tensor::scalar<bool>(b.context(), true));
  const Node loop = b.node("Loop", "opset5", inputs, 1);
  body.set(loop);
  loop.out_port().set_shape(x.type(), Shape::unknown());
  const OutPort lengths = b.reduce("ReduceL2", loop.out_port(), b.list({1}), false);
  const Node sorted = b.node("TopK", "opset3", {lengths, b.integer(values)}, 2);
  sorted.set("axis", -1).set("mode", "max").set("sort", "value").set("index_element_type", ElementType::i64);
  const OutPort batch = b.part(b.shape_of(x), INT64_MIN, -2), none = b.like(x, std::vector<double>{}, {0});
  return {b.reshape(sorted.out_port(), b.concat({batch, b.list({values})})), none, none};
}

void register_linear_algebra(Registry& r) {
  for (const char* op : {"Svd", "BatchSvd"})
    replace<singular_values>(r, {op, text(op, "(a)"), "ReduceL2(Loop(a)), sorted"});
  for (const char* op : {"Cholesky", "BatchCholesky"}) replace<cholesky>(r, {op, text(op, "(a)"), "Loop(a)"});
  for (const char* op : {"MatrixDeterminant", "BatchMatrixDeterminant", "LogMatrixDeterminant"})
    replace<determinant>(r, {op, text(op, "(a)"), "Loop(a)"});
  for (const char* op : {"MatrixSolve", "BatchMatrixSolve"})
    replace<matrix_solve>(r, {op, text(op, "(a, b)"), "MatMul(Inverse(a), b)"});
  for (const char* op : {"MatrixTriangularSolve", "BatchMatrixTriangularSolve"})
    replace<triangular_solve>(r, {op, text(op, "(a, b)"), "MatMul(Inverse(Select(triangle, a, 0)), b)"});
}

}  // namespace mo::tensorflow
