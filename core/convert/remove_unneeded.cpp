#include <algorithm>

#include "core/convert/cut.hpp"

namespace mo::core {

namespace {

bool is_read(const Graph& g, NodeId n) {
  const auto& outputs = g.node(n).outputs;
  return std::any_of(outputs.begin(), outputs.end(), [](const OutSlot& o) { return o.destinations != 0; });
}

}  // namespace

// What nobody reads goes, and then what only that has read: there are no cycles, so everything else leads to
// something that stays.
void remove_unneeded(Graph& g, std::span<const NodeId> kept) {
  std::vector<bool> stays(g.end_id());
  for (NodeId n : g.results()) stays[n] = true;
  for (NodeId n : kept) stays[n] = true;
  std::vector<NodeId> open;
  const auto look_at = [&](NodeId n) {
    if (!stays[n] && g.alive(n) && !is_read(g, n)) open.push_back(n);
  };
  for (NodeId n = 0; n < g.end_id(); ++n) look_at(n);
  while (!open.empty()) {
    const NodeId n = open.back();
    open.pop_back();
    std::vector<NodeId> producers;
    for (const InSlot& in : g.node(n).inputs)
      if (in.source && std::find(producers.begin(), producers.end(), in.source.node) == producers.end())
        producers.push_back(in.source.node);
    g.remove_node(n);
    for (NodeId p : producers) look_at(p);
  }
}

}  // namespace mo::core
