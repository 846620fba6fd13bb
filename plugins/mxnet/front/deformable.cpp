// Windows whose places the network computes.
#include "support/registering.hpp"
#include "support/windows.hpp"

namespace mo::mxnet {

namespace deformable {

static Ports deformable_ps_roi_pooling(Build& b, const SourceNode& n) {
  const auto samples = n.native("sample_per_part", 1), pooled = n.native<int64_t>("pooled_size"),
             part = n.native("part_size", 0), outputs = n.native<int64_t>("output_dim");
  Ports inputs{channels_of_places(b, b.in(0), outputs, n.native<int64_t>("group_size"), pooled), b.in(1)};
  if (!n.native("no_trans", false)) inputs.push_back(b.in(2));
  const Node r = b.node("DeformablePSROIPooling", "opset1", inputs);
  r.set("output_dim", outputs).set("group_size", pooled);
  r.set("spatial_scale", n.native<double>("spatial_scale")).set("mode", "bilinear_deformable");
  r.set("spatial_bins_x", samples)
      .set("spatial_bins_y", samples)
      .set("trans_std", n.native("trans_std", 0.0));
  r.set("part_size", part == 0 ? pooled : part);
  return {r.out_port()};
}

static Ports deformable_convolution(Build& b, const SourceNode& n) {
  const Windows w = read_windows(n, 2);
  const Node c = b.node("DeformableConvolution", "opset1", {b.in(0), b.in(1), b.in(2)});
  set_windows(c, w);
  c.set("group", groups_of(n)).set("deformable_group", n.native("num_deformable_group", 1));
  return {with_bias(b, n, c.out_port(), 3, false)};
}

}  // namespace deformable

void register_deformable(Registry& r) {
  convert<deformable::deformable_ps_roi_pooling>(r, "_contrib_DeformablePSROIPooling",
                                                 "_contrib_DeformablePSROIPooling(x, regions, offsets)",
                                                 "DeformablePSROIPooling(x, regions, offsets)");
  convert<deformable::deformable_convolution>(r, "_contrib_DeformableConvolution _npx_deformable_convolution",
                                              "_contrib_DeformableConvolution(x, offsets, weights, bias)",
                                              "Add(DeformableConvolution(x, offsets, weights), bias)");
}

}  // namespace mo::mxnet
