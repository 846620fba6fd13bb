// InnerProduct: dimensions from `axis` on become one, which is multiplied. Embed: rows by their numbers.
#include "support/registering.hpp"

namespace mo::caffe {

static Ports inner_product(Build& b, const SourceNode& l) {
  const OutPort x = bottom(l, 0);
  const size_t axis = axis_of(integer(l, "inner_product_param.axis", 1), x, "axis");
  const int64_t outputs = integer(l, "inner_product_param.num_output", 0);
  require(outputs > 0, "num_output is missing");
  const Shape s = shape_of(x);
  int64_t inputs = -1;
  if (blob_count(l) == 0) {
    inputs = 1;
    for (size_t i = axis; i < rank_of(x); ++i)
      require(!__builtin_mul_overflow(inputs, dim_of(x, i), &inputs), "it reads a blob of shape ", s);
  }
  const bool transposed = flag(l, "inner_product_param.transpose", false);
  const OutPort matrix =
      b.constant(weights(l, 0, transposed ? Ints{inputs, outputs} : Ints{outputs, inputs}));
  OutPort flat = x;
  if (!s.has_rank() || s.size() != axis + 1) {
    Ints dims(axis, 0);
    dims.push_back(-1);
    flat = reshaped(b, x, dims);
  }
  const Node m = b.node("MatMul", "opset1", {flat, matrix});
  m.set("transpose_a", false).set("transpose_b", !transposed);
  if (!flag(l, "inner_product_param.bias_term", true)) return {m.out_port()};
  return {b.add(m.out_port(), b.constant(weights(l, 1, {outputs})))};
}

static Ports embed(Build& b, const SourceNode& l) {
  const int64_t outputs = integer(l, "embed_param.num_output", 0),
                rows = integer(l, "embed_param.input_dim", 0);
  require(outputs > 0 && rows > 0, "num_output or input_dim is missing");
  const OutPort index = b.convert(bottom(l, 0), ElementType::i32);
  const OutPort table = b.constant(weights(l, 0, {rows, outputs}));
  const OutPort row = b.op("Gather", "opset1", {table, index, b.integer(0)});
  if (!flag(l, "embed_param.bias_term", true)) return {row};
  return {b.add(row, b.constant(weights(l, 1, {outputs})))};
}

void register_inner_product(Registry& r) {
  convert<inner_product>(r, "InnerProduct", "InnerProduct(x, weights, bias)",
                         "Add(MatMul(Reshape(x), weights), bias)");
  convert<embed>(r, "Embed", "Embed(index, weights, bias)", "Add(Gather(weights, index), bias)");
}

}  // namespace mo::caffe
