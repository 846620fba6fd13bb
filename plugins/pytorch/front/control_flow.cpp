// Control flow: the loader has made If, Loop and TensorIterator of it. What is in their bodies is converted
// when its turn has come, so that what reads them knows shapes.
#include "support/call.hpp"

#include <mo/bodies.hpp>
#include <mo/passes.hpp>

namespace mo::pytorch {

namespace control_flow {

struct NamedBody {
  std::string_view prefix;
  Graph graph;
};
static std::vector<NamedBody> bodies_of(const Node& n) {
  std::vector<NamedBody> list;
  for (const std::string_view prefix : {"", "then_", "else_"})
    if (const auto handle = n.find_attr<GraphHandle>(text(prefix, "body")))
      list.push_back({prefix, Graph(n.context(), handle->id)});
  return list;
}

// States keep their shapes, so each Parameter of a body has that of the first iteration.
static void give_shapes(const Node& n, const NamedBody& body) {
  const std::vector<Node> parameters = body.graph.parameters();
  for (const PortMapEntry& e : port_map_of(n, body.prefix)) {
    if (e.output || e.external < 0) continue;
    const OutPort from = n.in_port(static_cast<size_t>(e.external)).get_source();
    Shape shape = from.shape();
    if (e.axis && shape.has_rank() && !shape.empty()) shape[0] = Dim(1);
    parameters[static_cast<size_t>(e.internal)].out_port().set_shape(from.type(), shape);
  }
  body.graph.infer_all();
}

// Whether there are operators of torch in its bodies.
static bool has_operators(const Node& n) {
  for (const NamedBody& b : bodies_of(n))
    for (const Node& inner : b.graph.nodes())
      if (inner.opset().empty() || has_operators(inner)) return true;
  return false;
}

static void convert_bodies(const Graph& g, const Node& n) {
  if (!has_operators(n)) return;
  g.infer_marked();
  for (const NamedBody& b : bodies_of(n)) {
    give_shapes(n, b);
    Manager(g.context()).register_pass(std::string(operators_group)).run_passes(b.graph);
  }
  n.mark_for_inference();
}

class ConvertBodies : public MatcherPass {
 public:
  ConvertBodies() : MatcherPass(MO_PHASE_FRONT) {
    id = "pytorch.front.control_flow";
    doc = "what operators mean in the bodies of cond, while_loop, map and scan";
    before = "If, Loop or TensorIterator with operators of torch inside";
    after = "the same with operations of the operation sets inside";
    group = operators_group;
    frameworks = {"pytorch"};
    register_matcher(wrap_type({"TensorIterator", "Loop", "If"}),
                     [](Graph g, Match& m) { convert_bodies(g, m.root()); });
  }
};

}  // namespace control_flow

void register_control_flow(Registry& r) { r.transformation<control_flow::ConvertBodies>(); }

}  // namespace mo::pytorch
