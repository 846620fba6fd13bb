// Do the connections between two matched nodes agree with the pattern's edges?
#include <algorithm>

#include "core/match/subgraph.hpp"

namespace mo::core {

namespace {

bool port_fits(int32_t wanted, uint32_t port) { return wanted < 0 || port == static_cast<uint32_t>(wanted); }

}  // namespace

void SubgraphMatcher::links(uint32_t from, uint32_t to, std::vector<Link>& list) const {
  const PortRef source = bound_[from];
  const auto& inputs = graph_.node(bound_[to].node).inputs;
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    const PortRef s = inputs[i].source;
    if (s && s.node == source.node && (!is_data(from) || s.port == source.port)) list.push_back({s.port, i});
  }
}

// Each edge of the pattern between the two has a connection of its own; with `all`, each connection an edge,
// too.
bool SubgraphMatcher::assign(uint32_t from, uint32_t to, const std::vector<Link>& list, bool all) const {
  std::vector<const PatternEdge*> edges;
  for (const PatternEdge& e : transformation_.edges)
    if (e.from == from && e.to == to) edges.push_back(&e);
  if (all ? edges.size() != list.size() : edges.size() > list.size()) return false;
  const bool ignore_out_port = is_data(from);
  std::vector<bool> used(list.size(), false);
  const auto place = [&](auto& self, size_t k) -> bool {
    if (k == edges.size()) return true;
    for (size_t i = 0; i < list.size(); ++i) {
      if (used[i] || !port_fits(edges[k]->in_port, list[i].in_port)) continue;
      if (!ignore_out_port && !port_fits(edges[k]->out_port, list[i].out_port)) continue;
      used[i] = true;
      if (self(self, k + 1)) return true;
      used[i] = false;
    }
    return false;
  };
  return place(place, 0);
}

bool SubgraphMatcher::operations_fit(uint32_t from, uint32_t to) const {
  std::vector<Link> list;
  links(from, to, list);
  // Beside data nodes of the pattern, operations may be connected through tensors it does not name.
  const bool all = !has_data_ || is_data(from);
  return assign(from, to, list, all);
}

bool SubgraphMatcher::connections_fit(uint32_t from, uint32_t to) const {
  if (is_data(from) && is_data(to)) return true;
  if (!is_data(to)) return operations_fit(from, to);
  const bool produces = bound_[from].node == bound_[to].node;
  bool has_edge = false;
  for (const PatternEdge& e : transformation_.edges) {
    if (e.from != from || e.to != to) continue;
    has_edge = true;
    if (!produces || !port_fits(e.out_port, bound_[to].port)) return false;
  }
  return has_edge || !produces;
}

}  // namespace mo::core
