// Operators on 8-bit matrices that say how these are stored. By rows, which is how everything is stored here,
// and constant weights by columns; the tiles of one vendor's GPUs are refused.
#include "support/microsoft_quantized.hpp"

namespace mo::onnx {

namespace ms {

namespace ordered {

enum Order : int64_t { by_columns = 0, by_rows = 1 };

static void require_rows(const SourceNode& n, std::initializer_list<const char*> attributes) {
  for (const char* a : attributes)
    require(n.native(a, int64_t{by_rows}) == by_rows, "attribute '", a, "' is ",
            n.native(a, int64_t{by_rows}),
            ", a storage of matrices for one vendor's GPUs; quantize the model with order 1, by rows");
}

// Zero points are 0.
static OutPort numbers(const Build& b, size_t i) {
  return dequantized(b, b.in(i), as_scalar(b, b.in(i + 1)), OutPort());
}
static OutPort bytes(const Build& b, const OutPort& y, size_t scale) {
  return requantized(b, y, as_scalar(b, b.in(scale)), OutPort(), ElementType::i8);
}

// [rows, columns] behind `transposed` weights, whose bytes go along the columns.
static OutPort weights(const Build& b, const SourceNode& n, bool& transposed) {
  transposed = n.native<int64_t>("order_B") == by_columns;
  OutPort w = b.in(2);
  if (!transposed)
    require_rows(n, {"order_B"});
  else {
    const auto value = b.constant(2);
    require(value && value->rank() == 2,
            "attribute 'order_B' is 0, by columns, which needs constant weights "
            "of two dimensions in input 2");
    w = b.constant(value->reshaped(b.context(), {value->dim(1), value->dim(0)}));
  }
  const Shape s = b.in(3).shape();
  OutPort scale = b.in(3);
  if (s.rank() == 1 && s[0] == Dim(1))
    scale = as_scalar(b, scale);
  else if (transposed && s.rank() == 1)
    scale = b.reshape(scale, Ints{-1, 1});
  return dequantized(b, w, scale, OutPort());
}

}  // namespace ordered

static Ports quantize_with_order(Build& b, const SourceNode& n) {
  ordered::require_rows(n, {"order_input", "order_output"});
  return {ordered::bytes(b, b.in(0), 1)};
}

static Ports dequantize_with_order(Build& b, const SourceNode& n) {
  ordered::require_rows(n, {"order_input", "order_output"});
  const auto to = n.native<int64_t>("to");
  require(to == 1 || to == 10, "attribute 'to' is ", to, ", expected 1 for f32 or 10 for f16");
  return {b.convert(ordered::numbers(b, 0), to == 1 ? ElementType::f32 : ElementType::f16)};
}

static Ports q_ordered_matmul(Build& b, const SourceNode& n) {
  ordered::require_rows(n, {"order_A", "order_Y"});
  bool transposed = false;
  const OutPort w = ordered::weights(b, n, transposed);
  OutPort y = plus_input(b, matmul(b, ordered::numbers(b, 0), w, false, transposed), 5);
  if (b.has(6)) y = add(b, y, ordered::numbers(b, 6));
  return {ordered::bytes(b, y, 4)};
}

static Ports q_ordered_gelu(Build& b, const SourceNode& n) {
  ordered::require_rows(n, {"order_X", "order_Y"});
  return {ordered::bytes(b, gelu(b, ordered::numbers(b, 0), false), 2)};
}

static Ports q_ordered_layer_normalization(Build& b, const SourceNode& n) {
  ordered::require_rows(n, {"order_X", "order_Y"});
  const auto f32 = [&](size_t i) { return b.has(i) ? b.convert(b.in(i), ElementType::f32) : OutPort(); };
  const OutPort y =
      layer_norm(b, ordered::numbers(b, 0), f32(2), f32(3), n.native("epsilon", 1e-5), false, axis_of(n, -1))
          .y;
  return {ordered::bytes(b, y, 4)};
}

}  // namespace ms

void register_q_ordered(Registry& r) {
  using namespace ms;
  replace<quantize_with_order>(r, {"QuantizeWithOrder", "QuantizeWithOrder(x, s)", "quantized x", domain});
  replace<dequantize_with_order>(
      r, {"DequantizeWithOrder", "DequantizeWithOrder(x, s)", "Multiply(Convert(x), s)", domain});
  replace<q_ordered_matmul>(r, {"QOrderedMatMul", "QOrderedMatMul(a, …, b, …, bias, c)",
                                "quantized Add(Add(MatMul(a, b), bias), c)", domain});
  replace<q_ordered_gelu>(r, {"QOrderedGelu", "QOrderedGelu(x, …)", "quantized Gelu(x)", domain});
  replace<q_ordered_layer_normalization>(
      r, {"QOrderedLayerNormalization", "QOrderedLayerNormalization(x, …, w, b)",
          "quantized Add(Multiply(MVN(x), w), b)", domain});
}

}  // namespace mo::onnx
