// SquaredDifference(a, b)  ->  (a + -b)^2: extensions/front/SquaredDifference.py, one operation by several.
#include "seeds.hpp"

namespace seeds {

struct SquaredDifference : mo::FrontReplacementOp {
  SquaredDifference() {
    id = "seeds.front.squared_difference";
    doc = "SquaredDifference in operations that every runtime has";
    before = "y = SquaredDifference(a, b)";
    after = "y = Power(Add(a, Multiply(b, -1)), 2)";
    op = "SquaredDifference";
    enabled = false;  // the operation sets have it; for runtimes that do not
  }

  std::vector<mo::OutPort> replace_op(mo::Graph graph, mo::Node node) override {
    const mo::OutPort a = node.in_port(0).get_source(), b = node.in_port(1).get_source();
    const std::string name = node.name();
    const mo::Node negate =
        graph.create_node("Multiply", "opset1", name + "/negate_", {b, like(b, -1, name + "/-1")});
    const mo::Node add = graph.create_node("Add", "opset1", name + "/add_", {a, negate});
    const mo::Node squared =
        graph.create_node("Power", "opset1", name + "/squared_", {add, like(a, 2, name + "/2")});
    // The same as {squared.out_port(0)} and {{squared, 0}}.
    return {squared};
  }
};

void register_squared_difference(mo::Registry& registry) { registry.transformation<SquaredDifference>(); }

}  // namespace seeds
