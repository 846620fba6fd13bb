#include <algorithm>

#include "core/schedule/invariants.hpp"

namespace mo::core {

namespace {

[[noreturn]] void broken(const Graph& g, NodeId n, const std::string& what) {
  throw Failure(Exit::internal, "MO0605", text("the graph '", g.name(), "' is broken: ", what))
      .with("node", describe(g, n))
      .at(node_handle(g, n));
}

void check_inputs(const Graph& g, NodeId n) {
  const auto& inputs = g.node(n).inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const PortRef s = inputs[i].source;
    if (!s) continue;
    if (!g.alive(s.node)) broken(g, n, text("input ", i, " reads a removed node"));
    if (s.port >= g.node(s.node).outputs.size())
      broken(g, n,
             text("input ", i, " reads output ", s.port, " of ", describe(g, s.node),
                  ", which has no such output"));
  }
}

void check_outputs_of(const Graph& g, NodeId n) {
  const auto count = static_cast<uint32_t>(g.node(n).outputs.size());
  for (uint32_t o = 0; o < count; ++o) {
    const OutSlot& slot = g.out({n, o});
    uint32_t readers = 0;
    PortRef before;
    for (PortRef d = slot.first; d; d = g.node(d.node).inputs[d.port].next) {
      if (!g.alive(d.node) || d.port >= g.node(d.node).inputs.size() || g.source(d) != PortRef{n, o} ||
          g.node(d.node).inputs[d.port].previous != before || ++readers > slot.destinations)
        broken(g, n, text("the readers of output ", o, " are not linked as they should"));
      before = d;
    }
    if (readers != slot.destinations || slot.last != before)
      broken(g, n, text("output ", o, " counts ", slot.destinations, " readers and has ", readers));
  }
}

}  // namespace

void check_graph(const Graph& g) {
  const auto all = g.nodes();
  if (all.size() != g.size()) throw Failure(Exit::internal, "MO0605", "the number of nodes is wrong");
  size_t indexed = 0;
  for (Symbol op : g.ops()) {
    const auto ids = g.nodes_of(op);
    indexed += ids.size();
    for (NodeId n : ids)
      if (!g.alive(n) || g.node(n).op != op) broken(g, n, "it is listed under another op");
  }
  if (indexed != all.size())
    throw Failure(Exit::internal, "MO0605", text(all.size(), " nodes, but ", indexed, " are listed by op"));
  for (NodeId n : all) {
    if (g.find(g.name(n)) != n) broken(g, n, "its name does not lead to it");
    check_inputs(g, n);
    check_outputs_of(g, n);
    for (const GraphPtr& body : g.bodies(n)) check_graph(*body);
  }
  (void)g.topological();
}

}  // namespace mo::core
