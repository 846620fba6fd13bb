#include "core/graph/levels.hpp"

#include <algorithm>

namespace mo::core {

namespace {

// Room for nodes that are put between others: what stands behind them keeps its level.
constexpr uint32_t gap = 256;

uint32_t above_sources(const Graph& g, NodeId n, uint32_t distance) {
  uint32_t level = 0;
  for (const InSlot& in : g.node(n).inputs)
    if (in.source) level = std::max(level, g.node(in.source.node).level + distance);
  return level;
}

}  // namespace

std::vector<NodeId> set_levels(Graph& g) {
  std::vector<NodeId> order = g.topological();
  for (NodeId n : order) g.set_level(n, above_sources(g, n, gap));
  g.set_has_levels();
  return order;
}

bool raise_levels(Graph& g, NodeId start, size_t& budget) {
  std::vector<NodeId> open{start};
  while (!open.empty()) {
    const NodeId n = open.back();
    open.pop_back();
    const uint32_t level = above_sources(g, n, 1);
    if (level <= g.node(n).level && n != start) continue;
    if (budget == 0) return false;
    --budget;
    g.set_level(n, std::max(level, g.node(n).level));
    for (uint32_t i = 0; i < g.node(n).outputs.size(); ++i)
      for (PortRef d = g.out({n, i}).first; d; d = g.node(d.node).inputs[d.port].next)
        if (g.node(d.node).level <= g.node(n).level) open.push_back(d.node);
  }
  return true;
}

}  // namespace mo::core
