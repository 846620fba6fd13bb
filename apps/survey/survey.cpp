#include "apps/survey/survey.hpp"

#include "core/convert/cut.hpp"
#include "core/convert/missing.hpp"
#include "core/convert/phases.hpp"
#include "core/infer/infer.hpp"
#include "core/infer/replaced_graph.hpp"

#include <utility>

namespace mo::app {

namespace {

constexpr size_t most_examples = 5;

std::string by_transformation(const core::Transformation& t) {
  return t.plugin == nullptr ? t.id : text(t.id, " of ", t.plugin->id);
}

// Notes what the model has when it is loaded, and who takes each of its nodes.
class Surveyor : public core::Watch {
 public:
  explicit Surveyor(ModelSurvey& survey) : survey_(survey) {}

  void loaded(core::Session& session, core::Graph& g) override {
    survey_.framework = session.frontend->name;
    if (const core::Attribute* a = find(g, MO_GRAPH_OPSET_IMPORTS))
      if (const auto* list = std::get_if<std::vector<std::string>>(a)) survey_.imports = *list;
    add(session, g);
    for (core::NodeId n : g.results()) survey_.outputs.push_back(output(g, n));
  }
  void extracted(const core::Graph& g, core::NodeId n, const core::Extractor& e) override {
    takers_[node_handle(g, n)] = text("extractor of ", e.plugin->id);
  }
  // A node that a transformation takes away or gives another operation is one it converts.
  void has_run(const core::Ran& ran) override {
    for (const core::RunStatistics& s : ran.members)
      if (s.edits != 0) survey_.applied.insert(s.id);
    for (size_t i = 0; i < ran.edits.size(); ++i) {
      const core::Journal::Edit& e = ran.edits[i];
      if (e.node == core::no_node || (e.what != "remove node" && e.what != "set op")) continue;
      if (const core::Transformation* t = ran.author(i))
        takers_.try_emplace(node_handle(*e.graph, e.node), by_transformation(*t));
    }
  }

  // Afterwards: `g` is what the front phase left.
  void finish(core::Session& session, const core::Graph& g) {
    for (core::NodeId n : g.parameters()) survey_.inputs.push_back(input(g, n));
    find_open(session, g, {});
    std::map<mo_node, std::set<std::string>> failures;
    for (const core::Survey::Failed& f : session.survey->failed) {
      const auto named =
          std::find_if(f.failure.context().begin(), f.failure.context().end(), [](const auto& line) {
            return line.first == "made by" || line.first == "changed by" || line.first == "pass";
          });
      const std::string who =
          named != f.failure.context().end() ? named->second : f.failure.context_of("plugin");
      if (open_.contains(f.node))
        failures[f.node].insert(text(who, ": ", f.failure.message()));
      else
        survey_.problems.push_back(
            text(who, ", node ", f.failure.context_of("node"), ": ", f.failure.message()));
    }
    std::map<std::tuple<std::string, std::string, int32_t>, SurveyedOperation> all;
    for (const Node& node : nodes_) {
      SurveyedOperation& o = all[{node.key.domain, node.key.op, node.key.version}];
      o.domain = node.key.domain;
      o.op = node.key.op;
      o.version = node.key.version;
      ++o.nodes;
      const auto open = open_.find(node.handle);
      if (open == open_.end()) {
        const auto taker = takers_.find(node.handle);
        o.by.insert(taker != takers_.end() ? taker->second : "nothing reads it");
        continue;
      }
      ++o.open;
      if (o.open_examples.size() < most_examples) o.open_examples.push_back(open->second);
      if (const auto f = failures.find(node.handle); f != failures.end())
        o.why.insert(f->second.begin(), f->second.end());
    }
    for (const auto& [type, m] : missing_operations(session, g)) {
      const auto made_of = std::find_if(nodes_.begin(), nodes_.end(), [&, first = m.first](const Node& node) {
        return node.handle == first;
      });
      if (made_of == nodes_.end()) {  // a transformation made what nobody defines
        survey_.problems.push_back(text("no plugin defines ", type, ", node '", m.nodes.front(), "'"));
        continue;
      }
      const core::NativeKey& key = made_of->key;
      SurveyedOperation& o = all[{key.domain, key.op, key.version}];
      o.why.insert(m.reasons.begin(), m.reasons.end());
      if (!m.opset.empty()) o.why.insert(text("it is taken for ", type, ", which no plugin defines"));
      if (o.why.empty() || !m.opset.empty()) o.near = nearest_to(session, m);
    }
    for (auto& [key, o] : all) survey_.operations.push_back(std::move(o));
  }

 private:
  struct Node {
    mo_node handle;
    core::NativeKey key;
  };

  static const core::Attribute* find(const core::Graph& g, std::string_view name) {
    const core::Symbol key = g.symbols().find(name);
    return key == 0 ? nullptr : g.attributes().find(key);
  }

