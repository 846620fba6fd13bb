// Singular values: pairs of columns are turned until all are at right angles to each other (one-sided Jacobi); their
// lengths are the values then.
//   Svd(a), of which the values are read   ->   TensorIterator(a, pairs of columns), Sqrt(ReduceSum(columns^2)), TopK
#include "support/build.hpp"

#include <mo/bodies.hpp>

namespace mo::tensorflow {

namespace singular_values {

// Ten rounds over all pairs: of float numbers nothing changes after six to eight, of 64 columns as well.
constexpr int64_t rounds = 10, most_columns = 64;

static Tensor pairs(const Build& b, int64_t columns) {
  Ints list;
  for (int64_t round = 0; round < rounds; ++round)
    for (int64_t p = 0; p < columns; ++p)
      for (int64_t q = p + 1; q < columns; ++q) list.insert(list.end(), {p, q});
  const auto count = static_cast<int64_t>(list.size()) / 2;
  return Tensor::vector<int64_t>(b.context(), list).reshaped(b.context(), {count, 2});
}

static OutPort sum_of_rows(const Build& b, const OutPort& x, bool keep) {
  return b.reduce("ReduceSum", x, b.list({1}), keep);
}

// The two columns of [batch, rows, columns] that `pair` names, turned so that their product is 0.
static OutPort turned(const Build& b, const OutPort& matrix, const OutPort& pair) {
  const OutPort both = b.gather(matrix, pair, 2);
  const OutPort x = b.gather(both, b.list({0}), 2), y = b.gather(both, b.list({1}), 2);
  const OutPort product = sum_of_rows(b, b.multiply(x, y), true);
  const OutPort one = b.like(matrix, 1), zero = b.like(matrix, 0);
  const OutPort done = b.op("Equal", "opset1", {product, zero});
  const OutPort more =
      b.subtract(sum_of_rows(b, b.multiply(y, y), true), sum_of_rows(b, b.multiply(x, x), true));
  const OutPort ratio = b.divide(more, b.select(done, one, b.multiply(b.like(matrix, 2), product)));
  const auto length = [&](const OutPort& v) {
    return b.op("Sqrt", "opset1", {b.add(one, b.multiply(v, v))});
  };
  const OutPort size = b.divide(one, b.add(b.op("Abs", "opset1", {ratio}), length(ratio)));
  const OutPort negative = b.op("Less", "opset1", {ratio, zero});
  const OutPort tangent = b.select(done, zero, b.select(negative, b.op("Negative", "opset1", {size}), size));
  const OutPort cosine = b.divide(one, length(tangent)), sine = b.multiply(tangent, cosine);
  const OutPort first = b.subtract(b.multiply(cosine, x), b.multiply(sine, y));
  const OutPort second = b.add(b.multiply(sine, x), b.multiply(cosine, y));
  return b.op("ScatterUpdate", "opset3", {matrix, pair, b.concat({first, second}, 2), b.integer(2)});
}

}  // namespace singular_values

static Ports svd(Build& b, const SourceNode& n) {
  using namespace singular_values;
  const OutPort a = b.in(0);
  require_float(a, "the matrix");
  require(!b.wants(1) && !b.wants(2),
          "its vectors are read, of which any may have the other sign; values alone are converted");
  if (!a.shape().is_static()) b.graph().infer_marked();
  const Shape shape = a.shape();
  require(shape.has_rank() && shape.rank() >= 2, "its matrix has shape ", shape, "; expected rank 2 or more");
  const Dim rows = shape[shape.size() - 2], columns = shape[shape.size() - 1];
  require(rows.is_static() && columns.is_static(), "the size of its matrix is not known: shape ", shape);
  const int64_t count = std::min(rows.value(), columns.value()),
                length = std::max(rows.value(), columns.value());
  require(count >= 1 && count <= most_columns, "its matrix is ", rows, " by ", columns,
          "; singular values are computed of 1 to ", most_columns, " columns or rows");
  const OutPort flat = b.reshape(a, Ints{-1, rows.value(), columns.value()});
  OutPort matrix = rows.value() < columns.value() ? b.transpose(flat, {0, 2, 1}) : flat;
  if (count > 1) {
    BodyBuilder body(b.graph().create_sub_graph(text(n.name(), "/body")));
    const OutPort state = body.in("matrix", matrix, {}, a.type());
    const OutPort pair = body.in("pair", b.constant(pairs(b, count)), Slices{0});
    state.set_shape(a.type(), {any_dim, Dim(length), Dim(count)});
    pair.set_shape(ElementType::i64, {Dim(1), Dim(2)});
    const Build in(body.graph(), n);
    body.next(body.out("next", turned(in, state, in.reshape(pair, Ints{-1})), 0), state);
    const Node loop = b.node("TensorIterator", "opset1", body.inputs());
    body.set(loop);
    loop.out_port().set_shape(a.type(), Shape::unknown());
    matrix = loop.out_port();
  }
  const OutPort lengths = b.op("Sqrt", "opset1", {sum_of_rows(b, b.multiply(matrix, matrix), false)});
  const Node sorted = b.node("TopK", "opset3", {lengths, b.integer(count)}, 2);
  sorted.set("axis", 1).set("mode", "max").set("sort", "value").set("index_element_type", ElementType::i64);
  const OutPort lead = b.part(b.shape_of(a), INT64_MIN, -2);
  return {b.reshape(sorted.out_port(0), b.concat({lead, b.list({count})}))};
}

void register_singular_values(Registry& r) {
  for (const char* op : {"Svd", "BatchSvd"})
    replace<svd>(r, {op, text(op, "(a)"), "TopK(Sqrt(ReduceSum(turned columns^2)))"});
}

}  // namespace mo::tensorflow
