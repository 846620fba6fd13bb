#include "core/convert/cut.hpp"

namespace mo::core {

void remove_unneeded(Graph& g, std::span<const NodeId> kept) {
  std::vector<bool> needed(g.end_id());
  std::vector<NodeId> open;
  const auto need = [&](NodeId n) {
    if (!needed[n]) open.push_back(n);
    needed[n] = true;
  };
  for (NodeId n : g.results()) need(n);
  for (NodeId n : kept) need(n);
  while (!open.empty()) {
    const NodeId n = open.back();
    open.pop_back();
    for (const InSlot& in : g.node(n).inputs)
      if (in.source) need(in.source.node);
  }
  for (NodeId n = g.end_id(); n-- > 0;)  // readers first
    if (!needed[n] && g.alive(n)) g.remove_node(n);
}

}  // namespace mo::core
