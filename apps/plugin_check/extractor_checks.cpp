// Rules about extractors: 242, 260 to 263, 267 and 281.
#include "apps/plugin_check/extractor_trial.hpp"
#include "apps/plugin_check/tap.hpp"

namespace mo::app::checks {

const core::Extractor& extractor_at(Setting& s, const std::string& item) {
  for (const core::Extractor* e : s.registry().extractors())
    if (e->plugin == &s.world.plugin() && item_of(*e) == item) return *e;
  broken("the extractor ", item, " is not registered");
}

ExtractorTrial try_extractor(Setting& s, const core::Extractor& e, const SourceModel::Answers& answers,
                             uint32_t inputs, uint32_t outputs) {
  const SourceModel model(s.session(), e, answers);
  ExtractorTrial a;
  a.graph = model.graph(inputs, outputs, a.node);
  a.answer = call_extract(s.session(), *a.graph, a.node, e);
  return a;
}

bool is_looked_for(Setting& s, std::string_view op, const core::Plugin* of) {
  const auto is_op = [&](std::string_view name) {
    const size_t colons = name.rfind("::");
    return (colons == std::string_view::npos ? name : name.substr(colons + 2)) == op;
  };
  for (const core::Transformation* t : s.registry().transformations()) {
    if (of != nullptr && t->plugin != of) continue;
    if (std::any_of(t->ops.begin(), t->ops.end(), is_op)) return true;
    for (const core::PatternNodeDef& n : t->nodes)
      if (std::any_of(n.ops.begin(), n.ops.end(), is_op)) return true;
  }
  return false;
}

namespace {

core::Attribute absent(std::string_view) { return {}; }

// Everything an attribute of a source can be.
std::vector<core::Attribute> all_kinds() {
  using Ints = std::vector<int64_t>;
  return {int64_t{-1},
          int64_t{1} << 40,
          int64_t{1},
          2.5,
          std::numeric_limits<double>::quiet_NaN(),
          true,
          std::string(),
          std::string("no such thing"),
          ElementType::i64,
          core::shape_attribute(Shape{1, 2}),
          core::make_tensor(ElementType::f32, {0}),
          core::make_tensor(ElementType::i64, {2}),
          core::Bytes{"\x01\xff"},
          Ints{},
          Ints{-1, INT64_MAX},
          Ints(40, 1),
          std::vector<double>{},
          std::vector<double>{0.5, -1e300},
          std::vector<std::string>{},
          std::vector<std::string>{"", "x"},
          std::vector<core::TensorRef>{core::make_tensor(ElementType::f32, {1})}};
}

std::string kind_text(const core::Attribute& a) { return text("attributes of kind ", kind_of(a)); }

// f(inputs, outputs)
template <class F>
void few_ports(F f) {
  for (const uint32_t inputs : {1U, 2U, 3U}) f(inputs, 1U);
}
template <class F>
void many_ports(F f) {
  for (const uint32_t inputs : {0U, 1U, 2U, 3U, 6U})
    for (const uint32_t outputs : {1U, 3U}) f(inputs, outputs);
}

void without_attributes(Setting& s, const std::string& item) {
  const core::Extractor& e = extractor_at(s, item);
  many_ports([&](uint32_t inputs, uint32_t outputs) {
    require_contract(try_extractor(s, e, absent, inputs, outputs).answer,
                     text("a node with ", inputs, " inputs, ", outputs, " outputs and no attributes"));
  });
}

void other_kinds(Setting& s, const std::string& item) {
  const core::Extractor& e = extractor_at(s, item);
  for (const core::Attribute& value : all_kinds())
    few_ports([&](uint32_t inputs, uint32_t outputs) {
      require_contract(try_extractor(
                           s, e, [&](std::string_view) { return value; }, inputs, outputs)
                           .answer,
                       text("a node with ", inputs, " inputs, ", outputs, " outputs and ", kind_text(value)));
    });
}

std::string neighbour_text(const core::Graph& g, core::NodeId n) {
  if (!g.alive(n)) return "removed";
  std::string t = text(g.op(n), " ", g.opset(n), " ", g.name(n), " ");
  for (const auto& [key, value] : g.node(n).attributes.items())
    t += text(g.symbols().text(key), "=", kind_of(value), " ");
  for (const core::InSlot& in : g.node(n).inputs) t += text(in.source.node, ":", in.source.port, " ");
  return t;
}

void extractor_leaves_process(Setting& s, const std::string& item) {
  const core::Extractor& e = extractor_at(s, item);
  for (const core::Attribute& value : {core::Attribute(), core::Attribute(int64_t{1})})
    require_same_process("extract", [&] {
      (void)try_extractor(
          s, e, [&](std::string_view) { return value; }, 1, 1);
    });
}

void own_node_only(Setting& s, const std::string& item) {
  const core::Extractor& e = extractor_at(s, item);
  for (const core::Attribute& value :
       {core::Attribute(), core::Attribute(int64_t{1}), core::Attribute(std::vector<int64_t>{1, 1})})
    few_ports([&](uint32_t inputs, uint32_t outputs) {
      const SourceModel model(s.session(), e, [&](std::string_view) { return value; });
      core::NodeId node = core::no_node;
      const core::GraphPtr g = model.graph(inputs, outputs, node);
      const core::NodeId end = g->end_id();
      std::vector<std::string> before;
      for (core::NodeId n = 0; n < end; ++n) before.push_back(neighbour_text(*g, n));
      const Answer a = call_extract(s.session(), *g, node, e);
      if (!a.ok()) return;
      for (core::NodeId n = 0; n < end; ++n)
        if (const std::string now = neighbour_text(*g, n); n != node && now != before[n])
          broken("it changed another node than its own: '", before[n], "' is '", now, "'");
    });
}

void has_operation(Setting& s, const std::string& item) {
  const core::Extractor& e = extractor_at(s, item);
  for (const core::Attribute& value :
       {core::Attribute(), core::Attribute(int64_t{1}), core::Attribute(std::string("a"))})
    few_ports([&](uint32_t inputs, uint32_t outputs) {
      const ExtractorTrial a = try_extractor(
          s, e, [&](std::string_view) { return value; }, inputs, outputs);
      if (a.answer.ok() && a.graph->alive(a.node) && a.graph->opset(a.node).empty() &&
          !is_looked_for(s, a.graph->op(a.node)))
        broken("it returned MO_OK, but the node has no operation of an opset: it is still '",
               a.graph->op(a.node), "'");
    });
}

// An answer with which it works, if there is one.
std::optional<core::Attribute> working_answer(Setting& s, const core::Extractor& e, uint32_t& inputs) {
  std::vector<core::Attribute> answers = all_kinds();
  answers.insert(answers.begin(), core::Attribute());
  for (const core::Attribute& value : answers)
    for (const uint32_t n : {1U, 2U, 3U, 0U}) {
      if (!try_extractor(
               s, e, [&](std::string_view) { return value; }, n, 1)
               .answer.ok())
        continue;
      inputs = n;
      return value;
    }
  return std::nullopt;
}

void failing_extract(Setting& s, const std::string& item) {
  constexpr size_t most = 200;
  const core::Extractor& e = extractor_at(s, item);
  uint32_t inputs = 1;
  const auto value = working_answer(s, e, inputs);
  if (!value) throw Skipped{"no source attributes are known that it takes"};
  const auto answers = [&](std::string_view) { return *value; };
  const std::string done = to_text(*try_extractor(s, e, answers, inputs, 1).graph);
  for (const mo_status status : {MO_ERROR, MO_NO_MEMORY})
    for (size_t n = 1; n <= most; ++n) {
      const TapScope tapped(s.session());
      tap().plugin = e.plugin;
      tap().fail_at = n;
      tap().status = status;
      const ExtractorTrial a = try_extractor(s, e, answers, inputs, 1);
      require_own_thread();
      if (tap().failed.empty()) break;
      const std::string how = text("when ", tap().failed, " (host call no. ", n, ") fails, extract ");
      if (const std::string why = broken_contract(a.answer); !why.empty()) broken(how, why);
      if (a.answer.ok() && to_text(*a.graph) != done)
        broken(how, "returns MO_OK and makes\n", to_text(*a.graph), "instead of\n", done);
    }
}

void random_attributes(Setting& s, const std::string& item) {
  const core::Extractor& e = extractor_at(s, item);
  const auto kinds = all_kinds();
  for (size_t round = 0; round < s.rounds; ++round) {
    const auto answer = [&](std::string_view name) -> core::Attribute {
      Random random(s.seed + round, item + std::string(name));
      if (random.one_in(4)) return {};
      core::AttributeDef any;
      any.kind = static_cast<int32_t>(random.one_in(2) ? MO_VALUE_INT + random.below(9)
                                                       : MO_VALUE_INTS + random.below(6));
      return random.one_in(3) ? random.of(kinds) : random_attribute(random, any);
    };
    Random random(s.seed + round, item);
    const auto inputs = static_cast<uint32_t>(random.below(7)),
               outputs = static_cast<uint32_t>(1 + random.below(4));
    require_contract(try_extractor(s, e, answer, inputs, outputs).answer,
                     text("round ", round, " (--seed ", s.seed + round, " --cases 1), a node with ", inputs,
                          " inputs and ", outputs, " outputs"));
  }
}

constexpr CheckRow extractor_rows[] = {
    {242, failing_extract}, {260, without_attributes},       {261, other_kinds},       {262, own_node_only},
    {263, has_operation},   {267, extractor_leaves_process}, {281, random_attributes},
};

}  // namespace

std::span<const CheckRow> extractor_checks() { return extractor_rows; }

}  // namespace mo::app::checks
