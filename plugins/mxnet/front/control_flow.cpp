// Control flow: loader/control_flow.cpp has made TensorIterator, Loop and If of it. What is in their bodies
// is converted when its turn has come, so that what reads them knows shapes; three operators of the loader's
// own say what depends on these.
#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/shapes.hpp"

#include <mo/bodies.hpp>
#include <mo/passes.hpp>

namespace mo::mxnet {

namespace control_flow {

// MXNet's states keep their shapes, so each Parameter of a body has that of the first iteration.
static void give_shapes(const Node& n, const Graph& body, std::string_view prefix) {
  const std::vector<Node> parameters = body.parameters();
  for (const PortMapEntry& e : port_map_of(n, prefix)) {
    if (e.output) continue;
    const OutPort from = n.in_port(static_cast<size_t>(e.external)).get_source();
    Shape shape = from.shape();
    if (e.axis && shape.has_rank() && !shape.empty()) shape[0] = Dim(1);
    parameters[static_cast<size_t>(e.internal)].out_port().set_shape(from.type(), shape);
  }
  body.infer_all();
}

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

// Whether there are operators of MXNet in its bodies.
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
    give_shapes(n, b.graph, b.prefix);
    Manager(g.context()).register_pass(std::string(operators_group)).run_passes(b.graph);
  }
  n.mark_for_inference();
}

class ConvertBodies : public MatcherPass {
 public:
  ConvertBodies() : MatcherPass(MO_PHASE_FRONT) {
    id = "mxnet.front.control_flow";
    doc = "what operators mean in the bodies of _foreach, _while_loop and _cond";
    before = "TensorIterator, Loop or If with operators of MXNet inside";
    after = "the same with operations of the operation sets inside";
    group = operators_group;
    frameworks = {"mxnet"};
    register_matcher(wrap_type({"TensorIterator", "Loop", "If"}),
                     [](Graph g, Match& m) { convert_bodies(g, m.root()); });
  }
};

// A slice of one number stays a list.
static Ports step(Build& b, const SourceNode&) {
  const OutPort x = b.in(0);
  return {rank_of(b, x) == 1 ? x : b.squeeze(x, {0})};
}

static Ports condition(Build& b, const SourceNode&) { return {b.reshape(as_truth(b, b.in(0)), b.list({}))}; }

// Steps that did not run are zeros.
static Ports all_steps(Build& b, const SourceNode&) {
  const OutPort x = b.in(0);
  const size_t rank = rank_of(b, x);
  const auto most = b.ints(1);
  require(most && most->size() == 1, "its number of steps is not known");
  const OutPort missing = b.subtract(b.list(*most), b.dim(x, 0));
  Ints others(rank - 1, 0), shape(rank, 0);
  shape[0] = most->front();
  const OutPort zeros = b.list(others), end = rank == 1 ? missing : b.concat({missing, zeros});
  const Node p = b.node("Pad", "opset1", {x, b.list(Ints(rank, 0)), end, b.like(x, 0)});
  p.set("pad_mode", "constant");
  return {b.reshape(p.out_port(), shape)};
}

}  // namespace control_flow

void register_control_flow(Registry& r) {
  using control_flow::ConvertBodies;
  r.transformation<ConvertBodies>();
  convert<control_flow::step>(r, "mxnet.foreach_step", "a slice of what _foreach reads", "Squeeze(x, 0)");
  convert<control_flow::condition>(r, "mxnet.condition", "what _while_loop or _cond asks",
                                   "Reshape(NotEqual(x, 0))");
  convert<control_flow::all_steps>(r, "mxnet.all_steps", "the steps of a _while_loop", "Reshape(Pad(x))");
}

}  // namespace mo::mxnet
