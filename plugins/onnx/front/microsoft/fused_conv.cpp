// Convolutions with a sum and an activation behind them, and those with the channels last.
#include <algorithm>

#include "support/convolve.hpp"
#include "support/microsoft.hpp"
#include "support/windows.hpp"

namespace mo::onnx {

namespace ms {

static OutPort with_activation(const Build& b, const SourceNode& n, const OutPort& y) {
  return activated(b, y, n.native("activation", ""),
                   n.find_native<std::vector<double>>("activation_params").value_or(std::vector<double>{}));
}

static OutPort with_bias(const Build& b, const OutPort& y, size_t spatial) {
  return b.has(2) ? b.add(y, conv_bias(b, b.in(2), spatial)) : y;
}

static Ports fused_conv(Build& b, const SourceNode& n) {
  const size_t spatial = conv_spatial_rank(b, n, 0, 1);
  OutPort y = with_bias(b, convolve(b, n, b.in(0), b.in(1), spatial), spatial);
  if (b.has(3)) y = b.add(y, b.in(3));
  return {with_activation(b, n, y)};
}

// The sum has the channels last, too; the weights do not.
static Ports nhwc_conv(Build& b, const SourceNode& n) {
  const size_t spatial = conv_spatial_rank(b, n, 0, 1);
  const OutPort x = channels_first(b, b.in(0), spatial + 2);
  OutPort y = with_bias(b, convolve(b, n, x, b.in(1), spatial), spatial);
  y = channels_last(b, y, spatial + 2);
  if (b.has(3)) y = b.add(y, b.in(3));
  return {with_activation(b, n, y)};
}

static Ports nhwc_max_pool(Build& b, const SourceNode& n) {
  const Windows w = read_windows(n);
  const OutPort x = channels_first(b, b.in(0), w.kernel.size() + 2);
  const bool dilated = std::any_of(w.dilations.begin(), w.dilations.end(), [](int64_t d) { return d != 1; });
  const Node p = dilated ? b.node("MaxPool", "opset8", {x}, 2) : b.node("MaxPool", "opset1", {x});
  set_windows(p, w);
  if (dilated) p.set("dilations", w.dilations).set("index_element_type", ElementType::i64).set("axis", 0);
  return {channels_last(b, p.out_port(0), w.kernel.size() + 2)};
}

}  // namespace ms

void register_fused_conv(Registry& r) {
  using namespace ms;
  replace<fused_conv>(
      r, {"FusedConv", "FusedConv(x, w, b, z)", "activation(Add(Add(Convolution(x, w), b), z))", domain});
  constexpr std::string_view last = "activation(Add(Transpose(Add(Convolution(Transpose(x), w), b)), z))";
  replace<nhwc_conv>(r, {"NhwcConv", "NhwcConv(x, w, b)", last, domain});
  replace<nhwc_conv>(r, {"NhwcFusedConv", "NhwcFusedConv(x, w, b, z)", last, domain});
  replace<nhwc_max_pool>(r, {"NhwcMaxPool", "NhwcMaxPool(x)", "Transpose(MaxPool(Transpose(x)))", domain});
}

}  // namespace mo::onnx
