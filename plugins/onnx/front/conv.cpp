#include "support/build.hpp"
#include "support/windows.hpp"

namespace mo::onnx {

// Number of spatial dimensions: by the weights, or by the attributes.
static size_t conv_spatial_rank(const Build& b, const SourceNode& n) {
  for (const size_t i : {1, 0}) {
    const Shape s = b.in(i).shape();
    if (s.has_rank() && s.rank() >= 3) return s.size() - 2;
  }
  return spatial_rank(n);
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

static Ports conv(Build& b, const SourceNode& n) {
  const size_t spatial = conv_spatial_rank(b, n);
  const Windows w = read_windows(n, spatial);
  const auto groups = n.native("group", 1);
  require(groups > 0, "attribute 'group' is ", groups, ", expected at least 1");
  OutPort weights = b.in(1);
  if (const auto value = weights.value())
    require(value->rank() == spatial + 2, "weights have shape ", value->shape(), ", expected rank ",
            spatial + 2);
  if (groups != 1) weights = conv_grouped(b, weights, groups);
  const Node c = b.node(groups == 1 ? "Convolution" : "GroupConvolution", "opset1", {b.in(0), weights});
  set_strides_and_pads(c, w);
  if (!b.has(2)) return {c.out_port()};
  Ints bias_shape(spatial + 2, 1);
  bias_shape[1] = -1;
  return {b.op("Add", "opset1", {c.out_port(), b.reshape(b.in(2), bias_shape)})};
}

void register_conv(Registry& r) {
  replace<conv>(
      r, {"Conv", "Conv(x, w, b)", "Add(Convolution(x, w), Reshape(b)); with groups GroupConvolution"});
}

}  // namespace mo::onnx