  void add(core::Session& session, const core::Graph& g) {
    for (core::NodeId n = 0; n < g.end_id(); ++n) {
      if (!g.alive(n)) continue;
      survey_.nodes.emplace(g.name(n));
      if (auto key = is_own_word(g, n) ? std::nullopt : native_key(session, g, n)) {
        nodes_.push_back({node_handle(g, n), std::move(*key)});
        if (session.registry().operation(g.node(n).op, g.node(n).opset) != nullptr)
          takers_.emplace(node_handle(g, n), text("front-end of ", session.frontend->plugin->id));
      }
      if (!g.has_bodies()) continue;
      for (const core::GraphPtr& body : g.bodies(n)) add(session, *body);
    }
  }

  void find_open(core::Session& session, const core::Graph& g, const std::string& where) {
    for (core::NodeId n = 0; n < g.end_id(); ++n) {
      if (!g.alive(n)) continue;
      if (g.has_bodies())
        for (const core::GraphPtr& body : g.bodies(n))
          if (body != replaced_graph(g, n)) find_open(session, *body, text(where, g.name(n), "/"));
      if (g.node(n).native != 0 && operation_of(session, g, n) == nullptr && !is_own_word(g, n))
        open_[node_handle(g, n)] = text(where, g.name(n));
    }
  }
  static bool is_own_word(const core::Graph& g, core::NodeId n) {
    const core::Symbol op = g.node(n).op;
    return op == g.space().parameter || op == g.space().result || op == g.space().constant;
  }

  static SurveyedPort port(const core::Graph& g, core::PortRef p, std::string name) {
    const core::TensorState& t = g.out(p).tensor;
    return {std::move(name), t.type, t.shape, {}};
  }
  static SurveyedPort input(const core::Graph& g, core::NodeId n) {
    SurveyedPort p = port(g, {n, 0}, std::string(g.name(n)));
    if (const auto* names = dim_names(g, n, p.shape)) p.dim_names = *names;
    return p;
  }
  static SurveyedPort output(const core::Graph& g, core::NodeId n) {
    const core::PortRef from = g.source({n, 0});
    const core::TensorNames& names = g.out(from).names;
    SurveyedPort p = port(
        g, from, names.empty() ? std::string(g.name(from.node)) : std::string(g.symbols().text(names[0])));
    if (const core::Attribute* a = g.attribute(n, core::words::declared_type);
        a != nullptr && p.type == ElementType::unknown)
      if (const auto* type = std::get_if<ElementType>(a)) p.type = *type;
    if (const core::Attribute* a = g.attribute(n, core::words::declared_shape);
        a != nullptr && !p.shape.has_rank())
      if (const auto* shape = std::get_if<std::shared_ptr<const Shape>>(a)) p.shape = **shape;
    if (const auto* list = dim_names(g, n, p.shape)) p.dim_names = *list;
    return p;
  }

  ModelSurvey& survey_;
  std::vector<Node> nodes_;
  std::unordered_map<mo_node, std::string> takers_;
  std::unordered_map<mo_node, std::string> open_;  // with their names
};

}  // namespace

// What fails behind the front phase only: the conversion is done once more, to its end, and nothing is written. What there
// is to say has been said.
static void try_later_phases(core::Session& session, const core::ConvertOptions& given, ModelSurvey& survey) {
  auto sink = std::exchange(session.log_sink, [](const core::LogLine&) {});
  core::ConvertOptions options = given;
  options.extracted = nullptr;
  core::ConvertResult result;
  try {
    (void)prepare_model(session, options, result);
  } catch (core::Failure& f) {
    core::tell_of_node(session, f);
    std::string where;
    for (const char* label : {"pass", "node"})
      if (const std::string what = f.context_of(label); !what.empty())
        where += text(where.empty() ? "" : ", ", label, " ", what);
    survey.problems.push_back(text(where, where.empty() ? "" : ": ", f.message()));
  }
  session.close_model();
  session.log_sink = std::move(sink);
}

bool ModelSurvey::all_convertible() const {
  return problems.empty() && std::all_of(operations.begin(), operations.end(),
                                         [](const SurveyedOperation& o) { return o.open == 0; });
}

ModelSurvey survey_model(core::Session& session, const core::ConvertOptions& given) {
  ModelSurvey out;
  core::Survey notes;
  session.survey = &notes;
  Surveyor surveyor(out);
  core::ConvertOptions options = given;
  options.watch = &surveyor;
  options.stop_after = core::Stage::front;
  options.extracted = [&](core::Graph& g) {
    try {
      check_constants(g);
    } catch (const core::Failure& f) {
      out.problems.emplace_back(f.message());
    }
    if (given.extracted) given.extracted(g);
  };
  core::ConvertResult result;
  try {
    const core::GraphPtr g = prepare_model(session, options, result);
    surveyor.finish(session, *g);
    out.missing_files = std::move(notes.missing_files);
  } catch (core::Failure& f) {
    session.survey = nullptr;
    f.with("model", options.input_model);
    session.close_model();
    throw;
  }
  session.survey = nullptr;
  session.close_model();
  if (out.all_convertible() && out.missing_files.empty()) try_later_phases(session, given, out);
  return out;
}

}  // namespace mo::app
