// Tries calls of an operation until infer takes some: with the attributes' defaults and allowed values, with
// inputs of one shape and type, and with such as differ.
#include "apps/plugin_check/sample.hpp"
#include "core/infer/infer.hpp"

namespace mo::app::checks {

namespace {

constexpr ElementType likely_types[] = {
    ElementType::f32, ElementType::f32,    ElementType::f32,     ElementType::f32, ElementType::i64,
    ElementType::i64, ElementType::i32,    ElementType::boolean, ElementType::f16, ElementType::u8,
    ElementType::f64, ElementType::string, ElementType::i8};

std::vector<int64_t> random_dims(Random& random) {
  constexpr int64_t sizes[] = {2, 3, 1, 4, 2, 3, 5};
  constexpr size_t ranks[] = {2, 2, 3, 4, 4, 1, 1, 0, 5};
  std::vector<int64_t> dims(random.of(ranks));
  const bool alike = random.one_in(4);
  const int64_t one = random.of(sizes);
  for (int64_t& d : dims) d = alike ? one : random.of(sizes);
  return dims;
}

core::TensorState state_of(ElementType type, const std::vector<int64_t>& dims) {
  core::TensorState t;
  t.type = type;
  t.shape = Shape(dims);
  return t;
}

class Search {
 public:
  Search(core::Session& session, const core::Operation& op, uint64_t seed)
      : session_(session), op_(op), random_(seed, op.opset + "::" + op.op) {}

  std::optional<Sample> attempt() {
    Sample s = make();
    if (!schema_problems(session_, *s.graph, s.node).empty()) {
      refusal_ = schema_problems(session_, *s.graph, s.node).front();
      return std::nullopt;
    }
    const Answer a = call_infer(session_, s, op_);
    if (!a.ok()) {
      refusal_ = a.text;
      return std::nullopt;
    }
    return s;
  }
  const std::string& refusal() const { return refusal_; }

 private:
  size_t count(uint32_t least, uint32_t most) {
    const uint32_t top = std::min<uint32_t>(most, least + 3);
    return random_.one_in(2) ? least : least + random_.below(top - least + 1);
  }

  Sample make() {
    Sample s;
    s.graph = session_.create_graph("sample");
    const size_t n = count(op_.min_inputs, op_.max_inputs);
    const std::vector<int64_t> common = random_dims(random_);
    const ElementType type = random_.of(likely_types);
    const size_t way = random_.below(4);
    std::vector<core::NodeId> sources;
    for (size_t i = 0; i < n; ++i) {
      sources.push_back(s.graph->add_node(core::words::parameter, "opset1", "x", 0, 1));
      s.graph->set_tensor({sources.back(), 0}, input(way, i, common, type));
    }
    s.node = s.graph->add_node(op_.op, op_.opset, "y", static_cast<uint32_t>(n),
                               static_cast<uint32_t>(count(op_.min_outputs, op_.max_outputs)));
    for (uint32_t i = 0; i < n; ++i) s.graph->connect({sources[i], 0}, {s.node, i});
    for (const core::AttributeDef& d : op_.attributes)
      if (d.required || random_.one_in(4))
        s.graph->set_attribute(s.node, d.name, random_attribute(random_, d));
    return s;
  }

  // 0: all alike; 1: the first decides, the others are small integers with values; 2: rank in common; 3: any.
  core::TensorState input(size_t way, size_t i, const std::vector<int64_t>& common, ElementType type) {
    if (way == 0 || (i == 0 && way != 3)) return state_of(type, common);
    if (way == 1) {
      const std::vector<int64_t> dims = random_.one_in(3) ? std::vector<int64_t>{}
                                        : random_.one_in(2)
                                            ? std::vector<int64_t>{static_cast<int64_t>(common.size())}
                                            : std::vector<int64_t>{1};
      core::TensorState t = state_of(random_.one_in(3) ? type : ElementType::i64, dims);
      if (!random_.one_in(4)) t.value = random_value(random_, t.type, dims);
      return t;
    }
    std::vector<int64_t> dims = way == 2 ? common : random_dims(random_);
    if (way == 2)
      for (int64_t& d : dims)
        if (random_.one_in(3)) d = static_cast<int64_t>(1 + random_.below(4));
    return state_of(random_.one_in(3) ? random_.of(likely_types) : type, dims);
  }

  core::Session& session_;
  const core::Operation& op_;
  Random random_;
  std::string refusal_;
};

// What makes two samples different enough to keep both.
std::string character(const Sample& s) {
  std::string c = text(inputs_of(s), ";", s.graph->node(s.node).outputs.size(), ";");
  for (size_t i = 0; i < inputs_of(s); ++i)
    if (is_connected(s, i)) {
      const core::TensorState& t = input_of(s, i);
      c += text(name(t.type), t.shape.rank(), t.value ? "v" : "", ",");
    }
  return c;
}

// Inputs of some size without a value say more than scalars do.
size_t worth(const Sample& s) {
  size_t points = 0;
  for (size_t i = 0; i < inputs_of(s); ++i)
    if (is_connected(s, i)) {
      const core::TensorState& t = input_of(s, i);
      points += (t.shape.size() >= 2 ? 2 : t.shape.size()) + (t.type == ElementType::f32 ? 2 : 0);
    }
  return points;
}

}  // namespace

SampleSearch find_samples(core::Session& session, const core::Operation& op, uint64_t seed, size_t most,
                          size_t tries, const std::string& examples) {
  SampleSearch result;
  if (!examples.empty()) {
    const core::GraphPtr g = parse_text(examples, session.space());
    infer_all(session, *g);
    for (const core::NodeId n : g->nodes_of(op.op))
      if (g->opset(n) == op.opset) result.found.push_back(cut_out(session, *g, n));
  }
  Search search(session, op, seed);
  std::map<std::string, Sample> others;
  for (size_t i = 0; i < tries && others.size() < 6 * most; ++i)
    if (auto s = search.attempt()) others.try_emplace(character(*s), *s);
  std::vector<Sample> list;
  for (auto& [key, s] : others) list.push_back(std::move(s));
  std::stable_sort(list.begin(), list.end(),
                   [](const Sample& a, const Sample& b) { return worth(a) > worth(b); });
  for (Sample& s : list)
    if (result.found.size() < most) result.found.push_back(std::move(s));
  result.last_refusal = search.refusal();
  return result;
}

}  // namespace mo::app::checks
