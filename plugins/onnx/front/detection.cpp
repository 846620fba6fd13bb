// Operators on boxes: NonMaxSuppression and RoiAlign.
#include "support/build.hpp"

namespace mo::onnx {

// Without a limit nothing is selected, as the standard has it.
static Ports non_max_suppression(Build& b, const SourceNode& n) {
  const auto centre = n.native("center_point_box", 0);
  require(centre == 0 || centre == 1, "attribute 'center_point_box' is ", centre, ", expected 0 or 1");
  const OutPort boxes = b.in(0), scores = b.in(1);
  const auto given = [&](size_t i, const OutPort& fallback) {
    return b.has(i) ? as_scalar(b, b.in(i)) : fallback;
  };
  const auto number = [&](double v) {
    return b.constant(Tensor::filled(b.context(), ElementType::f32, {v}, {}));
  };
  const Node nms = b.node("NonMaxSuppression", "opset9",
                          {boxes, scores, given(2, b.integer(0)), given(3, number(0)),
                           given(4, number(std::numeric_limits<float>::lowest()))},
                          3);
  nms.set("box_encoding", centre == 0 ? "corner" : "center").set("sort_result_descending", false);
  nms.set("output_type", ElementType::i64);
  return {nms.out_port(0)};
}

// half_pixel, the default from version 16 on, moves boxes by half a pixel; sizes below one stay.
static Ports roi_align(Build& b, const SourceNode& n) {
  const auto mode = n.native("mode", "avg");
  require(mode == "avg" || mode == "max", "attribute 'mode' is '", mode, "', expected avg or max");
  const auto place =
      n.native("coordinate_transformation_mode", n.version() < 16 ? "output_half_pixel" : "half_pixel");
  require(place == "half_pixel" || place == "output_half_pixel",
          "attribute 'coordinate_transformation_mode' is '", place,
          "', expected half_pixel or output_half_pixel");
  const Node roi = b.node("ROIAlign", "opset9", {b.in(0), b.in(1), b.in(2)});
  roi.set("pooled_h", n.native("output_height", 1)).set("pooled_w", n.native("output_width", 1));
  roi.set("sampling_ratio", n.native("sampling_ratio", 0));
  roi.set("spatial_scale", n.native("spatial_scale", 1.0)).set("mode", mode);
  roi.set("aligned_mode", place == "half_pixel" ? "half_pixel_for_nn" : "asymmetric");
  return {roi.out_port()};
}

// Regions have the number of the picture and two corners.
static Ports max_roi_pool(Build& b, const SourceNode& n) {
  const auto size = n.native<Ints>("pooled_shape");
  require(size.size() == 2, "attribute 'pooled_shape' has ", size.size(), " entries, expected 2");
  const Node roi = b.node("ROIPooling", "opset2", {b.in(0), b.in(1)});
  roi.set("pooled_h", size[0]).set("pooled_w", size[1]).set("method", "max");
  roi.set("spatial_scale", n.native("spatial_scale", 1.0));
  return {roi.out_port()};
}

void register_detection(Registry& r) {
  replace<max_roi_pool>(r, {"MaxRoiPool", "MaxRoiPool(x, regions)", "ROIPooling(x, regions)"});
  replace<non_max_suppression>(
      r, {"NonMaxSuppression", "NonMaxSuppression(boxes, scores, limit, overlap, score)",
          "NonMaxSuppression-9(boxes, scores, limit, overlap, score)"});
  replace<roi_align>(r, {"RoiAlign", "RoiAlign(x, boxes, batches)", "ROIAlign-9(x, boxes, batches)"});
}

}  // namespace mo::onnx
