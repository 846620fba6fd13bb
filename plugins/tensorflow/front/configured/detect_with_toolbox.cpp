// SSD of the SSD toolbox ends with offsets, scores and prior boxes; finding the boxes is left to a program.
// The model gets the operation that finds them.
//
//   before: Result(offsets), Result(scores), Result(priors)
//   after:  Result(DetectionOutput(Reshape(offsets), Reshape(scores), Reshape(priors)))
#include "support/configured.hpp"

#include <mo/config.hpp>

namespace mo::tensorflow {

namespace {

class DetectWithToolbox : public FrontReplacementFromConfigFileSubGraph {
 public:
  DetectWithToolbox() {
    replacement_id = "SSDToolboxDetectionOutput";
    doc = "offsets, scores and priors of the SSD toolbox become what is detected";
    before = "Result(offsets), Result(scores), Result(priors)";
    after = "Result(DetectionOutput(offsets, scores, priors))";
    frameworks = {"tf"};
    run_after = {"load.finish"};
    run_before = {"front.start"};
  }

  void replace_sub_graph(Graph g, SubgraphMatch& m) override {
    require(m.inputs_count() == 3, "expected 3 start points: offsets, scores and priors");
    Ports x;
    for (size_t i = 0; i < 3; ++i) {
      x.push_back(m.single_input_node(i).node().out_port());
      remove_results_of(x.back());
    }
    const Build b(g, x[0].node());
    const Node found = add_detection_output(
        g, "DetectionOutput", {flattened(b, x[0]), flattened(b, x[1]), b.reshape(x[2], Ints{1, 2, -1})},
        m.custom_attributes(), {});
    add_result(g, found.out_port());
  }
};

}  // namespace

void register_detect_with_toolbox(Registry& r) { r.transformation<DetectWithToolbox>(); }

}  // namespace mo::tensorflow
