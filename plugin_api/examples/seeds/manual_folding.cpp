// (x * a) * b  ->  x * (a * b): the sub-graph of constants that this makes is folded by hand, and, in a
// second pass, by the clean-up of the graph.
#include "seeds.hpp"

namespace seeds {

namespace {

struct MulMulFusion : mo::MatcherPass {
  explicit MulMulFusion(bool by_hand) {
    id = by_hand ? "seeds.multiply_fusion" : "seeds.multiply_fusion_by_clean_up";
    doc = "two Multiply by constants become one";
    before = "y = Multiply(Multiply(x, a), b)";
    after = "y = Multiply(x, a * b)";
    enabled = false;
    force_clean_up = !by_hand;  // ConstantFolding as a pass
    const auto x = mo::any_input(), a = mo::constant(), b = mo::constant();
    const auto inner = mo::wrap_type({"Multiply"}, {x, a})->commutative()->one_consumer();
    register_matcher(mo::wrap_type({"Multiply"}, {inner, b})->commutative(),
                     [this, by_hand, x, a, b, inner](mo::Graph graph, mo::Match& m) {
                       mo::Node product = graph.create_node(
                           "Multiply", "opset1", m.root().name() + "/constants", {m.port(a), m.port(b)});
                       if (by_hand)  // much cheaper than a pass over the whole graph
                         if (const auto folded = mo::constant_fold(product)) product = *folded;
                       const mo::Node fused = graph.create_node(
                           "Multiply", "opset1", m.root().name() + "/fused", {m.port(x), product});
                       register_new_node(fused);
                       mo::copy_runtime_info({m.root(), m.node(inner)}, {fused});
                       mo::replace_node(m.root(), fused);
                     });
  }
};

}  // namespace

void register_manual_folding(mo::Registry& registry) {
  registry.transformation<MulMulFusion>(true);
  registry.transformation<MulMulFusion>(false);
}

}  // namespace seeds
