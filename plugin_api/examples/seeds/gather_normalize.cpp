// The end_token of GatherTree becomes a scalar: extensions/back/GatherNormalizer.py, generic back phase.
#include "seeds.hpp"

namespace seeds {

struct GatherTreeNormalizer : mo::BackReplacementPattern {
  GatherTreeNormalizer() {
    id = "seeds.back.gather_tree_normalizer";
    doc = "the end_token of GatherTree becomes a scalar";
    before = "GatherTree(…, end_token)";
    after = "GatherTree(…, Squeeze(end_token, 0))";
    force_clean_up = true;
  }

  void find_and_replace_pattern(mo::Graph graph) override {
    for (const mo::Node& node : graph.get_op_nodes("GatherTree")) {
      const mo::InPort end_token = node.in_port(3);
      const mo::Shape shape = end_token.shape();
      if (!shape.has_rank() || shape.size() != 1 || shape[0] != mo::Dim(1)) continue;
      end_token.set_source(
          graph.create_node("Squeeze", "opset1", node.name() + "/Squeeze",
                            {end_token.get_source(), graph.create_ints(node.name() + "/axis", {0})}));
    }
  }
};

void register_gather_normalize(mo::Registry& registry) { registry.transformation<GatherTreeNormalizer>(); }

}  // namespace seeds
