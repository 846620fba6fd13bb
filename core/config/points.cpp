#include <algorithm>
#include <unordered_set>

#include "core/config/scope.hpp"
#include "core/support/contains.hpp"
#include "core/support/nearest.hpp"

namespace mo::core {

namespace {

// False, with the reason: a name that no node has.
bool find_all(const Graph& g, const std::vector<ConfigEntry::Instance>& names, const char* what,
              std::vector<NodeId>& found, std::string& why_not) {
  for (const auto& wanted : names) {
    const NodeId n = g.find(wanted.pattern);
    if (n == no_node) {
      std::vector<std::string> known;
      for (NodeId k : g.nodes()) known.emplace_back(g.name(k));
      const std::string guess = did_you_mean(wanted.pattern, known);
      why_not = text("expected a node '", wanted.pattern, "' as ", what, guess.empty() ? "" : "; ", guess);
      return false;
    }
    found.push_back(n);
  }
  return true;
}

std::vector<NodeId> readers(const Graph& g, NodeId n) {
  std::vector<NodeId> list;
  for (uint32_t i = 0; i < g.node(n).outputs.size(); ++i)
    for (PortRef d : g.destinations({n, i}))
      if (!contains(list, d.node)) list.push_back(d.node);
  return list;
}

std::vector<NodeId> producers(const Graph& g, NodeId n) {
  std::vector<NodeId> list;
  for (const InSlot& in : g.node(n).inputs)
    if (in.source && !contains(list, in.source.node)) list.push_back(in.source.node);
  return list;
}

std::vector<NodeId> around(const Graph& g, const std::vector<NodeId>& nodes,
                           std::vector<NodeId> (*next)(const Graph&, NodeId)) {
  std::vector<NodeId> list;
  for (NodeId n : nodes)
    for (NodeId k : next(g, n))
      if (!contains(list, k)) list.push_back(k);
  return list;
}

// From the starts along the data to the ends; then, against the data, what the ends need. What the data lead to
// besides is part of it, but not what only that needs.
std::vector<NodeId> between(const Graph& g, const std::vector<NodeId>& starts,
                            const std::vector<NodeId>& ends) {
  if (starts.empty() || ends.empty()) return {};
  std::unordered_set<NodeId> needed(ends.begin(), ends.end()), seen;
  std::vector<NodeId> open = ends, visited;
  for (size_t i = 0; i < open.size(); ++i)
    if (!contains(starts, open[i]))
      for (NodeId p : producers(g, open[i]))
        if (needed.insert(p).second) open.push_back(p);
  const auto visit = [&](NodeId n) {
    if (seen.insert(n).second) visited.push_back(n);
  };
  for (NodeId n : starts) visit(n);
  for (size_t i = 0; i < visited.size(); ++i)
    if (!contains(ends, visited[i]))
      for (NodeId r : readers(g, visited[i])) visit(r);
  for (NodeId n : open) visit(n);
  return visited;
}

// Which of the ends the data of a start reaches.
std::unordered_set<NodeId> reached(const Graph& g, const std::vector<NodeId>& starts,
                                   const std::vector<NodeId>& ends) {
  std::vector<NodeId> open = starts;
  std::unordered_set<NodeId> seen(starts.begin(), starts.end());
  while (!open.empty()) {
    const NodeId n = open.back();
    open.pop_back();
    if (contains(ends, n)) continue;
    for (NodeId r : readers(g, n))
      if (seen.insert(r).second) open.push_back(r);
  }
  return seen;
}

void check(const Graph& g, const ConfigEntry& e, const std::vector<NodeId>& starts,
           const std::vector<NodeId>& ends, const std::vector<NodeId>& nodes) {
  const auto seen = reached(g, starts, ends);
  for (NodeId n : ends)
    if (!seen.contains(n))
      throw wrong_entry(e, "MO0616",
                        text("the end point ", describe(g, n), " is not reached from the start points"))
          .with("hint", "every end point must use what a start point gives");
  for (NodeId n : nodes)
    if (g.node(n).op == g.space().parameter && !contains(starts, n))
      throw wrong_entry(
          e, "MO0616",
          text("the input ", describe(g, n), " of the model lies between the start and the end points"))
          .with(
              "hint",
              "name a start point on the way from it, so that what is replaced depends on start points only");
}

}  // namespace

InstanceMatch match_points(Graph& g, const ConfigEntry& e) {
  InstanceMatch result{"points", std::nullopt, {}};
  std::vector<NodeId> starts, ends;
  if (!find_all(g, e.start_points, "a start point", starts, result.why_not) ||
      !find_all(g, e.end_points, "an end point", ends, result.why_not))
    return result;
  if (!e.include_inputs) starts = around(g, starts, readers);
  if (!e.include_outputs) ends = around(g, ends, producers);
  auto configured = std::make_shared<ConfiguredMatch>();
  configured->entry = &e;
  configured->nodes = between(g, starts, ends);
  if (configured->nodes.empty()) {
    result.why_not = "no node lies between the start and the end points";
    return result;
  }
  check(g, e, starts, ends, configured->nodes);

  Match m;
  m.graph = &g;
  m.root = configured->nodes.front();
  m.configured = configured;
  Boundary b;
  for (NodeId n : starts) {
    if (g.node(n).inputs.empty() && !g.node(n).outputs.empty()) {  // a constant is an input itself
      b.inputs.push_back({{n, 0}, {}});
      for (const PortRef reader : g.destinations({n, 0}))
        if (contains(configured->nodes, reader.node)) b.inputs.back().ports.push_back(reader);
      continue;
    }
    if (g.node(n).inputs.empty() || !g.source({n, 0})) {
      result.why_not = text("the start point ", describe(g, n), " has no input 0");
      return result;
    }
    b.inputs.push_back({g.source({n, 0}), {{n, 0}}});
  }
  for (NodeId n : ends) {
    if (g.node(n).outputs.empty()) {
      result.why_not = text("the end point ", describe(g, n), " has no output");
      return result;
    }
    b.outputs.push_back({n, 0});
  }
  m.boundary = std::move(b);
  result.match = std::move(m);
  return result;
}

}  // namespace mo::core
