#include "apps/explore/history.hpp"

#include <algorithm>

#include "core/schedule/invariants.hpp"

namespace mo::app {

namespace {

bool is_below(const core::Graph* g, const core::Graph& main) {
  while (g != nullptr && g != &main) g = g->parent();
  return g != nullptr;
}

}  // namespace

std::string GraphHistory::Difference::json() const {
  if (nodes.empty() && gone.empty()) return {};
  return text("\"nodes\":[", nodes, "],\"gone\":[", gone, ']');
}

void GraphHistory::see(const core::Graph& g, core::NodeId n, Difference& d) {
  NodeFacts now = node_facts(g, n, texts_, numbers_);
  const auto [at, is_new] = known_.try_emplace({g.serial(), n}, Known{numbers_.node(g, n), {}});
  std::string changed;
  for (size_t i = 0; i < now.parts.size(); ++i) {
    if (now.parts[i] == at->second.facts.parts[i]) continue;
    changed += text(",\"", NodeFacts::keys[i], "\":", now.parts[i].empty() ? "0" : now.parts[i]);
  }
  if (changed.empty()) return;
  d.nodes += text(d.nodes.empty() ? "" : ",\n", "{\"k\":", at->second.number, changed, '}');
  at->second.facts = std::move(now);
}

void GraphHistory::see_all(const core::Graph& g, std::set<Place>& seen, Difference& d) {
  for (core::NodeId n = 0; n < g.end_id(); ++n) {
    if (!g.alive(n)) continue;
    see(g, n, d);
    seen.insert({g.serial(), n});
    if (!g.has_bodies()) continue;
    for (const core::GraphPtr& body : g.bodies(n)) see_all(*body, seen, d);
  }
}

void GraphHistory::forget(const Place& place, Difference& d) {
  const auto at = known_.find(place);
  if (at == known_.end()) return;
  d.gone += text(d.gone.empty() ? "" : ",", at->second.number);
  known_.erase(at);
}

std::string GraphHistory::look(const core::Graph& main) {
  Difference d;
  std::set<Place> seen;
  see_all(main, seen, d);
  std::vector<Place> gone;
  for (const auto& [place, ignored] : known_)
    if (!seen.contains(place)) gone.push_back(place);
  for (const Place& place : gone) forget(place, d);
  return d.json();
}

std::string GraphHistory::look(const core::Graph& main, std::span<const core::Journal::Edit> edits) {
  std::map<Place, const core::Graph*> touched;
  for (const core::Journal::Edit& e : edits) {
    // With a graph that is gone went its nodes, and only a look at everything tells which.
    if (main.space().find(e.serial) == nullptr) return look(main);
    if (e.node != core::no_node && is_below(e.graph, main))
      touched.emplace(Place{e.graph->serial(), e.node}, e.graph);
  }
  for (const auto& [place, g] : touched) {
    const auto known = known_.find(place);
    const bool had_bodies = known != known_.end() && !known->second.facts.parts[NodeFacts::bodies].empty();
    if (had_bodies || (g->alive(place.second) && !g->bodies(place.second).empty())) return look(main);
  }
  Difference d;
  for (const auto& [place, g] : touched) {
    if (g->alive(place.second))
      see(*g, place.second, d);
    else
      forget(place, d);
  }
  return d.json();
}

}  // namespace mo::app
