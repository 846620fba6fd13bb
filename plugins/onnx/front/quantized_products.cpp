// Products and convolutions of quantized tensors: those of the floats that they stand for. Weights stay
// packed in front of a Convert. What is rounded and read again becomes FakeQuantize
// (front.fuse_quantize_pairs), which is what low-precision transformations of runtimes take.
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

// One entry for each output channel of the weights, which are dimension 0 there.
static OutPort for_weights(const Build& b, const OutPort& parameter, size_t spatial) {
  const Shape s = parameter ? parameter.shape() : Shape{};
  if (s.rank() != 1) return parameter;
  if (s[0] == Dim(1)) return as_scalar(b, parameter);
  Ints shape(spatial + 2, 1);
  shape[0] = -1;
  return b.reshape(parameter, shape);
}

// A sum of integers that is scaled next stays a float.
static OutPort as_integer(const Build& b, const SourceNode& n, const OutPort& sum) {
  const auto readers = n.out_port().get_destinations();
  const bool scaled = !readers.empty() && std::all_of(readers.begin(), readers.end(), [](const InPort& r) {
    const Node c = r.node();
    return c.is("Convert") && is_float(c.attr<ElementType>("destination_type"));
  });
  return scaled ? sum : b.convert(sum, ElementType::i32);
}

}  // namespace quantized

static Ports mat_mul_integer(Build& b, const SourceNode& n) {
  using namespace quantized;
  constexpr auto f32 = ElementType::f32;
  return {as_integer(b, n,
                     b.matmul(centred(b, b.in(0), by_row(b, optional(b, 2)), f32),
                              centred(b, b.in(1), by_column(b, optional(b, 3)), f32)))};
}

static Ports q_linear_mat_mul(Build& b, const SourceNode&) {
  using namespace quantized;
  const OutPort y = b.matmul(dequantized(b, b.in(0), by_row(b, b.in(1)), by_row(b, b.in(2))),
                             dequantized(b, b.in(3), by_column(b, b.in(4)), by_column(b, b.in(5))));
  return {requantized(b, y, by_row(b, b.in(6)), by_row(b, b.in(7)), b.in(7).type())};
}

// Padding is the zero point, and so 0 behind the subtraction.
static Ports conv_integer(Build& b, const SourceNode& n) {
  using namespace quantized;
  constexpr auto f32 = ElementType::f32;
  const size_t spatial = conv_spatial_rank(b, n, 0, 1);
  const OutPort weights = centred(b, b.in(1), for_weights(b, optional(b, 3), spatial), f32);
  return {as_integer(
      b, n, convolve(b, n, centred(b, b.in(0), by_column(b, optional(b, 2)), f32), weights, spatial))};
}

// In com.microsoft channels may be last.
static Ports q_linear_conv(Build& b, const SourceNode& n) {
  using namespace quantized;
  const size_t spatial = conv_spatial_rank(b, n, 0, 3);
  const auto rank = static_cast<int64_t>(spatial) + 2;
  const bool last = n.native("channels_last", 0) != 0;
  const OutPort scale = as_scalar(b, b.in(1)), weight_scale = for_weights(b, b.in(4), spatial);
  OutPort x = dequantized(b, b.in(0), scale, by_column(b, optional(b, 2)));
  if (last) x = b.channels_first(x, rank);
  OutPort y = convolve(
      b, n, x, dequantized(b, b.in(3), weight_scale, for_weights(b, optional(b, 5), spatial)), spatial);
  if (b.has(8)) {
    const auto multiplied = [&](const OutPort& l, const OutPort& r) {
      return b.op("Multiply", "opset1", {b.convert(l, ElementType::f32), b.convert(r, ElementType::f32)});
    };
    const OutPort bias = multiplied(b.in(8), multiplied(scale, by_column(b, b.in(4))));
    y = b.add(y, conv_bias(b, bias, spatial));
  }
  if (last) y = b.channels_last(y, rank);
  const OutPort zero = b.has(7) ? as_scalar(b, b.in(7)) : OutPort();
  return {requantized(b, y, as_scalar(b, b.in(6)), zero, (zero ? zero : b.in(0)).type())};
}

void register_quantized_products(Registry& r) {
  replace<mat_mul_integer>(
      r, {"MatMulInteger", "MatMulInteger(a, b, p, q)", "MatMul(Subtract(a, p), Subtract(b, q))"});
  replace<q_linear_mat_mul>(r, {"QLinearMatMul", "QLinearMatMul(a, …, b, …)", "quantized MatMul(a, b)"});
  replace<conv_integer>(
      r, {"ConvInteger", "ConvInteger(x, w, p, q)", "Convolution(Subtract(x, p), Subtract(w, q))"});
  replace<q_linear_conv>(r, {"QLinearConv",
                             "QLinearConv(x, …, w, …, b)",
                             "quantized Add(Convolution(x, w), b)",
                             {},
                             {},
                             "com.microsoft"});
}

}  // namespace mo::onnx
