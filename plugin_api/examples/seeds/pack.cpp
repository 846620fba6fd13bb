// Pack(a, b, …)  ->  Concat(Unsqueeze(a), Unsqueeze(b), …): extensions/front/Pack.py, one operation of the
// front phase.
#include "seeds.hpp"

namespace seeds {

struct Pack : mo::FrontReplacementOp {
  Pack() {
    id = "seeds.front.pack";
    doc = "Pack becomes Concat of its inputs with one dimension more";
    before = "y = Pack(a, b) {axis}";
    after = "y = Concat(Unsqueeze(a, axis), Unsqueeze(b, axis)) {axis}";
    op = "Pack";
  }

  std::vector<mo::OutPort> replace_op(mo::Graph graph, mo::Node node) override {
    const auto axis = attribute<int64_t>(node, "axis", 0);
    const auto at = mo::Tensor::vector<int64_t>(graph.context(), {axis});
    std::vector<mo::OutPort> parts;
    for (const mo::InPort& in : node.in_ports())
      parts.emplace_back(mo::create_op_with_const_inputs(
          graph, "Unsqueeze", "opset1", node.name() + "/Unsqueeze", {{1, at}}, in.get_source()));
    const mo::Node concat = graph.create_node("Concat", "opset1", node.name() + "/Concat", parts);
    concat.set("axis", axis);
    return {concat};  // gets the consumers and the name of Pack, which is removed
  }
};

void register_pack(mo::Registry& registry) { registry.transformation<Pack>(); }

}  // namespace seeds
