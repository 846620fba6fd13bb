// In which order the nodes of a PATTERN are bound.
#include <algorithm>
#include <limits>

#include "core/match/subgraph.hpp"

namespace mo::core {

void SubgraphMatcher::check_edges() const {
  for (const PatternEdge& e : transformation_.edges)
    if (is_data(e.from) && is_data(e.to))
      throw Failure(
          Exit::plugin, "MO0607",
          text("the pattern connects the data nodes '", transformation_.nodes[e.from].alias, "' and '",
               transformation_.nodes[e.to].alias, "'; only an operation makes data of data"))
          .with("pass", transformation_.id);
}

// How many candidates an edge gives, roughly: a consumer has one producer per port, a producer any number of
// consumers.
int SubgraphMatcher::price(const PatternEdge& e, bool forward) const {
  if (!forward) return is_data(e.to) || e.in_port >= 0 ? 0 : 1;
  if (is_data(e.to)) return e.out_port >= 0 ? 0 : 1;
  return 2;
}

SubgraphMatcher::Step SubgraphMatcher::start_of_component(const std::vector<bool>& planned) {
  size_t least = std::numeric_limits<size_t>::max();
  uint32_t best = 0;
  for (uint32_t p = 0; p < planned.size(); ++p) {
    if (planned[p]) continue;
    // A data node of the pattern has no index; one that stands alone is looked for everywhere.
    const size_t count =
        is_data(p) ? std::numeric_limits<size_t>::max() - 1 : conditions_[p].ops().count(graph_);
    if (count < least) {
      least = count;
      best = p;
    }
  }
  Step s{best, nullptr, {}};
  std::vector<NodeId> nodes;
  if (is_data(best))
    OpFilter().collect(graph_, nodes);
  else
    conditions_[best].ops().collect(graph_, nodes);
  for (NodeId n : nodes) {
    const auto ports = is_data(best) ? static_cast<uint32_t>(graph_.node(n).outputs.size()) : 1;
    for (uint32_t i = 0; i < ports; ++i) s.scan.push_back({n, i});
  }
  return s;
}

// False when some operation of the pattern is nowhere in the graph.
bool SubgraphMatcher::make_plan() {
  for (uint32_t p = 0; p < conditions_.size(); ++p)
    if (!is_data(p) && !conditions_[p].ops().any() && conditions_[p].ops().count(graph_) == 0) return false;
  check_edges();
  std::vector<bool> planned(transformation_.nodes.size(), false);
  plan_.clear();
  while (plan_.size() < planned.size()) {
    const PatternEdge* best = nullptr;
    int least = 3;
    for (const PatternEdge& e : transformation_.edges) {
      if (planned[e.from] == planned[e.to]) continue;
      const int cost = price(e, planned[e.from]);
      if (cost < least) {
        least = cost;
        best = &e;
      }
    }
    if (best == nullptr)
      plan_.push_back(start_of_component(planned));
    else
      plan_.push_back({planned[best->from] ? best->to : best->from, best, {}});
    planned[plan_.back().pattern] = true;
  }
  return true;
}

}  // namespace mo::core
