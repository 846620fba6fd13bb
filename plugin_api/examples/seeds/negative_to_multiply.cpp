// Negative(x)  ->  Multiply(x, -1): ov::replace_node, and the same by hand.
#include "seeds.hpp"

namespace seeds {

namespace {

mo::Node multiply_for(mo::Graph graph, const mo::Node& negative) {
  const mo::OutPort x = negative.in_port(0).get_source();
  return graph.create_node("Multiply", "opset1", negative.name() + "/mul",
                           {x, like(x, -1, negative.name() + "/-1")});
}

struct NegativeToMultiply : mo::MatcherPass {
  NegativeToMultiply() {
    id = "seeds.negative_to_multiply";
    doc = "Negative becomes Multiply by -1";
    before = "y = Negative(x)";
    after = "y = Multiply(x, -1)";
    enabled = false;
    register_matcher(mo::wrap_type({"Negative"}), [](mo::Graph graph, mo::Match& m) {
      const mo::Node negative = m.root(), multiply = multiply_for(graph, negative);
      mo::copy_runtime_info({negative}, {multiply});
      mo::replace_node(negative, multiply);  // consumers, tensor names and the friendly name
    });
  }
};

struct NegativeToMultiplyByHand : mo::MatcherPass {
  NegativeToMultiplyByHand() {
    id = "seeds.negative_to_multiply_by_hand";
    doc = "Negative becomes Multiply by -1, port by port";
    enabled = false;
    register_matcher(mo::wrap_type({"Negative"}), [](mo::Graph graph, mo::Match& m) {
      const mo::Node negative = m.root(), multiply = multiply_for(graph, negative);
      mo::copy_runtime_info({negative}, {multiply});
      mo::take_name(negative, multiply);
      // Port by port leaves tensor names behind, and those of a model are promises to its users.
      multiply.out_port().set_tensor_names(negative.out_port().tensor_names());
      negative.out_port().set_tensor_names({});
      for (const mo::InPort& consumer : negative.out_port().get_destinations()) consumer.set_source(multiply);
    });
  }
};

}  // namespace

void register_negative_to_multiply(mo::Registry& registry) {
  registry.transformation<NegativeToMultiply>();
  registry.transformation<NegativeToMultiplyByHand>();
}

}  // namespace seeds
