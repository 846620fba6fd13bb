#include "apps/plugin_check/graphs.hpp"

#include "core/convert/phases.hpp"
#include "core/infer/infer.hpp"

namespace mo::app::checks {

namespace {

// Calls of an operation of any plugin; looked for once in a process.
const std::vector<Sample>& calls_of(Setting& s, const core::Operation& op) {
  static auto* known = new std::map<const core::Operation*, std::vector<Sample>>;
  const auto [it, is_new] = known->try_emplace(&op);
  if (is_new) it->second = find_samples(s.session(), op, s.seed, 3, 300, {}).found;
  return it->second;
}

core::NodeId add_source(core::Graph& g, const core::TensorState& t) {
  if (t.value) return g.add_const("", t.value);
  const core::NodeId n = g.add_node(core::words::parameter, "opset1", "", 0, 1);
  g.set_attribute(n, "element_type", t.type);
  g.set_attribute(n, "shape", core::shape_attribute(t.shape));
  g.set_tensor({n, 0}, t);
  return n;
}

core::PortRef fitting(const core::Graph& g, const core::TensorState& wanted, Random& random) {
  std::vector<core::PortRef> list;
  for (const core::NodeId n : g.nodes())
    for (uint32_t i = 0; i < g.node(n).outputs.size(); ++i) {
      const core::TensorState& t = g.out({n, i}).tensor;
      if (!t.value && t.type == wanted.type && t.shape == wanted.shape) list.push_back({n, i});
    }
  return list.empty() ? core::PortRef{} : random.of(list);
}

// One node like the sample, fed by what is there where it fits. False: it cannot be inferred here.
bool add_call(core::Session& session, core::Graph& g, const Sample& s, Random& random) {
  const core::NodeRecord& r = s.graph->node(s.node);
  std::vector<core::PortRef> sources;
  for (size_t i = 0; i < r.inputs.size(); ++i) {
    sources.emplace_back();
    if (!is_connected(s, i)) continue;
    const core::TensorState& t = input_of(s, i);
    if (!t.value && !random.one_in(4)) sources.back() = fitting(g, t, random);
    if (!sources.back()) sources.back() = {add_source(g, t), 0};
  }
  const core::NodeId n =
      g.add_node(s.graph->op(s.node), s.graph->opset(s.node), "", static_cast<uint32_t>(sources.size()),
                 static_cast<uint32_t>(r.outputs.size()));
  for (uint32_t i = 0; i < sources.size(); ++i)
    if (sources[i]) g.connect(sources[i], {n, i});
  for (const auto& [key, value] : r.attributes.items())
    if (kind_of(value) != MO_VALUE_GRAPH && kind_of(value) != MO_VALUE_GRAPHS)
      g.set_attribute(n, s.graph->symbols().text(key), value);
  try {
    infer_node(session, g, n);
    return true;
  } catch (const std::exception&) {
    g.remove_node(n);
    return false;
  }
}

void add_results(core::Graph& g) {
  for (const core::NodeId n : g.nodes())
    for (uint32_t i = 0; i < g.node(n).outputs.size(); ++i)
      if (g.out({n, i}).destinations == 0 && !g.is_const(n))
        g.connect({n, i}, {g.add_node(core::words::result, "opset1", "", 1, 0), 0});
}

std::string without_opset(const std::string& op) {
  const size_t colons = op.rfind("::");
  return colons == std::string::npos ? op : op.substr(colons + 2);
}

}  // namespace

std::vector<const core::Operation*> operations_for(Setting& s, const core::Transformation& t,
                                                   Random& random) {
  std::set<std::string> wanted;
  for (const std::string& op : t.ops) wanted.insert(without_opset(op));
  for (const core::PatternNodeDef& n : t.nodes)
    for (const std::string& op : n.ops) wanted.insert(without_opset(op));
  std::vector<const core::Operation*> list, others;
  for (const core::Operation* op : s.registry().operations()) {
    const bool is_wanted = wanted.count(op->op) != 0 || op->plugin == t.plugin;
    (is_wanted ? list : others).push_back(op);
  }
  if (list.size() > 24) list.resize(24);
  for (size_t i = 0; i < 8 && !others.empty(); ++i) list.push_back(random.of(others));
  return list;
}

core::GraphPtr random_graph(Setting& s, Random& random, const std::vector<const core::Operation*>& operations,
                            size_t count) {
  const core::GraphPtr g = s.session().create_graph("random");
  for (size_t i = 0, made = 0; made < count && i < 6 * count && !operations.empty(); ++i) {
    const auto& calls = calls_of(s, *random.of(operations));
    if (!calls.empty() && add_call(s.session(), *g, random.of(calls), random)) ++made;
  }
  add_results(*g);
  infer_all(s.session(), *g);
  return g;
}

namespace {

// A node for each node of a MATCHER or PATTERN, connected as it says; types in front are those of the opsets.
core::GraphPtr pattern_graph(Setting& s, const core::Transformation& t, Random& random) {
  const core::GraphPtr g = s.session().create_graph("pattern");
  std::vector<core::PortRef> made(t.nodes.size());
  const auto operation = [&](const core::PatternNodeDef& n) -> const core::Operation* {
    for (const std::string& name : n.ops)
      for (const core::Operation* op : s.registry().operations())
        if (op->op == without_opset(name)) return op;
    return nullptr;
  };
  const auto build = [&](const auto& self, uint32_t i, size_t depth) -> core::PortRef {
    if (made[i] || depth > 32) return made[i];
    const core::PatternNodeDef& n = t.nodes[i];
    std::vector<core::PortRef> inputs;
    for (const core::PatternInput& in : n.inputs) inputs.push_back(self(self, in.node, depth + 1));
    for (const core::PatternEdge& e : t.edges) {
      if (e.to != i) continue;
      const auto at = static_cast<size_t>(std::max(e.in_port, 0));
      if (inputs.size() <= at && at < 64) inputs.resize(at + 1);
      if (at < inputs.size()) inputs[at] = self(self, e.from, depth + 1);
    }
    if (n.kind == MO_PATTERN_OR && !inputs.empty()) return made[i] = inputs[random.below(inputs.size())];
    if (n.kind == MO_PATTERN_DATA && !inputs.empty()) return made[i] = inputs.front();
    const bool is_constant = !n.ops.empty() && without_opset(n.ops.front()) == core::words::constant;
    const core::Operation* op = operation(n);
    if (is_constant || op == nullptr) {
      core::TensorState state;
      state.type = ElementType::f32;
      state.shape = Shape{2, 3};
      if (is_constant) state.value = random_value(random, state.type, {2, 3});
      return made[i] = {add_source(*g, state), 0};
    }
    const core::NodeId node = g->add_node(op->op, op->opset, "", static_cast<uint32_t>(inputs.size()),
                                          std::max(1U, op->min_outputs));
    for (uint32_t k = 0; k < inputs.size(); ++k)
      if (inputs[k]) g->connect(inputs[k], {node, k});
    for (const auto& [name, value] : n.attributes)
      if (name != "op" && name != "opset" && name != "name" && name != "type")
        g->set_attribute(node, name, value);
    return made[i] = {node, 0};
  };
  for (uint32_t i = 0; i < t.nodes.size(); ++i) (void)build(build, i, 0);
  add_results(*g);
  return g;
}

template <class Make>
void add_if_right(Setting& s, std::vector<core::GraphPtr>& list, Make make) {
  try {
    core::GraphPtr g = make();
    infer_all(s.session(), *g);
    check_schema(s.session(), *g);
    check_all_supported(s.session(), *g);
    list.push_back(std::move(g));
  } catch (const std::exception&) {  // it is no graph that a transformation could meet
  }
}

}  // namespace

std::vector<core::GraphPtr> graphs_for(Setting& s, const core::Transformation& t, uint64_t seed,
                                       size_t random_ones, size_t operations) {
  Random random(seed, t.id);
  std::vector<core::GraphPtr> list;
  const auto parsed = [&](const std::string& text) {
    if (!text.empty()) add_if_right(s, list, [&] { return parse_text(text, s.session().space()); });
  };
  parsed(t.before);
  parsed(s.examples);
  if (!t.nodes.empty())
    for (int i = 0; i < 4; ++i) add_if_right(s, list, [&] { return pattern_graph(s, t, random); });
  const auto of = operations_for(s, t, random);
  for (size_t i = 0; i < random_ones; ++i)
    add_if_right(s, list, [&] { return random_graph(s, random, of, 1 + random.below(operations)); });
  return list;
}

}  // namespace mo::app::checks
