#include "core/config/scope.hpp"

#include <algorithm>
#include <set>

#include "core/support/nearest.hpp"

namespace mo::core {

namespace {

// A scope ends at a slash, or is the whole name: `net/block_1` is not a part of `net/block_10`.
std::string joined(std::string_view scope, std::string_view node) {
  if (scope.empty()) return text("(?:", node, ")");
  if (node.empty()) return text("(?:", scope, ")", scope.ends_with('/') ? "" : "(?:/|$)");
  return text("(?:", scope, ")", scope.ends_with('/') ? "" : "/", "(?:", node, ")");
}

std::vector<NodeId> nodes_in(const Graph& g, const ScopeExpression& scope) {
  std::vector<NodeId> list;
  for (NodeId n = 0; n < g.end_id(); ++n)
    // An output of the model stays one, whoever gives it.
    if (g.alive(n) && g.node(n).op != g.space().result && scope.fits(g.name(n))) list.push_back(n);
  return list;
}

// For messages: an expression without what only widens it.
std::string literal(std::string_view pattern) {
  std::string out;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '.' && i + 1 < pattern.size() && (pattern[i + 1] == '*' || pattern[i + 1] == '+'))
      ++i;
    else if (pattern[i] != '^' && pattern[i] != '$' && pattern[i] != '\\')
      out += pattern[i];
  }
  return out;
}

// The scopes of a graph: what stands before a slash, with and without the scopes around it.
std::vector<std::string> scopes_of(const Graph& g) {
  std::set<std::string> scopes;
  for (NodeId n = 0; n < g.end_id(); ++n) {
    if (!g.alive(n)) continue;
    const std::string_view name = g.name(n);
    for (size_t end = name.find('/'); end != std::string_view::npos; end = name.find('/', end + 1)) {
      scopes.emplace(name.substr(0, end));
      for (size_t begin = name.find('/'); begin < end; begin = name.find('/', begin + 1))
        scopes.emplace(name.substr(begin + 1, end - begin - 1));
    }
  }
  return {scopes.begin(), scopes.end()};
}

// What follows the scope in a name, where that can be told from the literal part of its expression.
std::string behind(std::string_view scope, std::string name) {
  const std::string part = literal(scope);
  const size_t at = name.find(part);
  if (at != std::string::npos) name.erase(0, std::min(at + part.size() + 1, name.size()));
  return name;
}

std::string nearest_in(const Graph& g, const std::vector<NodeId>& nodes, std::string_view scope,
                       std::string_view wanted) {
  const size_t most_shown = 5;
  std::vector<std::string> names;
  for (NodeId n : nodes) names.push_back(behind(scope, std::string(g.name(n))));
  if (const std::string guess = did_you_mean(literal(wanted), names); !guess.empty()) return guess;
  std::string list;
  for (size_t i = 0; i < names.size() && i < most_shown; ++i)
    list += text(i == 0 ? "'" : ", '", names[i], "'");
  return text("the ", names.size(), " nodes of the scope are ", list, names.size() > most_shown ? ", …" : "");
}

// `seen` has what was looked at and needs none.
bool needs_inputs(const Graph& g, NodeId n, std::set<NodeId>& seen) {
  std::vector<NodeId> open;
  if (seen.insert(n).second) open.push_back(n);
  for (size_t i = 0; i < open.size(); ++i) {
    if (g.node(open[i]).op == g.space().parameter) return true;
    for (const InSlot& in : g.node(open[i]).inputs)
      if (in.source && seen.insert(in.source.node).second) open.push_back(in.source.node);
  }
  return false;
}

void check_count(const ConfigEntry& e, size_t count, uint32_t least, uint32_t most, std::string_view what) {
  if (count >= least && count <= most) return;
  throw Failure(Exit::usage, "MO0616",
                text("the part has ", count, ' ', what, count == 1 ? "" : "s", ", but ", e.op, " has ",
                     least == most        ? text(least)
                     : most == UINT32_MAX ? text(least, " or more")
                                          : text(least, " to ", most)))
      .with("hint", text("list in \"", what, "s\" what the operation has, in its order"));
}

// What a group of an entry's inputs stands for: one tensor and its readers.
bool resolve_input(const Graph& g, const ConfiguredMatch& c, const std::vector<ConfigEntry::Port>& group,
                   size_t number, Boundary& b, std::string& why_not) {
  Boundary::Input input;
  std::string missing;
  for (const ConfigEntry::Port& p : group) {
    const auto port = find_port(g, c, p, true, missing);
    if (!port) continue;
    const PortRef source = g.source(*port);
    if (!source) {
      missing = text("input ", p.port, " of ", describe(g, port->node), " is not connected");
      continue;
    }
    if (input.source && source != input.source) {
      why_not = text("input ", number, " is to be one tensor, but ", describe(g, input.ports.front().node),
                     " reads ", describe(g, input.source.node), " and ", describe(g, port->node), " reads ",
                     describe(g, source.node));
      return false;
    }
    input.source = source;
    input.ports.push_back(*port);
  }
  if (input.ports.empty()) {
    why_not = text("input ", number, ": ", missing);
    return false;
  }
  b.inputs.push_back(std::move(input));
  return true;
}

// False, with the reason: the instance does not have what the entry asks for.
bool resolve_boundary(Match& m, const ConfiguredMatch& c, std::string& why_not) {
  const ConfigEntry& e = *c.entry;
  Boundary b = boundary_of(m, m.graph->end_id());
  if (e.inputs) {
    b.inputs.clear();
    for (size_t i = 0; i < e.inputs->size(); ++i)
      if (!resolve_input(*m.graph, c, (*e.inputs)[i], i, b, why_not)) return false;
  }
  if (e.outputs) {
    b.outputs.clear();
    for (size_t i = 0; i < e.outputs->size(); ++i) {
      const auto port = find_port(*m.graph, c, (*e.outputs)[i], false, why_not);
      if (!port) {
        why_not = text("output ", i, ": ", why_not);
        return false;
      }
      b.outputs.push_back(*port);
    }
  }
  m.boundary = std::move(b);
  return true;
}

}  // namespace

