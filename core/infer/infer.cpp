#include "core/infer/infer.hpp"

#include <queue>

#include "core/graph/levels.hpp"

namespace mo::core {

void infer_all(Session& session, Graph& g) {
  (void)g.take_marked();
  for (NodeId n : set_levels(g)) {
    infer_node(session, g, n);
    g.unmark(n);
  }
  (void)g.take_marked();
  g.set_all_fresh();
  g.set_inferred();
}

// Nodes are taken by level, so that a node is usually inferred once, after all producers that change.
void infer_marked(Session& session, Graph& g) {
  g.mark_changed_holders();
  using Item = std::pair<uint32_t, NodeId>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
  const size_t most_raised = 4 * g.size() + 1000;
  size_t budget = most_raised;
  const auto enqueue = [&] {
    for (NodeId n : g.take_marked()) {
      if (!raise_levels(g, n, budget)) {
        set_levels(g);  // throws when there is a cycle
        budget = most_raised;
      }
      queue.emplace(g.node(n).level, n);
    }
  };
  enqueue();
  while (!queue.empty()) {
    const auto [level, n] = queue.top();
    queue.pop();
    if (!g.alive(n)) continue;
    if (const uint32_t now = g.node(n).level; now > level) {  // raised since
      queue.emplace(now, n);
      continue;
    }
    infer_node(session, g, n);  // marks the destinations when something changed
    enqueue();
  }
  g.set_all_fresh();
}

}  // namespace mo::core
