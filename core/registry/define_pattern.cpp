#include "core/registry/check.hpp"
#include "core/registry/definitions.hpp"
#include "core/registry/thunks.hpp"

namespace mo::core {

namespace {

constexpr uint32_t known_pattern_flags =
    MO_PATTERN_COMMUTATIVE | MO_PATTERN_VARIADIC | MO_PATTERN_ONE_CONSUMER;

bool port_or_any(int32_t port) { return port >= MO_ANY_PORT; }

PatternNodeDef read_node(Check& check, const std::string& where, const mo_pattern_node& d, Session& session) {
  static constexpr TextForm attribute_name{"a name", nullptr};
  PatternNodeDef n;
  n.alias = check.string(where + ".alias", d.alias, form::optional_alias);
  n.ops = check.strings(where + ".ops", d.ops, d.n_ops, form::op_pattern);
  for (const mo_pattern_attr& a : check.structures(where + ".attrs", d.attrs, d.n_attrs)) {
    const std::string field = text(where, ".attrs[", n.attributes.size(), "]");
    std::string name = check.string(field + ".name", a.name, attribute_name);
    n.attributes.emplace_back(std::move(name), check.value(field + ".value", a.value, session));
  }
  for (const mo_pattern_input& in : check.structures(where + ".inputs", d.inputs, d.n_inputs)) {
    check.that(port_or_any(in.out_port), Rule::pattern_index,
               text(where, ".inputs[", n.inputs.size(), "].out_port"), text(in.out_port),
               "-1 (any) or a port");
    n.inputs.push_back({in.node, in.out_port});
  }
  check.enumeration(where + ".kind", d.kind, MO_PATTERN_OP, MO_PATTERN_DATA);
  check.flags(where + ".flags", d.flags, known_pattern_flags);
  n.kind = d.kind;
  n.flags = d.flags;
  adopt(d, n);
  n.predicate = thunk<"predicate", &mo_pattern_node::predicate>(d);
  return n;
}

struct KindRule {
  std::string_view name;
  size_t least_inputs, most_inputs;
  bool may_have_ops, needs_ops, in_graph, in_tree;
};
constexpr size_t any = ~size_t{0};
// In the order of MO_PATTERN_.
constexpr KindRule kind_rules[] = {
    {"MO_PATTERN_OP", 0, any, true, false, true, true},
    {"MO_PATTERN_ANY", 0, 0, false, false, true, true},
    {"MO_PATTERN_OR", 1, any, false, false, false, true},
    {"MO_PATTERN_OPTIONAL", 1, any, true, true, false, true},
    {"MO_PATTERN_DATA", 0, 0, false, false, true, false},
};

void check_node(Check& check, const std::string& where, const PatternNodeDef& n, bool is_tree) {
  if (n.kind < MO_PATTERN_OP || n.kind > MO_PATTERN_DATA) return;
  const KindRule& rule = kind_rules[n.kind - MO_PATTERN_OP];
  check.that(is_tree ? rule.in_tree : rule.in_graph, Rule::pattern_kind, where + ".kind", rule.name,
             is_tree ? "anything else: it has no place in a MATCHER"
                     : "a node, any or data: a PATTERN has nothing else");
  check.that(rule.may_have_ops || n.ops.empty(), Rule::pattern_kind, where + ".ops", "set",
             text("nothing for ", rule.name));
  check.that(!rule.needs_ops || !n.ops.empty(), Rule::pattern_kind, where + ".ops", "empty",
             text("types for ", rule.name));
  if (!is_tree)
    check.that(n.inputs.empty(), Rule::foreign_field, where + ".inputs", "set",
               "nothing: a PATTERN is connected by edges");
  else
    check.that(n.inputs.size() >= rule.least_inputs && n.inputs.size() <= rule.most_inputs,
               Rule::pattern_inputs, text("the number of ", where, ".inputs"), text(n.inputs.size()),
               rule.most_inputs == 0 ? text("0 for ", rule.name)
                                     : text("at least ", rule.least_inputs, " for ", rule.name));
  check.that((n.flags & MO_PATTERN_COMMUTATIVE) == 0 || n.inputs.size() == 2, Rule::pattern_inputs,
             text("the number of ", where, ".inputs"), text(n.inputs.size()),
             "2, as the node is commutative");
}

// Every index in range?
bool check_indices(Check& check, const Transformation& t) {
  const size_t count = t.nodes.size();
  const std::string expected = text("the index of one of ", count, " nodes");
  bool good = true;
  for (size_t i = 0; i < count; ++i)
    for (size_t k = 0; k < t.nodes[i].inputs.size(); ++k)
      good &=
          check.that(t.nodes[i].inputs[k].node < count, Rule::pattern_index,
                     text("nodes[", i, "].inputs[", k, "].node"), text(t.nodes[i].inputs[k].node), expected);
  for (size_t i = 0; i < t.edges.size(); ++i) {
    const PatternEdge& e = t.edges[i];
    good &= check.that(e.from < count, Rule::pattern_index, text("edges[", i, "].producer"), text(e.from),
                       expected);
    good &=
        check.that(e.to < count, Rule::pattern_index, text("edges[", i, "].consumer"), text(e.to), expected);
    check.that(port_or_any(e.out_port), Rule::pattern_index, text("edges[", i, "].out_port"),
               text(e.out_port), "-1 (any) or a port");
    check.that(port_or_any(e.in_port), Rule::pattern_index, text("edges[", i, "].in_port"), text(e.in_port),
               "-1 (any) or a port");
  }
  return good;
}

// A pattern with a cycle fits nothing, and following it would never end.
void check_shape(Check& check, const Transformation& t) {
  const size_t count = t.nodes.size();
  std::vector<std::vector<uint32_t>> below(count);
  for (size_t i = 0; i < count; ++i)
    for (const PatternInput& in : t.nodes[i].inputs) below[i].push_back(in.node);
  for (const PatternEdge& e : t.edges) below[e.to].push_back(e.from);

  enum : uint8_t { fresh, open, closed };
  std::vector<uint8_t> state(count, fresh);
  const auto visit = [&](uint32_t start) {
    std::vector<std::pair<uint32_t, size_t>> path{{start, 0}};
    state[start] = open;
    while (!path.empty()) {
      auto& [node, next] = path.back();
      if (next == below[node].size()) {
        state[node] = closed;
        path.pop_back();
        continue;
      }
      const uint32_t to = below[node][next++];
      if (state[to] == open)
        return check.that(false, Rule::pattern_cycle, text("nodes[", to, "]"), "part of a cycle",
                          "a pattern without one");
      if (state[to] == fresh) {
        state[to] = open;
        path.emplace_back(to, 0);
      }
    }
    return true;
  };
  if (t.kind == MO_TRANSFORM_MATCHER) {
    if (!visit(0)) return;
    for (size_t i = 0; i < count; ++i)
      check.that(state[i] != fresh, Rule::pattern_unreachable, text("nodes[", i, "]"),
                 "no input of any other", "a tree with its root at nodes[0]");
  } else {
    for (uint32_t i = 0; i < count; ++i)
      if (state[i] == fresh && !visit(i)) return;
  }
}

}  // namespace

void read_pattern(Check& check, const mo_transformation_def& d, Transformation& t, Session& session) {
  const bool is_tree = d.kind == MO_TRANSFORM_MATCHER;
  std::set<std::string> aliases;
  for (const mo_pattern_node& node : check.structures("nodes", d.nodes, d.n_nodes)) {
    const std::string where = text("nodes[", t.nodes.size(), "]");
    t.nodes.push_back(read_node(check, where, node, session));
    check_node(check, where, t.nodes.back(), is_tree);
    const std::string& alias = t.nodes.back().alias;
    check.that(alias.empty() || aliases.insert(alias).second, Rule::repeated_in_list, where + ".alias",
               in_quotes(alias), "each alias once");
  }
  for (const mo_pattern_edge& e : check.structures("edges", d.edges, d.n_edges))
    t.edges.push_back({e.producer, e.consumer, e.out_port, e.in_port});
  if (!check.that(d.n_nodes != 0, Rule::pattern_missing, "nodes", "empty",
                  "at least one node, as the kind is a pattern"))
    return;
  if (t.nodes.size() == d.n_nodes && t.edges.size() == d.n_edges && check_indices(check, t))
    check_shape(check, t);
}

}  // namespace mo::core
