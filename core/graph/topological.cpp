#include <algorithm>

#include "core/graph/levels.hpp"
#include "core/support/failure.hpp"

namespace mo::core {

namespace {

struct Walk {
  std::vector<NodeId> order;  // producers first
  std::vector<NodeId>
      cycle;  // one, in the direction of data from its oldest node on; the order ends there then
};

// The order of a depth-first search along the inputs.
Walk walk(const Graph& g) {
  enum : uint8_t { fresh, open, listed };
  Walk walk;
  walk.order.reserve(g.size());
  std::vector<uint8_t> state(g.end_id(), fresh);
  std::vector<std::pair<NodeId, uint32_t>> path;  // nodes that wait for a producer, and the port they are at
  for (NodeId start = 0; start < g.end_id(); ++start) {
    if (state[start] != fresh || !g.alive(start)) continue;
    path.emplace_back(start, 0);
    while (!path.empty()) {
      const NodeId n = path.back().first;
      const InSlots& inputs = g.node(n).inputs;
      uint32_t port = path.back().second;
      while (port < inputs.size() && (!inputs[port].source || state[inputs[port].source.node] == listed))
        ++port;
      if (port == inputs.size()) {
        state[n] = listed;
        walk.order.push_back(n);
        path.pop_back();
        continue;
      }
      state[n] = open;
      path.back().second = port;
      const NodeId producer = inputs[port].source.node;
      path.emplace_back(producer, 0);
      if (state[producer] != open) continue;
      // Each node of the path reads the next one, and the last is one of those before.
      for (auto it = path.rbegin() + 1; walk.cycle.empty() || walk.cycle.back() != producer; ++it)
        walk.cycle.push_back(it->first);
      std::rotate(walk.cycle.begin(), std::min_element(walk.cycle.begin(), walk.cycle.end()),
                  walk.cycle.end());
      return walk;
    }
  }
  return walk;
}

}  // namespace

std::vector<NodeId> find_cycle(const Graph& g) { return walk(g).cycle; }

std::string cycle_text(const Graph& g, const std::vector<NodeId>& cycle) {
  constexpr size_t shown = 12;
  std::string path;
  for (size_t i = 0; i < cycle.size() && i < shown; ++i) path += describe(g, cycle[i]) + " -> ";
  if (cycle.size() > shown) path += text("… ", cycle.size() - shown, " more … -> ");
  return path + describe(g, cycle.front());
}

std::vector<NodeId> Graph::topological() const {
  Walk all = walk(*this);
  if (all.cycle.empty()) return std::move(all.order);
  throw Failure(Exit::model, "MO0301",
                text("the graph '", name(), "' has a cycle of ", all.cycle.size(),
                     all.cycle.size() == 1 ? " node" : " nodes"))
      .with("cycle", cycle_text(*this, all.cycle))
      .with("hint", "a node cannot need its own result; loops are written as operations with a body");
}

}  // namespace mo::core