ScopeExpression::ScopeExpression(std::string_view scope, std::string_view node)
    : expression_(joined(scope, node), re2::RE2::Quiet) {}

bool ScopeExpression::fits(std::string_view name) const {
  return expression_.Match({name.data(), name.size()}, 0, name.size(), re2::RE2::ANCHOR_START, nullptr, 0);
}

Failure wrong_entry(const ConfigEntry& e, std::string_view code, const std::string& what) {
  return Failure(Exit::usage, std::string(code), what).with("entry", text(e.place(), " (\"", e.id, "\")"));
}

NodeId node_by_pattern(const Graph& g, const ConfiguredMatch& c, std::string_view pattern) {
  const ScopeExpression wanted(c.scope, pattern);
  NodeId found = no_node;
  for (NodeId n : c.nodes) {
    if (!g.alive(n) || !wanted.fits(g.name(n))) continue;
    if (found != no_node)
      throw wrong_entry(*c.entry, "MO0615",
                        text("'", pattern, "' stands for one node, but ", describe(g, found), " and ",
                             describe(g, n), " fit"))
          .with("hint", "a $ at the end keeps 'conv' from fitting 'conv_1'");
    found = n;
  }
  return found;
}

std::optional<PortRef> find_port(const Graph& g, const ConfiguredMatch& c, const ConfigEntry::Port& p,
                                 bool input, std::string& why_not) {
  const NodeId n = node_by_pattern(g, c, p.node);
  if (n == no_node) {
    why_not = text("expected a node '", p.node, "'; ", nearest_in(g, c.nodes, c.scope, p.node));
    return std::nullopt;
  }
  const size_t count = input ? g.node(n).inputs.size() : g.node(n).outputs.size();
  if (p.port >= count) {
    why_not = text("expected ", input ? "an input " : "an output ", p.port, " of ", describe(g, n),
                   ", which has ", count);
    return std::nullopt;
  }
  return PortRef{n, p.port};
}

const Operation* operation_meant(const Registry& registry, const ConfigEntry& e) {
  const Operation* best = nullptr;
  const auto newer = [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() > b.size() : a > b;  // opset10 is newer than opset9
  };
  for (const Operation* o : registry.operations()) {
    if (e.op == text(o->opset, "::", o->op)) return o;
    if (o->op == e.op && (best == nullptr || newer(o->opset, best->opset))) best = o;
  }
  return best;
}

void check_one_operation(const Operation& op, Match& m) {
  const ConfigEntry& e = *m.configured->entry;
  const Graph& g = *m.graph;
  const Boundary& b = boundary_of(m, g.end_id());
  Match crossed = m;
  crossed.boundary.reset();
  std::set<NodeId> seen;
  for (const Boundary::Input& i : boundary_of(crossed, g.end_id()).inputs) {
    const bool named = std::any_of(b.inputs.begin(), b.inputs.end(),
                                   [&](const Boundary::Input& k) { return k.source == i.source; });
    if (named || !needs_inputs(g, i.source.node, seen)) continue;
    const PortRef reader = i.ports.front();
    Failure f(
        Exit::usage, "MO0616",
        text("input ", reader.port, " of ", describe(g, reader.node), " reads ", describe(g, i.source.node),
             " from outside of the part, and the entry does not give that to ", e.op));
    throw f.with(
        "hint",
        e.kind == ConfigEntry::Kind::scope
            ? text("add [{\"node\": \"", behind(m.configured->scope, std::string(g.name(reader.node))),
                   "$\", \"port\": ", reader.port,
                   "}] to \"inputs\", or leave \"inputs\" out: all that crosses the border is taken then")
            : std::string("of a start point input 0 is taken; begin with the nodes that read it"));
  }
  check_count(e, b.inputs.size(), op.min_inputs, op.max_inputs, "input");
  check_count(e, b.outputs.size(), op.min_outputs, op.max_outputs, "output");
}

InstanceMatch match_scope(Graph& g, const ConfigEntry& e, size_t instance) {
  const std::string& scope = e.instances[instance].pattern;
  InstanceMatch result{text("scope '", scope, "'"), std::nullopt, {}};
  auto configured = std::make_shared<ConfiguredMatch>();
  configured->entry = &e;
  configured->scope = scope;
  configured->nodes = nodes_in(g, ScopeExpression(scope));
  if (configured->nodes.empty()) {
    const std::string guess = did_you_mean(literal(scope), scopes_of(g));
    result.why_not = text("no node has a name that begins with it", guess.empty() ? "" : "; ", guess);
    return result;
  }
  Match m;
  m.graph = &g;
  m.root = configured->nodes.front();
  m.configured = configured;
  if (resolve_boundary(m, *configured, result.why_not)) result.match = std::move(m);
  return result;
}

size_t instance_count(const ConfigEntry& e) {
  return e.kind == ConfigEntry::Kind::scope    ? e.instances.size()
         : e.kind == ConfigEntry::Kind::points ? 1
                                               : 0;
}

InstanceMatch match_instance(Graph& g, const ConfigEntry& e, size_t instance) {
  return e.kind == ConfigEntry::Kind::scope ? match_scope(g, e, instance) : match_points(g, e);
}

}  // namespace mo::core
