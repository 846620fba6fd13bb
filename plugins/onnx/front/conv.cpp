#include "support/convolve.hpp"
#include "support/early_rank.hpp"
#include "support/windows.hpp"

namespace mo::onnx {

size_t conv_spatial_rank(const Build& b, const SourceNode& n, size_t data, size_t weights) {
  for (const size_t i : {weights, data}) {
    const Shape s = b.in(i).shape();
    if (s.has_rank() && s.rank() >= 3) return s.size() - 2;
  }
  if (const size_t stated = spatial_rank(n)) return stated;
  for (const size_t i : {weights, data})
    if (const auto rank = early_rank(b.in(i)); rank && *rank >= 3) return static_cast<size_t>(*rank) - 2;
  return 0;
}

// [O, I/G, k…] becomes [G, O/G, I/G, k…].
static OutPort conv_grouped(const Build& b, const OutPort& weights, int64_t groups) {
  if (const auto value = weights.value()) {
    Ints dims = value->dims();
    require(dims[0] % groups == 0, "weights of shape ", value->shape(), " cannot be split into ", groups,
            " groups");
    dims[0] /= groups;
    dims.insert(dims.begin(), groups);
    return b.constant(value->reshaped(b.context(), dims));
  }
  return b.reshape(weights, b.concat({b.list({groups, -1}), b.part(b.shape_of(weights), 1, INT64_MAX)}));
}

OutPort convolve(const Build& b, const SourceNode& n, const OutPort& x, OutPort weights, size_t spatial) {
  const Windows w = read_windows(n, spatial);
  const auto groups = n.native("group", 1);
  require(groups > 0, "attribute 'group' is ", groups, ", expected at least 1");
  if (const auto value = weights.value())
    require(value->rank() == spatial + 2, "weights have shape ", value->shape(), ", expected rank ",
            spatial + 2);
  if (groups != 1) weights = conv_grouped(b, weights, groups);
  const Node c = b.node(groups == 1 ? "Convolution" : "GroupConvolution", "opset1", {x, weights});
  set_strides_and_pads(c, w);
  return c.out_port();
}

OutPort conv_bias(const Build& b, const OutPort& bias, size_t spatial) {
  Ints shape(spatial + 2, 1);
  shape[1] = -1;
  return b.reshape(bias, shape);
}

static Ports conv(Build& b, const SourceNode& n) {
  const size_t spatial = conv_spatial_rank(b, n, 0, 1);
  const OutPort c = convolve(b, n, b.in(0), b.in(1), spatial);
  if (!b.has(2)) return {c};
  return {b.add(c, conv_bias(b, b.in(2), spatial))};
}

void register_conv(Registry& r) {
  replace<conv>(
      r, {"Conv", "Conv(x, w, b)", "Add(Convolution(x, w), Reshape(b)); with groups GroupConvolution"});
}

}  // namespace mo::onnx
