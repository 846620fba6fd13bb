#include "core/convert/cut.hpp"

namespace mo::core {

void remove_unneeded(Graph& g, const std::function<bool(NodeId)>& is_sink) {
  std::vector<bool> needed(g.end_id());
  std::vector<NodeId> open;
  const auto need = [&](NodeId n) {
    if (!needed[n]) open.push_back(n);
    needed[n] = true;
  };
  for (NodeId n : g.results()) need(n);
  const std::vector<NodeId> all = g.nodes();
  if (is_sink)
    for (NodeId n : all)
      if (is_sink(n)) need(n);
  while (!open.empty()) {
    const NodeId n = open.back();
    open.pop_back();
    for (const InSlot& in : g.node(n).inputs)
      if (in.source) need(in.source.node);
  }
  for (auto n = all.rbegin(); n != all.rend(); ++n)
    if (!needed[*n]) g.remove_node(*n);
}

}  // namespace mo::core
