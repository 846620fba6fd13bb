// Operators on 8-bit numbers, element by element: what they stand for is computed as f32.
#include "support/microsoft_quantized.hpp"

namespace mo::onnx {

namespace ms {

static Ports q_linear_add(Build& b, const SourceNode&) {
  return {requantized(b, b.add(dequantized(b, 0), dequantized(b, 3)), 6, 0)};
}
static Ports q_linear_mul(Build& b, const SourceNode&) {
  return {requantized(b, b.multiply(dequantized(b, 0), dequantized(b, 3)), 6, 0)};
}
static Ports q_linear_sigmoid(Build& b, const SourceNode&) {
  return {requantized(b, b.op("Sigmoid", "opset1", {dequantized(b, 0)}), 3, 0)};
}
static Ports q_linear_leaky_relu(Build& b, const SourceNode& n) {
  const OutPort slope =
      b.constant(Tensor::filled(b.context(), ElementType::f32, {n.native("alpha", 0.01)}, {1}));
  return {requantized(b, b.op("PReLU", "opset1", {dequantized(b, 0), slope}), 3, 0)};
}
static Ports q_linear_where(Build& b, const SourceNode&) {
  return {requantized(b, b.select(b.in(0), dequantized(b, 1), dequantized(b, 4)), 7, 1)};
}

// Inputs 0 and 1 belong to the output, and three to each part.
static Ports q_linear_concat(Build& b, const SourceNode& n) {
  require(n.in_count() >= 5 && (n.in_count() - 2) % 3 == 0, "it has ", n.in_count(),
          " inputs, expected 2 and three for each part");
  Ports parts;
  for (size_t i = 2; i + 2 < n.in_count(); i += 3) parts.push_back(dequantized(b, i));
  return {requantized(b, b.concat(parts, axis_of(n)), 0, 2)};
}

// Below version 13 of ONNX's operators, all dimensions from the axis on count as one.
static Ports q_linear_softmax(Build& b, const SourceNode& n) {
  const auto axis = axis_of(n, -1), version = n.native("opset", 13);
  const OutPort x = dequantized(b, 0);
  const auto softmax = [&](const OutPort& y, int64_t a) { return b.softmax(y, a); };
  if (version >= 13) return {requantized(b, softmax(x, axis), 3, 0)};
  const OutPort matrix = softmax(to_matrix(b, x, axis), 1);
  return {requantized(b, b.reshape(matrix, b.shape_of(b.in(0))), 3, 0)};
}

}  // namespace ms

void register_q_linear_arithmetic(Registry& r) {
  using namespace ms;
  replace<q_linear_add>(r, {"QLinearAdd", "QLinearAdd(a, …, b, …)", "quantized Add(a, b)", domain});
  replace<q_linear_mul>(r, {"QLinearMul", "QLinearMul(a, …, b, …)", "quantized Multiply(a, b)", domain});
  replace<q_linear_sigmoid>(r, {"QLinearSigmoid", "QLinearSigmoid(x, …)", "quantized Sigmoid(x)", domain});
  replace<q_linear_leaky_relu>(
      r, {"QLinearLeakyRelu", "QLinearLeakyRelu(x, …)", "quantized PReLU(x, alpha)", domain});
  replace<q_linear_where>(
      r, {"QLinearWhere", "QLinearWhere(c, a, …, b, …)", "quantized Select(c, a, b)", domain});
  replace<q_linear_concat>(r, {"QLinearConcat", "QLinearConcat(…, x, …)", "quantized Concat(x, …)", domain});
  replace<q_linear_softmax>(r, {"QLinearSoftmax", "QLinearSoftmax(x, …)", "quantized SoftMax(x)", domain});
}

}  // namespace mo::onnx
