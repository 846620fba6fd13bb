// Products of quantized tensors: integers are multiplied as i32, which is exact.
#include "support/convolve.hpp"
#include "support/quantize.hpp"

namespace mo::onnx {

namespace quantized {

static OutPort optional(const Build& b, size_t i) { return b.has(i) ? b.in(i) : OutPort(); }

// A list has one entry for each row of the matrices.
static OutPort by_row(const Build& b, const OutPort& parameter) {
  if (!parameter) return parameter;
  const Shape s = parameter.shape();
  if (s.rank() != 1) return parameter;
  return s[0] == Dim(1) ? as_scalar(b, parameter) : b.reshape(parameter, Ints{-1, 1});
}
static OutPort by_column(const Build& b, const OutPort& parameter) {
  if (!parameter) return parameter;
  const Shape s = parameter.shape();
  return s.rank() == 1 && s[0] == Dim(1) ? as_scalar(b, parameter) : parameter;
}

static OutPort multiply(const Build& b, const OutPort& x, const OutPort& y) {
  const Node m = b.node("MatMul", "opset1", {x, y});
  m.set("transpose_a", false).set("transpose_b", false);
  return m.out_port();
}

// From the scale of the integers to the scale and type of the result.
static OutPort rescaled(const Build& b, const OutPort& sum, const OutPort& left, const OutPort& right,
                        const OutPort& scale, const OutPort& zero_point, ElementType type) {
  const auto f32 = [&](const OutPort& p) { return b.convert(p, ElementType::f32); };
  require(type != ElementType::unknown, "the type of its zero point cannot be told from the model");
  const OutPort factor =
      b.op("Divide", "opset1", {b.op("Multiply", "opset1", {f32(left), f32(right)}), f32(scale)});
  const OutPort quotient = b.op("Multiply", "opset1", {f32(sum), factor});
  return saturated(b, quotient, zero_point, type);
}

// One entry for each output channel of the weights, which are dimension 0 there.
static OutPort for_weights(const Build& b, const OutPort& parameter, size_t spatial) {
  const Shape s = parameter ? parameter.shape() : Shape{};
  if (s.rank() != 1) return parameter;
  if (s[0] == Dim(1)) return as_scalar(b, parameter);
  Ints shape(spatial + 2, 1);
  shape[0] = -1;
  return b.reshape(parameter, shape);
}
static OutPort for_channels(const Build& b, const OutPort& parameter, size_t spatial) {
  const Shape s = parameter.shape();
  if (s.rank() != 1) return parameter;
  return s[0] == Dim(1) ? as_scalar(b, parameter) : conv_bias(b, parameter, spatial);
}

}  // namespace quantized

static Ports mat_mul_integer(Build& b, const SourceNode&) {
  using namespace quantized;
  return {multiply(b, centred(b, b.in(0), by_row(b, optional(b, 2))),
                   centred(b, b.in(1), by_column(b, optional(b, 3))))};
}

static Ports q_linear_mat_mul(Build& b, const SourceNode&) {
  using namespace quantized;
  const OutPort sum =
      multiply(b, centred(b, b.in(0), by_row(b, b.in(2))), centred(b, b.in(3), by_column(b, b.in(5))));
  return {rescaled(b, sum, by_row(b, b.in(1)), by_column(b, b.in(4)), by_row(b, b.in(6)), by_row(b, b.in(7)),
                   b.in(7).type())};
}

// Padding is the zero point, and so 0 behind the subtraction.
static Ports conv_integer(Build& b, const SourceNode& n) {
  using namespace quantized;
  const size_t spatial = conv_spatial_rank(b, n, 0, 1);
  return {convolve(b, n, centred(b, b.in(0), by_column(b, optional(b, 2))),
                   centred(b, b.in(1), for_weights(b, optional(b, 3), spatial)), spatial)};
}

static Ports q_linear_conv(Build& b, const SourceNode& n) {
  using namespace quantized;
  const size_t spatial = conv_spatial_rank(b, n, 0, 3);
  OutPort sum = convolve(b, n, centred(b, b.in(0), by_column(b, b.in(2))),
                         centred(b, b.in(3), for_weights(b, b.in(5), spatial)), spatial);
  if (b.has(8))
    sum = b.op("Add", "opset1", {sum, conv_bias(b, b.convert(b.in(8), ElementType::i32), spatial)});
  return {rescaled(b, sum, by_column(b, b.in(1)), for_channels(b, b.in(4), spatial), by_column(b, b.in(6)),
                   by_column(b, b.in(7)), b.in(7).type())};
}

void register_quantized_products(Registry& r) {
  replace<mat_mul_integer>(
      r, {"MatMulInteger", "MatMulInteger(a, b, p, q)", "MatMul(Subtract(a, p), Subtract(b, q))"});
  replace<q_linear_mat_mul>(
      r, {"QLinearMatMul", "QLinearMatMul(a, …, b, …)",
          "Convert(Clamp(Round(MatMul(Subtract(a, p), Subtract(b, q)) * factor) + zero))"});
  replace<conv_integer>(
      r, {"ConvInteger", "ConvInteger(x, w, p, q)", "Convolution(Subtract(x, p), Subtract(w, q))"});
  replace<q_linear_conv>(
      r, {"QLinearConv", "QLinearConv(x, …, w, …, b)",
          "Convert(Clamp(Round((Convolution(Subtract(x, p), Subtract(w, q)) + b) * factor) + zero))"});
}

}  // namespace mo::onnx
