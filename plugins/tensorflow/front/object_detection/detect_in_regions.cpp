// Faster R-CNN, R-FCN and Mask R-CNN: what decodes the boxes of the second stage and suppresses those that
// overlap is DetectionOutput.
//
//   before: detection_boxes, … = NonMaxSuppression in a loop(Decode(boxes, regions), Softmax(scores))
//   after:  DetectionOutput(boxes, Softmax(scores), regions)
#include "support/object_detection.hpp"

namespace mo::tensorflow {

namespace {

// Offsets [N * regions, classes, 4] with those of the background, which are not looked at.
OutPort with_background(const Build& b, const OutPort& offsets) {
  const Node first = b.node("Gather", "opset7", {offsets, b.list({0}), b.integer(1)});
  first.set("batch_dims", 0);
  return b.concat({first.out_port(), offsets}, 1);
}

// Outputs of the model that only hand on, or count from one, what was detected.
std::vector<Node> with_named_outputs(const Graph& g, std::vector<Node> nodes) {
  for (const char* name : {"detection_boxes", "detection_scores", "detection_classes", "num_detections"})
    if (const auto n = g.find(name)) nodes.push_back(*n);
  return nodes;
}

struct DetectInRegions : FrontReplacementFromConfigFileSubGraph {
  DetectInRegions() {
    replacement_id = "ObjectDetectionAPIDetectionOutputReplacement";
    doc = "boxes in the regions of the first stage are decoded and chosen by one operation";
    describe_detection(*this, "NonMaxSuppressionV3 in a loop(Decode(boxes, regions), Softmax(scores))",
                       "DetectionOutput(boxes, Softmax(scores), regions)",
                       {"ObjectDetectionAPIProposalReplacement"});
    run_before.push_back("ObjectDetectionAPIMaskRCNNROIPoolingSecondReplacement");
  }
  void replace_sub_graph(Graph g, SubgraphMatch& m) override {
    const DetectorSettings s(g.context(), m.custom_attributes());
    const OutPort boxes = source_of(m, 0), logits = source_of(m, 1);
    const std::vector<Node> old = with_named_outputs(g, inner_nodes(m));
    const Build b(g, inner_nodes(m).front());
    const auto regions = g.find("crop_proposals");
    require(regions.has_value(), "the model has no regions of ObjectDetectionAPIProposalReplacement; ",
            "is that entry in the configuration file, and was it applied?");
    constexpr int64_t most = int64_t{1} << 24;
    const int64_t classes = s.integer("num_classes", 1, most) + 1,
                  count = s.integer("first_stage_max_proposals", 1, most);
    const bool shared = s.flag("share_box_across_classes");

    const OutPort scores = converted_scores(b, b.reshape(logits, {-1, classes}), 1, s);
    OutPort offsets = shared ? b.reshape(boxes, {-1, 4}) : b.reshape(boxes, {-1, classes - 1, 4});
    const OutPort variances = b.constant(Tensor::filled(b.context(), ElementType::f32, variances_of(s), {4}));
    offsets = b.multiply(swapped(b, offsets), variances);
    if (!shared) offsets = with_background(b, offsets);
    const Node n = detection_output(b,
                                    {b.reshape(offsets, {-1, (shared ? 1 : classes) * count * 4}),
                                     b.reshape(scores, {-1, classes * count}),
                                     b.reshape(swapped(b, regions->out_port()), {-1, 1, count * 4})},
                                    s, classes);
    n.set("background_label_id", s.custom().get("background_label_id", int64_t{0}));
    n.set("share_location", shared).set("variance_encoded_in_target", true);
    replace_outputs(g, old, n.out_port());
    drop_unread(g, old);
  }
};

}  // namespace

void register_detect_in_regions(Registry& r) { r.transformation<DetectInRegions>(); }

}  // namespace mo::tensorflow
