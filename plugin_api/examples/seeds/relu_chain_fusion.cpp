// ReLU(ReLU(… ReLU(x)))  ->  ReLU(x): one MatcherPass fuses a chain, as it looks at its own new nodes.
#include "seeds.hpp"

namespace seeds {

struct ReluReluFusion : mo::MatcherPass {
  ReluReluFusion() {
    id = "seeds.relu_relu_fusion";
    doc = "a chain of ReLU becomes one";
    before = "y = ReLU(ReLU(x))";
    after = "y = ReLU(x)";
    enabled = false;
    force_clean_up = true;  // takes the inner ones, which nothing reads any more
    const auto x = mo::any_input();
    const auto inner = mo::wrap_type({"ReLU"}, {x})->one_consumer();
    register_matcher(mo::wrap_type({"ReLU"}, {inner}), [this, x, inner](mo::Graph graph, mo::Match& m) {
      const mo::Node relu = graph.create_node("ReLU", "opset1", m.root().name() + "/fused", {m.port(x)});
      register_new_node(relu);  // the next match may have it as its root
      mo::copy_runtime_info({m.root(), m.node(inner)}, {relu});
      mo::replace_node(m.root(), relu);
    });
  }
};

void register_relu_chain_fusion(mo::Registry& registry) { registry.transformation<ReluReluFusion>(); }

}  // namespace seeds
