#include "core/infer/infer.hpp"

#include <queue>

namespace mo::core {

namespace {

uint32_t level_from_inputs(const Graph& g, NodeId n) {
  uint32_t level = 0;
  for (const InSlot& in : g.node(n).inputs)
    if (in.source) level = std::max(level, g.node(in.source.node).level + 1);
  return level;
}

}  // namespace

void infer_all(Session& session, Graph& g) {
  (void)g.take_marked();
  for (NodeId n : g.topological()) {
    g.set_level(n, level_from_inputs(g, n));
    infer_node(session, g, n);
    g.unmark(n);
  }
  (void)g.take_marked();
}

// Nodes are taken by level, so that a node is usually inferred once, after all producers that change. Levels
// of edited places may be out of date: they are corrected on the way, at worst a node is inferred again.
void infer_marked(Session& session, Graph& g) {
  using Item = std::pair<uint32_t, NodeId>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
  const auto enqueue = [&] {
    for (NodeId n : g.take_marked()) {
      g.set_level(n, std::max(g.node(n).level, level_from_inputs(g, n)));
      queue.emplace(g.node(n).level, n);
    }
  };
  enqueue();
  // In an acyclic graph each level is corrected at most as often as the graph is deep; only a cycle goes on
  // for ever.
  const uint32_t deepest = static_cast<uint32_t>(g.size()) + 1;
  while (!queue.empty()) {
    const auto [level, n] = queue.top();
    queue.pop();
    if (!g.alive(n)) continue;
    const uint32_t real = level_from_inputs(g, n);
    if (real > deepest) (void)g.topological();  // throws, naming the cycle
    if (real > level) {
      g.set_level(n, real);
      queue.emplace(real, n);
      continue;
    }
    infer_node(session, g, n);  // marks the destinations when something changed
    enqueue();
  }
}

}  // namespace mo::core
