// x * tanh(SoftPlus(x))  ->  Mish(x): extensions/front/Mish_fusion.py, a pattern of the front phase.
#include "seeds.hpp"

namespace seeds {

struct MishFusion : mo::FrontReplacementSubgraph {
  MishFusion() {
    id = "seeds.front.mish_fusion";
    doc = "x * tanh(SoftPlus(x)) becomes Mish(x)";
    before = "y = Multiply(x, Tanh(SoftPlus(x)))";
    after = "y = Mish(x)";
  }

  mo::SubgraphPattern pattern() override {
    return {{{"mul", mo::wrap_type({"Multiply"})},
             {"tanh", mo::wrap_type({"Tanh"})},
             {"softplus", mo::wrap_type({"SoftPlus"})}},
            {mo::edge("softplus", "tanh"), mo::edge("tanh", "mul")}};
  }

  void replace_sub_graph(mo::Graph graph, mo::Match& match) override {
    const mo::Node mul = match["mul"], softplus = match["softplus"];
    // Which input of Multiply is not the Tanh?
    const size_t input = mul.in_node(0) == match["tanh"] ? 1 : 0;
    const mo::OutPort x = mul.in_port(input).get_source();
    mo::only_when(x == softplus.in_port(0).get_source(), "Multiply and SoftPlus read different tensors");

    const mo::Node mish = graph.create_node("Mish", "opset4", mul.name() + "/mish", {x});
    mo::copy_runtime_info({softplus, match["tanh"], mul}, {mish});
    // Consumers, tensor names, and the name by which users know the value.
    mo::replace_node(mul, mish);
  }
};

void register_mish_fusion(mo::Registry& registry) { registry.transformation<MishFusion>(); }

}  // namespace seeds
