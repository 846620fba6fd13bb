// Pooling and means of 8-bit numbers, whose channels may be last.
#include "support/microsoft_quantized.hpp"
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

}  // namespace ms

void register_q_linear_windows(Registry& r) {
  using namespace ms;
  replace<q_linear_average_pool>(
      r, {"QLinearAveragePool", "QLinearAveragePool(x, …)", "quantized AvgPool(x)", domain});
  replace<q_linear_global_average_pool>(
      r, {"QLinearGlobalAveragePool", "QLinearGlobalAveragePool(x, …)", "quantized ReduceMean(x)", domain});
  replace<q_linear_reduce_mean>(
      r, {"QLinearReduceMean", "QLinearReduceMean(x, …)", "quantized ReduceMean(x, axes)", domain});
}

}  // namespace mo::onnx
