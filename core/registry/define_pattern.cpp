#include <algorithm>

#include "core/registry/check.hpp"
#include "core/registry/definitions.hpp"
#include "core/registry/thunks.hpp"

namespace mo::core {

namespace {

constexpr uint32_t known_pattern_flags =
    MO_PATTERN_COMMUTATIVE | MO_PATTERN_VARIADIC | MO_PATTERN_ONE_CONSUMER | MO_PATTERN_IN_ORDER;

bool port_or_any(int32_t port) { return port >= MO_ANY_PORT; }

PatternNodeDef read_node(Check& check, const mo_pattern_node& d, Session& session) {
  static constexpr TextForm attribute_name{"a name", nullptr};
  PatternNodeDef n;
  n.alias = check.string("alias", d.alias, form::optional_alias);
  n.ops = check.strings("ops", d.ops, d.n_ops, form::op_pattern);
  for (const mo_pattern_attr& a : check.structures("attrs", d.attrs, d.n_attrs)) {
    const Check::Element element(check, "attrs", n.attributes.size());
    std::string name = check.string("name", a.name, attribute_name);
    n.attributes.emplace_back(std::move(name), check.value("value", a.value, session));
  }
  for (const mo_pattern_input& in : check.structures("inputs", d.inputs, d.n_inputs)) {
    const Check::Element element(check, "inputs", n.inputs.size());
    if (!port_or_any(in.out_port))
      check.that(false, Rule::pattern_index, "out_port", text(in.out_port), "-1 (any) or a port");
    n.inputs.push_back({in.node, in.out_port});
  }
  check.enumeration("kind", d.kind, MO_PATTERN_OP, MO_PATTERN_DATA);
  check.flags("flags", d.flags, known_pattern_flags);
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

// While the check is at the node.
void check_node(Check& check, const PatternNodeDef& n, bool is_tree) {
  if (n.kind < MO_PATTERN_OP || n.kind > MO_PATTERN_DATA) return;
  const KindRule& rule = kind_rules[n.kind - MO_PATTERN_OP];
  check.that(is_tree ? rule.in_tree : rule.in_graph, Rule::pattern_kind, "kind", rule.name,
             is_tree ? "anything else: it has no place in a MATCHER"
                     : "a node, any or data: a PATTERN has nothing else");
  if (!rule.may_have_ops && !n.ops.empty())
    check.that(false, Rule::pattern_kind, "ops", "set", text("nothing for ", rule.name));
  if (rule.needs_ops && n.ops.empty())
    check.that(false, Rule::pattern_kind, "ops", "empty", text("types for ", rule.name));
  const size_t inputs = n.inputs.size();
  if (!is_tree)
    check.that(inputs == 0, Rule::foreign_field, "inputs", "set", "nothing: a PATTERN is connected by edges");
  else if (inputs < rule.least_inputs || inputs > rule.most_inputs)
    check.wrong_number(Rule::pattern_inputs, "inputs", inputs,
                       rule.most_inputs == 0 ? text("0 for ", rule.name)
                                             : text("at least ", rule.least_inputs, " for ", rule.name));
  if ((n.flags & MO_PATTERN_COMMUTATIVE) != 0 && inputs != 2)
    check.wrong_number(Rule::pattern_inputs, "inputs", inputs, "2, as the node is commutative");
}

// Every index in range?
bool check_indices(Check& check, const Transformation& t) {
  const size_t count = t.nodes.size();
  bool good = true;
  const auto check_node_index = [&](uint32_t node, auto&& place) {
    if (node < count) return;
    good = check.that(false, Rule::pattern_index, place(), text(node),
                      text("the index of one of ", count, " nodes"));
  };
  const auto check_port = [&](int32_t port, size_t edge, std::string_view what) {
    if (!port_or_any(port))
      check.that(false, Rule::pattern_index, text("edges[", edge, "].", what), text(port),
                 "-1 (any) or a port");
  };
  for (size_t i = 0; i < count; ++i)
    for (size_t k = 0; k < t.nodes[i].inputs.size(); ++k)
      check_node_index(t.nodes[i].inputs[k].node,
                       [&] { return text("nodes[", i, "].inputs[", k, "].node"); });
  for (size_t i = 0; i < t.edges.size(); ++i) {
    const PatternEdge& e = t.edges[i];
    check_node_index(e.from, [&] { return text("edges[", i, "].producer"); });
    check_node_index(e.to, [&] { return text("edges[", i, "].consumer"); });
    check_port(e.out_port, i, "out_port");
    check_port(e.in_port, i, "in_port");
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
  const auto nodes = check.structures("nodes", d.nodes, d.n_nodes);
  t.nodes.reserve(nodes.size());
  for (const mo_pattern_node& node : nodes) {
    const Check::Element element(check, "nodes", t.nodes.size());
    PatternNodeDef n = read_node(check, node, session);
    check_node(check, n, is_tree);
    const auto same_alias = [&](const PatternNodeDef& other) { return other.alias == n.alias; };
    if (!n.alias.empty() && std::any_of(t.nodes.begin(), t.nodes.end(), same_alias))
      check.that(false, Rule::repeated_in_list, "alias", in_quotes(n.alias), "each alias once");
    t.nodes.push_back(std::move(n));
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
