// y = @Name@(x)  ->  y = Add(Multiply(x, x), x): an operator of the framework becomes several operations.
#include <mo/sdk.hpp>

namespace {

struct Replace : mo::FrontReplacementOp {
  Replace() {
    id = "@plugin@.front.@name@";
    doc = "what @Name@ means, in operations of the operation sets";
    before = "y = @Name@(x)";
    after = "y = Add(Multiply(x, x), x)";
    frameworks = {"@framework@"};
    op = "::@operator@";  // one that no extractor took
  }

  // Shapes are not known yet. mo::SourceNode(node).native<…>() reads attributes of the operator.
  std::vector<mo::OutPort> replace_op(mo::Graph graph, mo::Node node) override {
    const mo::OutPort x = node.in_port(0).get_source();
    const mo::Node square = graph.create_node("Multiply", "opset1", node.name() + "/square", {x, x});
    return {graph.create_node("Add", "opset1", node.name() + "/sum", {square, x}).out_port()};
  }
};

}  // namespace

void register_@name@(mo::Registry& registry) { registry.transformation<Replace>(); }
