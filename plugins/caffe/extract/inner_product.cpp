// InnerProduct: dimensions from `axis` on become one, which is multiplied. Embed: rows by their numbers.
#include "support/convert_layers.hpp"

namespace mo::caffe {

static Ports inner_product(Layer& l) {
  const OutPort x = l.in(0);
  const size_t axis = l.axis(l.integer("inner_product_param.axis", 1), x, "axis");
  const int64_t outputs = l.integer("inner_product_param.num_output", 0);
  require(outputs > 0, "num_output is missing");
  const Shape s = l.shape(x);
  int64_t inputs = -1;
  if (l.blobs() == 0) {
    inputs = 1;
    for (size_t i = axis; i < l.rank(x); ++i)
      require(!__builtin_mul_overflow(inputs, l.dim(x, i), &inputs), "it reads a blob of shape ", s);
  }
  const bool transposed = l.flag("inner_product_param.transpose", false);
  const OutPort weights =
      l.constant(l.weights(0, transposed ? Ints{inputs, outputs} : Ints{outputs, inputs}));
  OutPort flat = x;
  if (!s.has_rank() || s.size() != axis + 1) {
    Ints dims(axis, 0);
    dims.push_back(-1);
    flat = l.reshape(x, dims);
  }
  const Node m = l.with("MatMul", "opset1", {flat, weights});
  m.set("transpose_a", false).set("transpose_b", !transposed);
  if (!l.flag("inner_product_param.bias_term", true)) return {m.out_port()};
  return {l.add(m.out_port(), l.constant(l.weights(1, {outputs})))};
}

static Ports embed(Layer& l) {
  const int64_t outputs = l.integer("embed_param.num_output", 0),
                rows = l.integer("embed_param.input_dim", 0);
  require(outputs > 0 && rows > 0, "num_output or input_dim is missing");
  const OutPort index = l.convert(l.in(0), ElementType::i32);
  const OutPort weights = l.constant(l.weights(0, {rows, outputs}));
  const OutPort row = l.op("Gather", "opset1", {weights, index, l.integer_constant(0)});
  if (!l.flag("embed_param.bias_term", true)) return {row};
  return {l.add(row, l.constant(l.weights(1, {outputs})))};
}

void register_inner_product(Items& items) {
  items.layer("InnerProduct", &inner_product);
  items.layer("inner_product", &inner_product);
  items.layer("Embed", &embed);
}

}  // namespace mo::caffe
