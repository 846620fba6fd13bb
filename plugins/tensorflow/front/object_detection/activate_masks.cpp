// Mask R-CNN: masks are probabilities.   before: Result(BiasAdd)   after: Result(Sigmoid(BiasAdd))
#include "support/object_detection.hpp"

namespace mo::tensorflow {

namespace {

struct ActivateMasks : FrontReplacementFromConfigFileGeneral {
  ActivateMasks() {
    replacement_id = "ObjectDetectionAPIMaskRCNNSigmoidReplacement";
    doc = "predicted masks are probabilities";
    describe_detection(*this, "Result(BiasAdd)", "Result(Sigmoid(BiasAdd))",
                       {"ObjectDetectionAPIMaskRCNNROIPoolingSecondReplacement"});
  }
  void transform_graph(Graph g, const Json& a) override {
    const auto prefix = a.get("masks_node_prefix_name", "SecondStageBoxPredictor");
    for (const Node& r : g.results()) {
      const OutPort from = r.in_port(0).get_source();
      if (!from || !from.node().name().starts_with(prefix) || from.node().is("Sigmoid")) continue;
      const Node masks = g.create_node("Sigmoid", "opset1", "masks", {from});
      r.in_port(0).set_source(masks.out_port());
      masks.out_port().set_tensor_names({masks.name()});
    }
  }
};

}  // namespace

void register_activate_masks(Registry& r) { r.transformation<ActivateMasks>(); }

}  // namespace mo::tensorflow
