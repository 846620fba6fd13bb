// Matrix products of 8-bit numbers: QGemm, MatMulIntegerToFloat, DynamicQuantizeMatMul and products that stay
// integers.
#include "support/microsoft_quantized.hpp"
#include "support/quantize.hpp"

namespace mo::onnx {

namespace ms {

// A list has an entry for each column of the matrix.
static OutPort column_parameter(const Build& b, size_t i) {
  if (!b.has(i)) return {};
  const Shape s = b.in(i).shape();
  return s.rank() == 1 && s[0] == Dim(1) ? as_scalar(b, b.in(i)) : b.in(i);
}

// With the factor of both scales behind the product, which is exact as long as the sums fit into f32.
static Ports q_gemm(Build& b, const SourceNode& n) {
  const bool transposed = n.native("transB", 0) != 0;
  const auto by_column = [&](size_t i) {
    const OutPort p = column_parameter(b, i);
    return p && transposed && p.shape().rank() == 1 ? b.unsqueeze(p, b.list({1})) : p;
  };
  const OutPort l = dequantized(b, 0);
  const OutPort r = dequantized(b, b.in(3), by_column(4), by_column(5));
  OutPort y = b.matmul(l, r, n.native("transA", 0) != 0, transposed);
  const double alpha = n.native("alpha", 1.0);
  if (b.has(6)) {
    const OutPort scale = b.multiply(as_scalar(b, b.in(1)), column_parameter(b, 4));
    y = b.add(y, b.multiply(b.convert(b.in(6), ElementType::f32), scale));
  }
  if (alpha != 1) y = b.multiply(y, b.constant(Tensor::filled(b.context(), ElementType::f32, {alpha}, {})));
  return {b.has(7) ? requantized(b, y, 7, 0) : y};
}

static Ports integers_to_float(Build& b, const SourceNode&) {
  const OutPort l = dequantized(b, b.in(0), column_parameter(b, 2), column_parameter(b, 4));
  const OutPort r = dequantized(b, b.in(1), column_parameter(b, 3), column_parameter(b, 5));
  return {plus_input(b, b.matmul(l, r), 6)};
}

// Scale and zero point are such that the range of x and 0 fit into 0 to 255.
static OutPort rounded_to_bytes(const Build& b, const OutPort& x) {
  const auto one = [&](double v) { return b.like(x, v); };
  const auto op = [&](std::string_view t, const OutPort& l, const OutPort& r) {
    return b.op(t, "opset1", {l, r});
  };
  const OutPort axes = b.axes(x, 0, INT64_MAX);
  const OutPort least = op("Minimum", b.reduce("ReduceMin", x, axes, false), one(0));
  const OutPort most = op("Maximum", b.reduce("ReduceMax", x, axes, false), one(0));
  const OutPort width = b.divide(b.subtract(most, least), one(255));
  const OutPort scale = b.select(op("Equal", width, one(0)), one(1), width);
  const OutPort point =
      saturated(b, b.divide(b.op("Negative", "opset1", {least}), scale), {}, ElementType::u8);
  return dequantized(b, saturated(b, b.divide(x, scale), point, ElementType::u8), scale, point);
}

static Ports dynamic_quantize_matmul(Build& b, const SourceNode&) {
  const OutPort r = dequantized(b, b.in(1), column_parameter(b, 2), column_parameter(b, 3));
  return {plus_input(b, b.matmul(rounded_to_bytes(b, b.in(0)), r), 4)};
}

static Ports matmul_integer_16(Build& b, const SourceNode&) {
  return {b.matmul(b.convert(b.in(0), ElementType::i32), b.convert(b.in(1), ElementType::i32))};
}

static Ports mul_integer(Build& b, const SourceNode&) {
  return {b.multiply(centred(b, b.in(0), optional(b, 1)), centred(b, b.in(2), optional(b, 3)))};
}

static Ports reduce_sum_integer(Build& b, const SourceNode& n) {
  const ElementType type = b.in(0).type() == ElementType::u8 ? ElementType::u32 : ElementType::i32;
  return {b.reduce("ReduceSum", b.convert(b.in(0), type), b.list(n.native<Ints>("axes")),
                   n.native("keepdims", 1) != 0)};
}

}  // namespace ms

void register_q_products(Registry& r) {
  using namespace ms;
  replace<q_gemm>(r, {"QGemm", "QGemm(a, …, b, …, c)", "quantized Add(MatMul(a, b), c)", domain});
  replace<integers_to_float>(r, {"MatMulIntegerToFloat", "MatMulIntegerToFloat(a, b, …, bias)",
                                 "Add(MatMul((a - p) * s, (b - q) * t), bias)", domain});
  replace<dynamic_quantize_matmul>(r, {"DynamicQuantizeMatMul", "DynamicQuantizeMatMul(a, b, t, q, bias)",
                                       "Add(MatMul(a rounded to 256 values, (b - q) * t), bias)", domain});
  replace<matmul_integer_16>(r, {"MatMulInteger16", "MatMulInteger16(a, b)", "MatMul(a, b) as i32", domain});
  replace<mul_integer>(r, {"MulInteger", "MulInteger(a, p, b, q)", "Multiply(a - p, b - q) as i32", domain});
  replace<reduce_sum_integer>(r, {"ReduceSumInteger", "ReduceSumInteger(x)", "ReduceSum(x) as i32", domain});
}

}  // namespace mo::onnx
