#include "core/infer/infer.hpp"

namespace mo::core {

namespace {

// All values known, none of them to be kept computable.
bool foldable(const Session& session, const Graph& g, NodeId n) {
  const NodeRecord& r = g.node(n);
  if (r.op == g.space().constant || r.op == g.space().parameter || r.outputs.empty()) return false;
  const bool known = std::all_of(r.outputs.begin(), r.outputs.end(), [](const OutSlot& o) {
    return o.destinations == 0 || (o.tensor.value && !o.tensor.from_shape);
  });
  if (!known) return false;
  const Operation* op = operation_of(session, g, n);
  return op != nullptr && (op->flags & (MO_OP_NO_FOLD | MO_OP_SINK)) == 0;
}

// Const nodes take over name, tensor names and destinations.
void fold(Graph& g, NodeId n) {
  const std::string name(g.name(n));
  g.rename(n, g.unique_name(name + "/folded"));
  const auto count = static_cast<uint32_t>(g.node(n).outputs.size());
  for (uint32_t i = 0; i < count; ++i) {
    const OutSlot& o = g.out({n, i});
    if (o.destinations == 0) continue;
    const NodeId c = g.add_const(i == 0 ? name : text(name, ".", i), o.tensor.value);
    g.set_source({n, i}, {c, 0}, NamesMode::merge);
  }
}

void clean_up_graph(const Session& session, Graph& g, size_t& removed) {
  std::vector<NodeId> stack = sinks(session, g);
  std::vector<bool> needed(g.end_id(), false);
  for (NodeId n : g.parameters()) needed[n] = true;
  for (NodeId n : stack) needed[n] = true;
  while (!stack.empty()) {
    const NodeId n = stack.back();
    stack.pop_back();
    for (uint32_t i = 0; i < g.node(n).inputs.size(); ++i) {
      PortRef source = g.source({n, i});
      if (source && foldable(session, g, source.node)) {
        fold(g, source.node);
        source = g.source({n, i});
        needed.resize(g.end_id(), false);
      }
      if (!source || needed[source.node]) continue;
      needed[source.node] = true;
      stack.push_back(source.node);
    }
  }
  for (NodeId n = g.end_id(); n-- > 0;)  // consumers first: nothing is marked for inference on the way
    if (!needed[n] && g.alive(n)) {
      g.remove_node(n);
      ++removed;
    }
}

}  // namespace

// By the op index: few ops are sinks.
std::vector<NodeId> sinks(const Session& session, const Graph& g) {
  std::vector<NodeId> list(g.results().begin(), g.results().end());
  for (const Operation* op : session.registry().operations())
    if ((op->flags & MO_OP_SINK) != 0)
      for (NodeId n : g.nodes_of(op->op))
        if (operation_of(session, g, n) == op) list.push_back(n);
  return list;
}

size_t clean_up(Session& session, Graph& g) {
  infer_marked(session, g);
  size_t removed = 0;
  if (!g.is_clean()) {
    clean_up_graph(session, g, removed);
    infer_marked(session, g);
    g.set_clean();
  }
  if (g.has_bodies())
    for (NodeId n : g.nodes())
      for (const GraphPtr& body : g.bodies(n)) removed += clean_up(session, *body);
  return removed;
}

}  // namespace mo::core
