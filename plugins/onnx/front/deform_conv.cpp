#include "support/convolve.hpp"
#include "support/windows.hpp"

namespace mo::onnx {

// What lies outside of the picture counts as 0, also in the interpolation at its border.
static Ports deform_conv(Build& b, const SourceNode& n) {
  const size_t spatial = conv_spatial_rank(b, n, 0, 1);
  require(spatial == 2, "it has ", spatial, " spatial dimensions, but the IR deforms pictures only");
  Ports inputs{b.in(0), b.in(2), b.in(1)};
  if (b.has(4)) inputs.push_back(b.in(4));
  const Node c = b.node("DeformableConvolution", "opset8", inputs);
  set_strides_and_pads(c, read_windows(n, spatial));
  c.set("group", n.native("group", 1)).set("deformable_group", n.native("offset_group", 1));
  c.set("bilinear_interpolation_pad", true);
  if (!b.has(3)) return {c.out_port()};
  return {b.add(c.out_port(), conv_bias(b, b.in(3), spatial))};
}

void register_deform_conv(Registry& r) {
  replace<deform_conv>(r, {"DeformConv", "DeformConv(x, w, offset, b, mask)",
                           "Add(DeformableConvolution-8(x, offset, w, mask), Reshape(b))"});
}

}  // namespace mo::onnx
