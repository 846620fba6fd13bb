// For releases without DetectionOutput-8, which finds the number of classes by itself:
//   DetectionOutput-8(boxes, classes, priors)  ->  DetectionOutput-1(boxes, classes, priors) {num_classes}
#include "support/lowering.hpp"

namespace mo::builtin_passes {

class LowerDetectionOutput : public Lowering {
 public:
  LowerDetectionOutput() {
    id = "back.lower_detection_output";
    doc = "DetectionOutput-1 with the number of classes that version 8 finds by itself";
    before = R"(
      %b = Parameter -> f32[1,16]
      %c = Parameter -> f32[1,12]
      %p = Parameter -> f32[1,2,16]
      %y = DetectionOutput@opset8 (%b, %c, %p) {keep_top_k=[10], nms_threshold=0.5, code_type="caffe.PriorBoxParameter.CENTER_SIZE", normalized=true}
      Result (%y))";
    after = R"(
      %b = Parameter -> f32[1,16]
      %c = Parameter -> f32[1,12]
      %p = Parameter -> f32[1,2,16]
      %y = DetectionOutput@opset1 (%b, %c, %p) {keep_top_k=[10], nms_threshold=0.5, code_type="caffe.PriorBoxParameter.CENTER_SIZE", normalized=true, num_classes=3}
      Result (%y))";
    lowers("DetectionOutput", {8});
  }

 private:
  Ports lower(const Build& b, const Node& n) override {
    const Shape classes = b.in(1).shape(), priors = b.in(2).shape();
    only_when(classes.size() == 2 && priors.size() == 3 && classes[1].is_static() && priors[2].is_static(),
              "how many classes there are is not known: that needs the sizes of scores, ", classes,
              ", and of prior boxes, ", priors);
    const int64_t count = priors[2].value() / (n.attr("normalized", false) ? 4 : 5);
    only_when(count != 0 && classes[1].value() % count == 0, classes[1].value(),
              " scores are not so many for each of ", count, " prior boxes");
    n.set("num_classes", classes[1].value() / count);
    n.set_op("DetectionOutput", "opset1");
    return {};
  }
};

void register_lower_detection_output(Registry& r) { r.transformation<LowerDetectionOutput>(); }

}  // namespace mo::builtin_passes
