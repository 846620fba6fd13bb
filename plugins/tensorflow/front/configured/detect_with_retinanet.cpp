// RetinaNet of Keras: boxes from anchors and regressions, cut at the picture, and a loop over the pictures
// with a suppression for each class, become DetectionOutput. There offsets are parts of the picture;
// RetinaNet's are parts of the anchor, so they are multiplied by its size.
//
//   before: filter(clip(anchors + regression * variance * size(anchors), Shape(picture)), scores)
//   after:  DetectionOutput(regression * size(a), scores, [a, variance]), a = anchors / size of the picture
#include "support/configured.hpp"

#include <mo/config.hpp>

namespace mo::tensorflow {

namespace {

// Columns of boxes [1, A, 4].
OutPort columns(const Build& b, const OutPort& boxes, const Ints& which) {
  return b.op("Gather", "opset7", {boxes, b.list(which), b.integer(2)});
}

struct RetinaNet {
  OutPort regression, scores, anchors, picture;
};

// Width and height of [N, H, W, C], twice, as f32.
OutPort picture_size(const Build& b, const OutPort& picture) {
  const OutPort size = b.convert(b.part(b.shape_of(picture), 1, 3), ElementType::f32);
  return b.op("Gather", "opset7", {size, b.list({1, 0, 1, 0}), b.integer(0)});
}

// [1, A, 4] in parts of the picture.
OutPort normalized_anchors(const Build& b, const RetinaNet& m) {
  // They are the same for all pictures of a batch.
  const OutPort first = b.convert(b.part(m.anchors, 0, 1), ElementType::f32);
  return b.divide(first, picture_size(b, m.picture));
}

// [1, 2, 4 * A]: anchors above variances.
OutPort with_variances(const Build& b, const OutPort& anchors, const std::vector<double>& variance) {
  const OutPort four = b.constant(Tensor::filled(b.context(), ElementType::f32, variance, {1, 1, 4}));
  const OutPort all = b.op("Broadcast", "opset3", {four, b.shape_of(anchors)});
  return b.reshape(b.concat({anchors, all}), Ints{1, 2, -1});
}

class DetectWithRetinaNet : public FrontReplacementFromConfigFileSubGraph {
 public:
  DetectWithRetinaNet() {
    replacement_id = "RetinaNetFilteredDetectionsReplacement";
    doc = "the boxes of RetinaNet are found by one operation";
    before = "filtered_detections(regression, classification, anchors)";
    after = "DetectionOutput(regression * size of the anchor, classification, anchors and variances)";
    frameworks = {"tf"};
    run_after = {"load.finish"};
    run_before = {"front.start"};
  }

  void replace_sub_graph(Graph g, SubgraphMatch& m) override {
    const Json a = m.custom_attributes();
    const auto variance = a.get<std::vector<double>>("variance");
    require(variance.size() == 4, "custom attribute 'variance' has ", variance.size(),
            " numbers, expected 4");
    require(m.inputs_count() == 4 && m.outputs_count() > 0,
            "expected 4 start points: regression, classification, anchors, the shape of the picture");
    const auto start = [&](size_t i) { return m.single_input_node(i).node(); };
    const RetinaNet net{start(0).out_port(), start(1).out_port(), start(2).out_port(),
                        start(3).in_port(0).get_source()};
    const Build b(g, m.output_node(0).node());
    const OutPort anchors = normalized_anchors(b, net);
    const OutPort size =
        b.op("Subtract", "opset1", {columns(b, anchors, {2, 3, 2, 3}), columns(b, anchors, {0, 1, 0, 1})});
    const OutPort offsets = b.multiply(net.regression, size);
    // No class is the background.
    DetectionPreset preset;
    preset.background = 1000;
    preset.clip_before_nms = true;  // as the model does; the Model Optimizer's result is cut afterwards
    preset.overlap = suppression_overlap(g);
    const Node found = add_detection_output(
        g, "DetectionOutput",
        {flattened(b, offsets), flattened(b, net.scores), with_variances(b, anchors, variance)}, a, preset);
    for (size_t i = 0; i < m.outputs_count(); ++i) remove_results_of(m.output_node(i));
    add_result(g, found.out_port());
    g.clean_up();
  }

 private:
  // That of the model, also in the body of a loop.
  static std::optional<double> suppression_overlap(const Graph& g) {
    for (const Node& n : g.nodes()) {
      if (n.opset().empty() && n.op().rfind("NonMaxSuppression", 0) == 0 && n.is_in_port_connected(3))
        if (const auto v = n.in_port(3).value(); v && v->size() == 1) return v->number(0);
      if (const auto body = n.find_attr<GraphHandle>("body"))
        if (const auto inside = suppression_overlap({g.context(), body->id})) return inside;
    }
    return std::nullopt;
  }
};

}  // namespace

void register_detect_with_retinanet(Registry& r) { r.transformation<DetectWithRetinaNet>(); }

}  // namespace mo::tensorflow
