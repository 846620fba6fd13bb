// Detectors of regions as maskrcnn-benchmark exports them: ROIAlign for each level of a pyramid with the
// choice of the level around it, and a suppression for each class, become one operation each.
//
//   before: head  = …Where, RoiAlign, Scatter…(regions, levels)      scores = Softmax(f(head)), deltas =
//   g(head)
//           found = …NonMaxSuppression for each class…(scores, deltas, regions)
//           masks = m(…RoiAlign…(found boxes, levels))
//   after:  head  = ROIFeatureExtractor(regions, levels)
//           found = DetectionOutput(regions, Reshape(deltas), scores, im_info)
//           masks = m(ROIFeatureExtractor(found boxes, levels))
#include "support/pyramid.hpp"

namespace mo::onnx {

namespace {

constexpr int64_t classes_of_coco = 81;

// 'num_classes' is for models of other data.
Node add_detection(const Graph& g, const Json& a, const OutPort& regions, const OutPort& deltas,
                   const OutPort& scores) {
  const auto classes = a.get("num_classes", classes_of_coco);
  require(classes > 0 && classes <= 1'000'000, "custom attribute 'num_classes' is ", classes,
          ", expected at least 1");
  const Node rows =
      g.create_node("Reshape", "opset1", "box_regressions",
                    {deltas, g.create_ints("box_regressions/shape", {-1, 4 * classes}).out_port()});
  rows.set("special_zero", false);
  const Node info = g.create_node("Parameter", "opset1", "im_info");
  info.set("element_type", ElementType::f32).set("shape", Shape{1, 3});
  info.out_port().set_shape(ElementType::f32, Shape{1, 3});
  info.out_port().set_tensor_names({info.name()});
  const Node n = g.create_node("ExperimentalDetectronDetectionOutput", "opset6", "DetectionOutput",
                               {regions, rows.out_port(), scores, info.out_port()}, 3);
  n.set("num_classes", classes).set("class_agnostic_box_regression", false);
  n.set("deltas_weights", std::vector<double>{10, 10, 5, 5});
  for (const std::string_view key : {"max_delta_log_wh", "nms_threshold", "score_threshold"})
    n.set(key, a.get<double>(key));
  for (const std::string_view key : {"max_detections_per_image", "post_nms_count"})
    n.set(key, a.get<int64_t>(key));
  return n;
}

struct DetectByRegions : FrontReplacementFromConfigFileGeneral {
  DetectByRegions() {
    replacement_id = "ONNXMaskRCNNReplacement";
    doc = "regions, their features and what is detected in them, by operations made for that";
    before = "sub-graphs of RoiAlign and NonMaxSuppression for each level and class";
    after = "ExperimentalDetectronROIFeatureExtractor, ExperimentalDetectronDetectionOutput";
    frameworks = {"onnx"};
    // What it replaces need not be convertible.
    run_after = {"load.finish"};
    run_before = {"front.start"};
  }

  void transform_graph(Graph g, const Json& a) override {
    const NamedOutputs named(g);
    const auto one = [&](std::string_view key) { return named.find(key, a.get<std::string>(key)); };
    const auto list = [&](std::string_view key) {
      return named.find_all(key, a.get<std::vector<std::string>>(key));
    };
    const std::vector<OutPort> levels = list("input_fpn_heads"), old = list("do_outputs");
    require(old.size() == 3, "custom attribute 'do_outputs' has ", old.size(),
            " names, expected 3: boxes, classes, scores");
    const OutPort head = one("ROIFeatureExtractor2_output"), regions = one("ROIFeatureExtractor2_input");
    const OutPort deltas = one("box_regressions_input_node"), scores = one("class_predicitons_node");
    const OutPort mask_head =
        a.find("ROIFeatureExtractor1_output") != nullptr ? one("ROIFeatureExtractor1_output") : OutPort();

    const Node features = add_roi_extractor(g, {"ROIFeatureExtractor_2", 7, regions, levels});
    take_over(head, features.out_port());
    const Node found = add_detection(g, a, features.out_port(1), deltas, scores);
    // Whoever reads the classes expects int64.
    const Node wide = g.create_node("Convert", "opset1", "DetectionOutput/classes", {found.out_port(1)});
    wide.set("destination_type", ElementType::i64);
    take_over(old[0], found.out_port(0));
    take_over(old[1], wide.out_port());
    take_over(old[2], found.out_port(2));
    if (mask_head)
      take_over(mask_head,
                add_roi_extractor(g, {"ROIFeatureExtractor_1", 14, found.out_port(), levels}).out_port());
  }
};

}  // namespace

void register_detect_by_regions(Registry& r) { r.transformation<DetectByRegions>(); }

}  // namespace mo::onnx
