// Operators of torchvision: boxes, regions, and convolutions whose places are computed.
#include "support/values.hpp"

namespace mo::pytorch {

namespace detection {

// Indices of the boxes that are kept, by falling score.
static Ports suppressed(const Call& c) {
  const OutPort boxes = c.tensor("dets"), scores = c.tensor("scores");
  const auto f32 = [&](const OutPort& x) { return c.b.convert(x, ElementType::f32); };
  const Node n = c.b.node("NonMaxSuppression", "opset9",
                          {c.b.unsqueeze(f32(boxes), c.b.list({0})), c.b.unsqueeze(f32(scores), c.b.list({0, 1})),
                           size_of(c, boxes, 0), c.b.number(c.number("iou_threshold")),
                           c.b.number(std::numeric_limits<float>::lowest())},
                          3);
  n.set("box_encoding", "corner").set("sort_result_descending", true).set("output_type", ElementType::i64);
  return {gather(c, n.out_port(0), c.b.integer(2), 1)};
}

// Regions hold the number of the picture and two corners.
static OutPort aligned(const Call& c, int64_t height, int64_t width, bool half_pixel) {
  const OutPort regions = c.tensor("rois");
  const OutPort pictures = c.b.convert(gather(c, regions, c.b.integer(0), 1), ElementType::i32);
  const OutPort boxes = slice(c, regions, 1, 1, 5);
  const Node n = c.b.node("ROIAlign", "opset9", {c.tensor("input"), boxes, pictures});
  n.set("pooled_h", height).set("pooled_w", width).set("mode", "avg");
  n.set("sampling_ratio", std::max<int64_t>(c.integer("sampling_ratio"), 0));
  n.set("spatial_scale", c.number("spatial_scale"));
  return n.set("aligned_mode", half_pixel ? "half_pixel_for_nn" : "asymmetric").out_port();
}
static Ports align(const Call& c) {
  return {aligned(c, c.integer("pooled_height"), c.integer("pooled_width"), c.flag("aligned", false))};
}

// Each bin reads channels of its own: of all bins of all channels those on the diagonal count.
static Ports align_by_places(const Call& c) {
  const auto height = c.integer("pooled_height"), width = c.integer("pooled_width"), bins = height * width;
  const OutPort all = aligned(c, height, width, true);
  const OutPort flat = c.b.reshape(all, c.b.list({0, -1, bins * bins}), true);
  Ints diagonal;
  for (int64_t i = 0; i < bins; ++i) diagonal.push_back(i * (bins + 1));
  const OutPort kept = gather(c, flat, c.b.list(diagonal), 2);
  return {c.b.reshape(kept, c.b.list({0, 0, height, width}), true), {}};
}

static Ports pool(const Call& c) {
  const Node n = c.b.node("ROIPooling", "opset2", {c.tensor("input"), c.tensor("rois")});
  n.set("pooled_h", c.integer("pooled_height")).set("pooled_w", c.integer("pooled_width"));
  return {n.set("method", "max").set("spatial_scale", c.number("spatial_scale")).out_port(), {}};
}

static Ports deformable(const Call& c) {
  Ports inputs{c.tensor("input"), c.tensor("offset"), c.tensor("weight")};
  if (c.flag("use_mask", true)) inputs.push_back(c.tensor("mask"));
  const auto both = [&](std::string_view down, std::string_view across) {
    return Ints{c.integer(down), c.integer(across)};
  };
  const Node n = c.b.node("DeformableConvolution", "opset8", inputs);
  const Ints pads = both("pad_h", "pad_w");
  n.set("strides", both("stride_h", "stride_w")).set("dilations", both("dilation_h", "dilation_w"));
  n.set("pads_begin", pads).set("pads_end", pads).set("auto_pad", "explicit");
  n.set("group", c.integer("groups")).set("deformable_group", c.integer("offset_groups"));
  n.set("bilinear_interpolation_pad", true);
  const OutPort bias = c.find_tensor("bias");
  return {bias ? c.b.add(n.out_port(), c.b.reshape(bias, Ints{1, -1, 1, 1})) : n.out_port()};
}

}  // namespace detection

void register_detection(Registry& r) {
  using namespace detection;
  convert<suppressed>(r, "torchvision.nms.default", "nms(boxes, scores, iou_threshold)",
                      "Gather(NonMaxSuppression-9(boxes, scores), 2)");
  convert<align>(r, "torchvision.roi_align.default", "roi_align(x, rois)", "ROIAlign-9(x, boxes, pictures)");
  convert<align_by_places>(r, "torchvision.ps_roi_align.default", "ps_roi_align(x, rois)",
                           "Gather(Reshape(ROIAlign-9(x, boxes, pictures)), diagonal)");
  convert<pool>(r, "torchvision.roi_pool.default", "roi_pool(x, rois)", "ROIPooling(x, rois)");
  convert<deformable>(r, "torchvision.deform_conv2d.default", "deform_conv2d(x, weight, offset, mask, bias)",
                      "Add(DeformableConvolution-8(x, offset, weight, mask), Reshape(bias))");
}

}  // namespace mo::pytorch
