// A ReLU behind each Convolution: insertion, and the same by a copy and replace_node.
#include "seeds.hpp"

namespace seeds {

namespace {

// What runs twice must not insert twice.
void only_without_relu(const mo::OutPort& out) {
  for (const mo::InPort& in : out.get_destinations())
    mo::only_when(in.node().op() != "ReLU", "a ReLU is behind it already");
}

struct InsertRelu : mo::MatcherPass {
  InsertRelu() {
    id = "seeds.insert_relu";
    doc = "a ReLU behind each Convolution";
    before = "y = Convolution(x, w)";
    after = "y = ReLU(Convolution(x, w))";
    enabled = false;
    register_matcher(mo::wrap_type({"Convolution"}), [](mo::Graph graph, mo::Match& m) {
      const mo::OutPort out = m.root().out_port();
      only_without_relu(out);
      const mo::Node relu = graph.create_node("ReLU", "opset1", m.root().name() + "/relu", {mo::OutPort()});
      // Its consumers read the ReLU, which reads it. What the tensor was called is the ReLU's name now: a
      // model's outputs keep their names.
      out.get_connection().insert_node(relu, mo::Names::dest);
    });
  }
};

struct InsertReluWithCopy : mo::MatcherPass {
  InsertReluWithCopy() {
    id = "seeds.insert_relu_with_copy";
    doc = "a ReLU behind each Convolution, which takes its name";
    enabled = false;
    register_matcher(mo::wrap_type({"Convolution"}), [](mo::Graph graph, mo::Match& m) {
      const mo::Node node = m.root();
      only_without_relu(node.out_port());
      std::vector<mo::OutPort> inputs;
      for (const mo::InPort& in : node.in_ports()) inputs.push_back(in.get_source());
      const mo::Node copy = mo::clone_with_new_inputs(node, inputs, node.name() + "/conv");
      const mo::Node relu = graph.create_node("ReLU", "opset1", node.name() + "/relu", {copy});
      mo::copy_runtime_info({node}, {copy, relu});
      mo::replace_node(node, relu);
    });
  }
};

}  // namespace

void register_insert_node(mo::Registry& registry) {
  registry.transformation<InsertRelu>();
  registry.transformation<InsertReluWithCopy>();
}

}  // namespace seeds
