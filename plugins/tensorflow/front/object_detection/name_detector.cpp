// What detectors do not need any more, once all of their parts are replaced, goes before it is converted. For
// one that is converted as any other model the configuration that is made for it is named.
#include "support/object_detection.hpp"

#include <mo/frontend.hpp>

namespace mo::tensorflow {

namespace {

struct Detector {
  std::string_view configuration;
  std::vector<std::string_view> nodes;  // all of them tell it from other kinds and versions
};

// Versions of the exporter differ in the names of a few nodes.
const std::vector<Detector>& detectors() {
  static const std::vector<Detector> list = [] {
    const std::string_view ssd = "Postprocessor/scale_logits",
                           masks = "SecondStageBoxPredictor_1/Conv/BiasAdd",
                           crops = "SecondStageBoxPredictor/map/TensorArrayStack/TensorArrayGatherV3",
                           second = "map_2/TensorArrayStack/TensorArrayGatherV3",
                           five =
                               "BatchMultiClassNonMaxSuppression/map/TensorArrayStack_5/TensorArrayGatherV3",
                           boxes = "SecondStagePostprocessor/Reshape", concat = "concat_1",
                           newest = "concat_1/concat", nested = "CropAndResize_1/CropAndResize";
    return std::vector<Detector>{
        {"mask_rcnn_support_api_v1.15", {masks, newest, second, five}},
        {"mask_rcnn_support_api_v1.14", {masks, concat, second, five}},
        {"mask_rcnn_support_api_v1.13", {masks, concat, second}},
        {"mask_rcnn_support_api_v1.11", {masks, concat, nested}},
        {"mask_rcnn_support_api_v1.7", {masks, concat}},
        {"mask_rcnn_support", {masks}},
        {"rfcn_support_api_v1.14", {crops, second, five}},
        {"rfcn_support_api_v1.13", {crops, second}},
        {"rfcn_support_api_v1.10", {crops}},
        {"faster_rcnn_support_api_v1.15", {boxes, newest, second, five}},
        {"faster_rcnn_support_api_v1.14", {boxes, concat, second, five}},
        {"faster_rcnn_support_api_v1.13", {boxes, concat, second}},
        {"faster_rcnn_support_api_v1.10", {boxes, concat}},
        {"faster_rcnn_support", {boxes}},
        {"ssd_support_api_v1.15", {ssd, "Postprocessor/Cast_1"}},
        {"ssd_support_api_v1.14", {ssd, "Postprocessor/Cast"}},
        {"ssd_v2_support", {ssd}},
        {"ssd_support", {"Postprocessor/Slice", "Postprocessor/ExpandDims"}},
    };
  }();
  return list;
}

bool has_all(const Graph& g, const std::vector<std::string_view>& names) {
  return std::all_of(names.begin(), names.end(), [&](std::string_view n) { return g.find(n).has_value(); });
}

std::string_view configuration_of(const Graph& g) {
  if (has_all(g, {"image_tensor", "detection_boxes", "detection_scores", "num_detections"})) {
    for (const Detector& d : detectors())
      if (has_all(g, d.nodes)) return d.configuration;
    return {};
  }
  const std::string s = "StatefulPartitionedCall/", loop = s + "map/TensorArrayUnstack/TensorListFromTensor";
  if (!g.find("input_tensor")) return {};
  const bool newer = g.find(loop).has_value();
  if (g.find(s + "mask_rcnn_keras_box_predictor/mask_rcnn_mask_head/MaskPredictor_last_conv2d/BiasAdd"))
    return newer ? "mask_rcnn_support_api_v2.4" : "mask_rcnn_support_api_v2.0";
  if (g.find(s + "SecondStagePostprocessor/Cast_3"))
    return newer ? "faster_rcnn_support_api_v2.4" : "faster_rcnn_support_api_v2.0";
  if (g.find(s + "Postprocessor/scale_logits"))
    return newer ? "ssd_support_api_v2.4" : "ssd_support_api_v2.0";
  return {};
}

// It did not fit, then, which has been said.
bool is_given(const Context& c, std::string_view configuration) {
  const std::string files = option<std::string>(c, "transformations_config").value_or("");
  const std::string file = text(configuration, ".json");
  for (size_t begin = 0; begin < files.size(); begin = std::min(files.find(',', begin), files.size()) + 1) {
    const std::string_view path = std::string_view(files).substr(begin, files.find(',', begin) - begin);
    const std::string_view name = path.substr(path.rfind('/') + 1);  // nothing is found: from 0 on
    if (name == configuration || name == file) return true;
  }
  return false;
}

struct NameDetector : ModelPass {
  NameDetector() : ModelPass(MO_PHASE_FRONT) {
    id = "tf.front.name_detector";
    doc = "what configurations of detectors replaced goes; a detector without one gets a note which it is";
    describe_detection(
        *this, "While(boxes), DetectionOutput(boxes)", "DetectionOutput(boxes)",
        {"ObjectDetectionAPISSDPostprocessorReplacement", "ObjectDetectionAPIDetectionOutputReplacement",
         "ObjectDetectionAPIMaskRCNNSigmoidReplacement", "ObjectDetectionAPIPSROIPoolingReplacement"});
  }
  void run_on_model(Graph g) override {
    if (g.attr<bool>(detector_replaced).value_or(false)) {
      drop_unread(g, g.nodes());
      g.set(detector_replaced, false);
      return;
    }
    const std::string_view configuration = configuration_of(g);
    if (configuration.empty() || is_given(g.context(), configuration)) return;
    g.context().warn(text(
        "the model looks like one of TensorFlow's Object Detection API; made for these is "
        "--transformations_config tf/",
        configuration, ".json --", pipeline_option, " pipeline.config, which gives one DetectionOutput"));
  }
};

}  // namespace

void register_name_detector(Registry& r) { r.transformation<NameDetector>(); }

}  // namespace mo::tensorflow
