// How each kind of transformation finds what it is applied to.
#include <algorithm>

#include "core/config/match_config.hpp"
#include "core/match/subgraph.hpp"
#include "core/schedule/runner.hpp"
#include "core/schedule/traversal.hpp"

namespace mo::core {

void Runner::run_on(Graph& g, bool is_body) {
  std::vector<Member*> matchers;
  for (Member& m : members_) {
    if (!m.runs || (is_body && !m.transformation->recursive)) continue;
    switch (m.transformation->kind) {
      case MO_TRANSFORM_GRAPH:
        run_on_graph(m, g);
        break;
      case MO_TRANSFORM_OP:
        run_on_ops(m, g);
        break;
      case MO_TRANSFORM_PATTERN:
        run_on_patterns(m, g);
        break;
      case MO_TRANSFORM_MATCHER:
        matchers.push_back(&m);
        break;
      default:
        if (!is_body) run_on_config(m, g);
    }
  }
  if (!matchers.empty()) Traversal(*this, g, matchers).run();
}

void Runner::run_on_graph(Member& m, Graph& g) {
  const Transformation& t = *m.transformation;
  call(m, g, no_node, nullptr, "on_graph", [&](mo_context* c) { return t.on_graph(t.self, c, g.serial()); });
}

// The nodes that are there at the start; what the callbacks make is not looked at.
void Runner::run_on_ops(Member& m, Graph& g) {
  const Transformation& t = *m.transformation;
  const OpFilter ops(g.symbols(), t.ops, t.plugin);
  std::vector<NodeId> list;
  ops.collect(g, list);
  const NodeId end = g.end_id();
  NodeId n = no_node;
  const Callback on_node = [&](mo_context* c) { return t.on_node(t.self, c, node_handle(g, n)); };
  for (const NodeId candidate : list) {
    n = candidate;
    if (n < end && g.alive(n) && ops.matches(g.node(n))) call(m, g, n, nullptr, "on_node", on_node);
  }
}

// All matches are found first. What an earlier one changed is matched again before its turn, and the same
// nodes are not given twice, once a callback has edited them.
void Runner::run_on_patterns(Member& m, Graph& g) {
  SubgraphMatcher matcher(session_, g, *m.transformation);
  std::vector<Match> matches = matcher.all();
  if (matches.empty()) return;
  const size_t start = journal().size();
  std::set<std::vector<NodeId>> edited;
  for (Match& match : matches) {
    std::vector<NodeId> nodes;
    for (PortRef p : match.bound) nodes.push_back(p.node);
    std::sort(nodes.begin(), nodes.end());
    if (edited.contains(nodes)) continue;
    if (journal().size() != start && !matcher.still_holds(match)) continue;
    if (call_on_match(m, match)) edited.insert(std::move(nodes));
  }
}

// Entry by entry, instance by instance: each is matched in the graph that the one before has left. A
// transformation with ops is one that was made for the entries with that "op".
void Runner::run_on_config(Member& m, Graph& g) {
  const Transformation& t = *m.transformation;
  if (session_.configuration == nullptr)
    throw Failure(Exit::usage, "MO0609",
                  text("'", t.id, "' is run by a configuration file, and there is none"));
  const std::string op = t.ops.empty() ? std::string() : t.ops.front();
  for (const ConfigEntry& e : *session_.configuration) {
    if (e.id != t.id || e.op != op) continue;
    config_ = &e;
    instance_.clear();
    if (e.kind == ConfigEntry::Kind::general) run_on_graph(m, g);
    for (size_t i = 0; i < instance_count(e); ++i) {
      InstanceMatch instance = match_instance(g, e, i);
      instance_ = instance.instance;
      if (instance.match) {
        instance.match->transformation = &t;
        call_on_match(m, *instance.match);
        continue;
      }
      const std::string why = text(instance.instance, ": ", instance.why_not);
      ++m.statistics.declined;
      m.statistics.declines.push_back({e.place(), why});
      session_.log(MO_LOG_WARNING, text(e.place(), ": \"", e.id, "\" is not applied to ", why), t.plugin);
    }
    config_ = nullptr;
  }
}

}  // namespace mo::core
