// Operators that pool regions of a picture, or propose them.
#include "support/items.hpp"
#include "support/numbers.hpp"
#include "support/windows.hpp"

namespace mo::mxnet {

namespace regions {

static Ints pair_of(const SourceNode& n, std::string_view name) {
  Ints size = ints_of(n, name);
  if (size.size() == 1) size.push_back(size.front());
  require(size.size() == 2 && size[0] > 0 && size[1] > 0, "attribute '", name, "' is ", size,
          "; expected height and width");
  return size;
}

static Ports roi_pooling(Build& b, const SourceNode& n) {
  const Ints size = pair_of(n, "pooled_size");
  const Node r = b.node("ROIPooling", "opset2", {b.in(0), b.in(1)});
  r.set("pooled_h", size[0]).set("pooled_w", size[1]).set("method", "max");
  r.set("spatial_scale", n.native<double>("spatial_scale"));
  return {r.out_port()};
}

// The batch of a region is its first number.
static Ports roi_align(Build& b, const SourceNode& n) {
  require(!n.native("position_sensitive", false), "position sensitive regions are not supported");
  const Ints size = pair_of(n, "pooled_size");
  const auto ratio = n.native("sample_ratio", -1);
  const Node parts = b.node("VariadicSplit", "opset1", {b.in(1), b.integer(1), b.list({1, 4})}, 2);
  const OutPort batch = b.convert(b.squeeze(parts.out_port(0), {1}), ElementType::i32);
  const bool aligned = n.native("aligned", false);
  const Node r = b.node("ROIAlign", aligned ? "opset9" : "opset3", {b.in(0), parts.out_port(1), batch});
  r.set("pooled_h", size[0]).set("pooled_w", size[1]).set("mode", "avg");
  r.set("sampling_ratio", std::max<int64_t>(ratio, 0))
      .set("spatial_scale", n.native<double>("spatial_scale"));
  if (aligned) r.set("aligned_mode", "half_pixel_for_nn");
  return {r.out_port()};
}

static Ports ps_roi_pooling(Build& b, const SourceNode& n) {
  const auto pooled = n.native<int64_t>("pooled_size"), group = n.native("group_size", 0);
  const Node r = b.node("PSROIPooling", "opset1", {b.in(0), b.in(1)});
  r.set("output_dim", n.native<int64_t>("output_dim")).set("group_size", group == 0 ? pooled : group);
  r.set("spatial_scale", n.native<double>("spatial_scale")).set("mode", "average");
  r.set("spatial_bins_x", 1).set("spatial_bins_y", 1);
  return {r.out_port()};
}

static Ports deformable_ps_roi_pooling(Build& b, const SourceNode& n) {
  const bool no_trans = n.native("no_trans", false);
  Ports inputs{b.in(0), b.in(1)};
  if (!no_trans) inputs.push_back(b.in(2));
  const auto samples = n.native("sample_per_part", 1), pooled = n.native<int64_t>("pooled_size"),
             part = n.native("part_size", 0);
  const Node r = b.node("DeformablePSROIPooling", "opset1", inputs);
  r.set("output_dim", n.native<int64_t>("output_dim")).set("group_size", n.native<int64_t>("group_size"));
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

static Ports proposal(Build& b, const SourceNode& n) {
  require(!n.native("iou_loss", false), "iou_loss is not supported");
  // The IR has one list of the sizes of the picture; the batch is 1 in what MXNet's operator reads.
  const OutPort sizes = b.reshape(b.in(2), b.list({-1}));
  const auto stride = n.native("feature_stride", n.native("feat_stride", 16));
  const Node p = b.node("Proposal", "opset4", {b.in(0), b.in(1), sizes}, 2);
  p.set("base_size", stride).set("feat_stride", stride).set("min_size", n.native("rpn_min_size", 16));
  p.set("pre_nms_topn", n.native("rpn_pre_nms_top_n", 6000))
      .set("post_nms_topn", n.native("rpn_post_nms_top_n", 300));
  p.set("nms_thresh", n.native("threshold", 0.7));
  p.set("ratio", floats_of(n, "ratios", {0.5, 1, 2})).set("scale", floats_of(n, "scales", {4, 8, 16, 32}));
  p.set("clip_before_nms", true).set("clip_after_nms", false).set("normalize", false);
  p.set("framework", "").set("box_size_scale", 1.0).set("box_coordinate_scale", 1.0);
  if (n.out_count() == 1) return {p.out_port(0)};
  return {p.out_port(0), b.unsqueeze(p.out_port(1), b.list({1}))};
}

}  // namespace regions

void register_regions(Items& items) {
  items.convert<regions::roi_pooling>("ROIPooling");
  items.convert<regions::roi_align>("_contrib_ROIAlign");
  items.convert<regions::ps_roi_pooling>("_contrib_PSROIPooling");
  items.convert<regions::deformable_ps_roi_pooling>("_contrib_DeformablePSROIPooling");
  items.convert<regions::deformable_convolution>(
      "_contrib_DeformableConvolution _npx_deformable_convolution");
  items.convert<regions::proposal>("_contrib_Proposal Proposal Custom.proposal");
}

}  // namespace mo::mxnet
