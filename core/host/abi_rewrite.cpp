// mo_rewrite_api: what a callback of a transformation knows about its candidate, and what it asks for.
#include <algorithm>

#include "core/config/match_config.hpp"
#include "core/host/abi_functions.hpp"
#include "core/registry/abi.hpp"
#include "core/schedule/rewrite.hpp"
#include "core/schedule/runner.hpp"

namespace mo::core {

Graph& editable(mo_context* c, Graph& g) {
  const auto* call = static_cast<CallContext*>(c);
  if (call->transformation != nullptr && call->rewrite == nullptr)
    throw Error("conditions and predicates only read graphs", MO_WRONG_PHASE);
  if (call->rewrite != nullptr) call->rewrite->check_length();
  const bool reads_only = call->outputs != nullptr || call->ir_attrs != nullptr || call->symbols != nullptr;
  if (reads_only && &g == call->graph)
    throw Error("the graph at hand cannot be edited from here: inference and IR attributes only read it",
                MO_WRONG_PHASE);
  return g;
}

namespace abi {

namespace {

CallContext& context_of(mo_context* c) { return *static_cast<CallContext*>(c); }

// Conditions and predicates are callbacks of a transformation, too, but may ask for nothing.
Rewrite& rewrite_of(mo_context* c) {
  if (Rewrite* r = context_of(c).rewrite) return *r;
  throw Error("this is callable only inside on_graph, on_node and on_match of a transformation",
              MO_WRONG_PHASE);
}

Match& match_at(mo_context* c, const mo_match* match) {
  rewrite_of(c);
  need(match, "match");
  Match* current = context_of(c).match;
  if (current == nullptr) throw Error("there is no match in on_graph and on_node", MO_WRONG_PHASE);
  if (reinterpret_cast<const Match*>(match) != current)
    throw Error("a match is valid only in the callback that got it", MO_STALE_HANDLE);
  return *current;
}

size_t index_of(const Match& m, mo_str alias) {
  const std::string_view name = checked(alias, "alias");
  const auto& nodes = m.transformation->nodes;
  const auto it = std::find_if(nodes.begin(), nodes.end(),
                               [&](const PatternNodeDef& d) { return !name.empty() && d.alias == name; });
  if (it == nodes.end()) throw Error(text("the pattern has no node '", name, "'"), MO_NOT_FOUND);
  return static_cast<size_t>(it - nodes.begin());
}

PortRef bound_at(const Match& m, size_t i, std::string_view what) {
  const PortRef p = m.bound[i];
  if (!p || (what == "node" && !m.present(i)))
    throw Error(text("'", m.transformation->nodes[i].alias, "' is absent from this match"), MO_NOT_FOUND);
  if (!m.graph->alive(p.node))
    throw Error(text("the node that '", m.transformation->nodes[i].alias, "' matched has been removed"),
                MO_STALE_HANDLE);
  return p;
}

// In a configured match the alias is an expression for the name behind the scope.
NodeId configured_node(const Match& m, std::string_view pattern) {
  const NodeId n = node_by_pattern(*m.graph, *m.configured, pattern);
  if (n == no_node) throw Error(text("no node of the match fits '", pattern, "'"), MO_NOT_FOUND);
  return n;
}

// Inputs and outputs of a tree are what its author says they are.
const Boundary& boundary_at(mo_context* c, Match& m) {
  if (m.transformation->kind != MO_TRANSFORM_PATTERN && !m.configured)
    throw Error("inputs and outputs of a match are known for sub-graph patterns and configured matches only",
                MO_UNSUPPORTED);
  return boundary_of(m, rewrite_of(c).first_new());
}

template <class List>
const auto& item_at(const List& list, uint32_t i, std::string_view what) {
  if (i < list.size()) return list[i];
  throw Error(text("the match has no ", what, " ", i, "; it has ", list.size()), MO_INVALID_ARGUMENT);
}

void same_graph(const Graph& a, const Graph& b) {
  if (&a != &b) throw Error("the port lies in another graph than the match", MO_INVALID_ARGUMENT);
}

}  // namespace

// What was matched.

mo_status rewrite_node(mo_context* c, const mo_match* match, mo_str alias, mo_node* node) {
  return guarded(c, [&] {
    need(node, "node");
    const Match& m = match_at(c, match);
    *node = node_handle(*m.graph, m.configured ? configured_node(m, checked(alias, "alias"))
                                               : bound_at(m, index_of(m, alias), "node").node);
  });
}

mo_status rewrite_port(mo_context* c, const mo_match* match, mo_str alias, mo_port* port) {
  return guarded(c, [&] {
    need(port, "port");
    const Match& m = match_at(c, match);
    const PortRef p = m.configured ? PortRef{configured_node(m, checked(alias, "alias")), 0}
                                   : bound_at(m, index_of(m, alias), "port");
    if (p.port >= m.graph->node(p.node).outputs.size())
      throw Error(text(describe(*m.graph, p.node), " has no output"), MO_NOT_FOUND);
    *port = port_handle(*m.graph, p, MO_PORT_OUT);
  });
}

mo_status rewrite_root(mo_context* c, const mo_match* match, mo_node* node) {
  return guarded(c, [&] {
    need(node, "node");
    const Match& m = match_at(c, match);
    if (!m.graph->alive(m.root)) throw Error("the root of the match has been removed", MO_STALE_HANDLE);
    *node = node_handle(*m.graph, m.root);
  });
}

mo_status rewrite_nodes(mo_context* c, const mo_match* match, mo_node* items, uint64_t capacity,
                        uint64_t* count) {
  return guarded(c, [&] {
    const Match& m = match_at(c, match);
    std::vector<mo_node> list;
    for (NodeId n : m.nodes())
      if (m.graph->alive(n)) list.push_back(node_handle(*m.graph, n));
    give_list(list, items, capacity, count);
  });
}

mo_status rewrite_graph(mo_context* c, const mo_match* match, mo_graph* graph) {
  return guarded(c, [&] {
    need(graph, "graph");
    *graph = match_at(c, match).graph->serial();
  });
}

mo_status rewrite_input_ports(mo_context* c, const mo_match* match, uint32_t i, mo_port* items,
                              uint64_t capacity, uint64_t* count) {
  return guarded(c, [&] {
    Match& m = match_at(c, match);
    std::vector<mo_port> list;
    for (PortRef p : item_at(boundary_at(c, m).inputs, i, "input").ports)
      list.push_back(port_handle(*m.graph, p, MO_PORT_IN));
    give_list(list, items, capacity, count);
  });
}

mo_status rewrite_output_port(mo_context* c, const mo_match* match, uint32_t i, mo_port* port) {
  return guarded(c, [&] {
    need(port, "port");
    Match& m = match_at(c, match);
    *port = port_handle(*m.graph, item_at(boundary_at(c, m).outputs, i, "output"), MO_PORT_OUT);
  });
}

mo_status rewrite_counts(mo_context* c, const mo_match* match, uint32_t* inputs, uint32_t* outputs) {
  return guarded(c, [&] {
    const Boundary& b = boundary_at(c, match_at(c, match));
    if (inputs != nullptr) *inputs = static_cast<uint32_t>(b.inputs.size());
    if (outputs != nullptr) *outputs = static_cast<uint32_t>(b.outputs.size());
  });
}

mo_status rewrite_scope(mo_context* c, const mo_match* match, mo_str* scope) {
  return guarded(c, [&] {
    need(scope, "scope");
    const Match& m = match_at(c, match);
    *scope = m.configured ? str(m.configured->scope) : mo_str{nullptr, 0};
  });
}

mo_status rewrite_custom_attributes(mo_context* c, const mo_match* match, mo_str* json) {
  return guarded(c, [&] {
    need(json, "json");
    rewrite_of(c);
    if (match != nullptr)
      match_at(c, match);
    else if (context_of(c).transformation->kind != MO_TRANSFORM_CONFIG_GENERAL)
      throw Error("only a transformation of a configuration file has custom attributes without a match",
                  MO_INVALID_ARGUMENT);
    const ConfigEntry* entry = context_of(c).config;
    *json = entry == nullptr ? str("{}") : str(entry->custom_attributes);
  });
}

// What is to be done.

mo_status rewrite_replace_outputs(mo_context* c, mo_node old_node, const mo_port* ports, uint64_t count) {
  return guarded(c, [&] {
    Rewrite& r = rewrite_of(c);
    const NodeAt old = node_at(c, old_node);
    if (count != 0) need(ports, "ports");
    if (count > old.record().outputs.size())
      throw Error(text(count, " replacements for the ", old.record().outputs.size(), " outputs of ",
                       describe(*old.graph, old.id)),
                  MO_INVALID_ARGUMENT, old_node);
    std::vector<PortRef> list;
    for (uint64_t i = 0; i < count; ++i) {
      list.emplace_back();
      if (ports[i].node == 0) continue;
      const PortAt p = out_port_at(c, ports[i]);
      if (p.graph != old.graph)
        throw Error(text("replacement ", i, " of ", describe(*old.graph, old.id), " lies in another graph"),
                    MO_INVALID_ARGUMENT, old_node);
      list.back() = p.ref;
    }
    r.replace_outputs(*old.graph, old.id, list);
  });
}

mo_status rewrite_map_input(mo_context* c, mo_match* match, uint32_t i, mo_port in) {
  return guarded(c, [&] {
    Match& m = match_at(c, match);
    item_at(boundary_at(c, m).inputs, i, "input");
    const PortAt p = in_port_at(c, in);
    same_graph(*p.graph, *m.graph);
    m.mapped_inputs.emplace_back(i, p.ref);
  });
}

mo_status rewrite_map_output(mo_context* c, mo_match* match, uint32_t i, mo_port out) {
  return guarded(c, [&] {
    Match& m = match_at(c, match);
    item_at(boundary_at(c, m).outputs, i, "output");
    const PortAt p = out_port_at(c, out);
    same_graph(*p.graph, *m.graph);
    m.mapped_outputs.emplace_back(i, p.ref);
  });
}

mo_status rewrite_keep(mo_context* c, mo_match* match, mo_node node) {
  return guarded(c, [&] {
    Match& m = match_at(c, match);
    const NodeAt n = node_at(c, node);
    const auto nodes = m.nodes();
    if (n.graph != m.graph || std::find(nodes.begin(), nodes.end(), n.id) == nodes.end())
      throw Error(text(describe(*n.graph, n.id), " is not a node of this match"), MO_INVALID_ARGUMENT, node);
    m.kept.push_back(n.id);
  });
}

mo_status rewrite_register_new_node(mo_context* c, mo_node node) {
  return guarded(c, [&] {
    Rewrite& r = rewrite_of(c);
    const NodeAt n = node_at(c, node);
    if (context_of(c).transformation->kind != MO_TRANSFORM_MATCHER)
      throw Error("only matchers look at nodes that are registered", MO_WRONG_PHASE, node);
    if (n.graph != context_of(c).graph)
      throw Error("the node lies in another graph than the match", MO_INVALID_ARGUMENT, node);
    r.new_nodes.push_back(n.id);
  });
}

mo_status rewrite_decline(mo_context* c, mo_node where, mo_str why) {
  return guarded(c, [&]() -> mo_status {
    CallContext& context = context_of(c);
    if (context.rewrite == nullptr && !context.in_predicate) rewrite_of(c);
    const std::string_view reason = checked(why, "why");
    if (where != 0 && context.rewrite != nullptr && context.node == no_node) {
      const NodeAt n = node_at(c, where);
      context.declined_places.emplace_back(describe(*n.graph, n.id), reason);
    } else {
      context.declined = reason;
    }
    return MO_NOT_APPLICABLE;
  });
}

mo_status rewrite_run(mo_context* c, mo_graph graph, mo_str id) {
  return guarded(c, [&] {
    const Rewrite& rewrite = rewrite_of(c);
    const size_t depth = rewrite.depth() + 1;
    Graph& g = graph_at(c, graph);
    const std::string_view name = checked(id, "id");
    Session& session = session_of(c);
    // A matcher's own group, on a body: those of it that are not switched off.
    std::vector<const Transformation*> members;
    if (!name.empty() && rewrite.runner != nullptr) members = rewrite.runner->group(name);
    if (members.empty()) members = session.registry().transformations(name);
    if (members.empty()) throw Error(text("there is no transformation '", name, "'"), MO_NOT_FOUND);
    if (members.front()->is_configured() && session.configuration == nullptr)
      throw Error(text("'", name, "' is run by a configuration file, and there is none"), MO_UNSUPPORTED);
    const bool finds_nothing_again =
        std::all_of(members.begin(), members.end(), [&](const Transformation* t) {
          const auto quiet = session.quiet.find(t);
          return quiet != session.quiet.end() && quiet->second.graph == g.serial() &&
                 quiet->second.edits == session.space()->edits();
        });
    if (!finds_nothing_again) Runner(session, g, members, depth, nullptr).run();
  });
}

}  // namespace abi

}  // namespace mo::core
