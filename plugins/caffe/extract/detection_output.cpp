#include "support/convert_layers.hpp"

#include <limits>

namespace mo::caffe {

static Ports detection_output(Layer& l) {
  const std::string p = "detection_output_param.";
  const int64_t classes = l.integer(p + "num_classes", 0);
  require(classes > 0, "num_classes is missing");
  const std::string code = l.word(p + "code_type", "CORNER");
  require(code == "CORNER" || code == "CENTER_SIZE", "code_type ", code,
          " is not supported; expected CORNER or CENTER_SIZE");
  require(l.real(p + "nms_param.eta", 1) == 1, "an eta other than 1 is not supported");
  const int64_t top = l.integer(p + "nms_param.top_k", -1);
  const Node n = l.with("DetectionOutput", "opset1", l.bottom_ports());
  n.set("num_classes", classes).set("background_label_id", l.integer(p + "background_label_id", 0));
  n.set("top_k", top == 0 ? -1 : top).set("keep_top_k", Ints{l.integer(p + "keep_top_k", -1)});
  n.set("variance_encoded_in_target", l.flag(p + "variance_encoded_in_target", false));
  n.set("code_type", text("caffe.PriorBoxParameter.", code));
  n.set("share_location", l.flag(p + "share_location", true));
  n.set("nms_threshold", l.real(p + "nms_param.nms_threshold", 0.3));
  n.set("confidence_threshold", l.real(p + "confidence_threshold", std::numeric_limits<float>::lowest()));
  n.set("clip_before_nms", l.flag(p + "clip_before_nms", false))
      .set("clip_after_nms", l.flag(p + "clip_after_nms", false));
  n.set("normalized", l.flag(p + "normalized", true))
      .set("objectness_score", l.real(p + "objectness_score", 0));
  n.set("input_height", l.integer(p + "input_height", 1)).set("input_width", l.integer(p + "input_width", 1));
  return {n.out_port()};
}

void register_detection_output(Items& items) { items.layer("DetectionOutput", &detection_output); }

}  // namespace mo::caffe
