// Pooling, means and convolutions of 8-bit numbers, whose channels may be last.
#include "support/convolve.hpp"
#include "support/microsoft_quantized.hpp"
#include "support/quantize.hpp"
#include "support/windows.hpp"

namespace mo::onnx {

namespace ms {

static Ports q_linear_average_pool(Build& b, const SourceNode& n) {
  const Windows w = read_windows(n);
  require(w.dilations == Ints(w.kernel.size(), 1), "a dilated average is not supported");
  const bool last = n.native("channels_last", 0) != 0;
  const size_t rank = w.kernel.size() + 2;
  OutPort x = dequantized(b, 0);
  if (last) x = channels_first(b, x, rank);
  const Node p = b.node("AvgPool", "opset1", {x});
  set_windows(p, w);
  p.set("exclude-pad", n.native("count_include_pad", 0) == 0);
  OutPort y = p.out_port();
  if (last) y = channels_last(b, y, rank);
  return {requantized(b, y, 3, 0)};
}

static Ports q_linear_global_average_pool(Build& b, const SourceNode& n) {
  const bool last = n.native("channels_last", 0) != 0;
  const OutPort axes = last ? b.axes(b.in(0), 1, -1) : b.axes(b.in(0), 2, INT64_MAX);
  return {requantized(b, b.reduce("ReduceMean", dequantized(b, 0), axes, true), 3, 0)};
}

static Ports q_linear_reduce_mean(Build& b, const SourceNode& n) {
  const auto listed = n.find_native<Ints>("axes").value_or(Ints{});
  const OutPort axes = listed.empty() ? b.axes(b.in(0), 0, INT64_MAX) : b.list(listed);
  const bool keep = n.native<int64_t>("keepdims", 1) != 0;
  return {requantized(b, b.reduce("ReduceMean", dequantized(b, 0), axes, keep), 3, 0)};
}

// One scale and zero point for each output channel of the weights, or one for all.
static OutPort q_conv_weights(const Build& b, size_t spatial) {
  const auto by_channel = [&](size_t i) {
    if (!b.has(i)) return OutPort();
    Ints shape(spatial + 2, 1);
    shape[0] = -1;
    return b.reshape(b.in(i), shape);
  };
  return dequantized(b, b.in(3), by_channel(4), by_channel(5));
}

static Ports q_linear_conv_last(Build& b, const SourceNode& n) {
  const size_t spatial = conv_spatial_rank(b, n, 0, 3);
  const bool last = n.native("channels_last", 0) != 0;
  OutPort x = dequantized(b, 0);
  if (last) x = channels_first(b, x, spatial + 2);
  OutPort y = convolve(b, n, x, q_conv_weights(b, spatial), spatial);
  if (b.has(8)) {
    const OutPort factor = multiply(b, as_scalar(b, b.in(1)), b.in(4));
    const OutPort bias = multiply(b, b.convert(b.in(8), ElementType::f32), factor);
    y = add(b, y, conv_bias(b, bias, spatial));
  }
  if (last) y = channels_last(b, y, spatial + 2);
  return {requantized(b, y, 6, 0)};
}

}  // namespace ms

void register_q_linear_windows(Registry& r) {
  using namespace ms;
  replace<q_linear_average_pool>(
      r, {"QLinearAveragePool", "QLinearAveragePool(x, …)", "quantized AvgPool(x)", domain});
  replace<q_linear_global_average_pool>(
      r, {"QLinearGlobalAveragePool", "QLinearGlobalAveragePool(x, …)", "quantized ReduceMean(x)", domain});
  replace<q_linear_reduce_mean>(
      r, {"QLinearReduceMean", "QLinearReduceMean(x, …)", "quantized ReduceMean(x, axes)", domain});
  replace<q_linear_conv_last>(
      r, {"QLinearConv", "QLinearConv(x, …, w, …, b)", "quantized Add(Convolution(x, w), b)", domain});
}

}  // namespace mo::onnx
