#include "support/registering.hpp"

#include <limits>

namespace mo::caffe {

static Ports detection_output(Build& b, const SourceNode& l) {
  const std::string p = "detection_output_param.";
  const int64_t classes = integer(l, p + "num_classes", 0);
  require(classes > 0, "num_classes is missing");
  const std::string code = word(l, p + "code_type", "CORNER");
  require(code == "CORNER" || code == "CENTER_SIZE", "code_type ", code,
          " is not supported; expected CORNER or CENTER_SIZE");
  require(real(l, p + "nms_param.eta", 1) == 1, "an eta other than 1 is not supported");
  const int64_t top = integer(l, p + "nms_param.top_k", -1);
  const Ports inputs = bottoms(l);
  require(inputs.size() >= 3, "it has ", inputs.size(), " bottoms; expected locations, scores and priors");
  const Node n = b.node("DetectionOutput", "opset1", inputs);
  n.set("num_classes", classes).set("background_label_id", integer(l, p + "background_label_id", 0));
  n.set("top_k", top == 0 ? -1 : top).set("keep_top_k", Ints{integer(l, p + "keep_top_k", -1)});
  n.set("variance_encoded_in_target", flag(l, p + "variance_encoded_in_target", false));
  n.set("code_type", text("caffe.PriorBoxParameter.", code));
  n.set("share_location", flag(l, p + "share_location", true));
  n.set("nms_threshold", real(l, p + "nms_param.nms_threshold", 0.3));
  n.set("confidence_threshold", real(l, p + "confidence_threshold", std::numeric_limits<float>::lowest()));
  n.set("clip_before_nms", flag(l, p + "clip_before_nms", false))
      .set("clip_after_nms", flag(l, p + "clip_after_nms", false));
  n.set("normalized", flag(l, p + "normalized", true))
      .set("objectness_score", real(l, p + "objectness_score", 0));
  n.set("input_height", integer(l, p + "input_height", 1))
      .set("input_width", integer(l, p + "input_width", 1));
  return {n.out_port()};
}

void register_detection_output(Registry& r) {
  convert<detection_output>(r, "DetectionOutput", "DetectionOutput(locations, scores, priors)",
                            "DetectionOutput(locations, scores, priors)");
}

}  // namespace mo::caffe
