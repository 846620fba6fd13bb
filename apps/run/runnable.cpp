#include "apps/run/runnable.hpp"

#include <algorithm>

#include "core/convert/phases.hpp"

namespace mo::app {

namespace {

std::string name_of(const core::Graph& g, core::NodeId result) {
  std::string first;
  for (const core::Symbol s : g.out(g.source({result, 0})).names) {
    const std::string_view name = g.symbols().text(s);
    if (first.empty() || name < first) first = name;
  }
  return first.empty() ? std::string(g.name(result)) : first;
}

class Executing {
 public:
  explicit Executing(core::Session& s) : session_(s) { session_.executing = true; }
  ~Executing() { session_.executing = false; }
  Executing(const Executing&) = delete;
  Executing& operator=(const Executing&) = delete;

 private:
  core::Session& session_;
};

}  // namespace

core::GraphPtr load_runnable(core::Session& session, core::ConvertOptions options,
                             core::ConvertResult& result) {
  options.stop_after = core::Stage::front;
  session.set_option("runs_source", true);  // nothing is made of the model but its values
  const core::GraphPtr g = prepare_model(session, options, result);
  check_all_supported(session, *g);
  return g;
}

std::vector<Output> named_outputs(const core::Graph& g, std::span<const core::TensorRef> values) {
  std::vector<Output> outputs;
  for (size_t i = 0; i < values.size() && i < g.results().size(); ++i) {
    const core::NodeId r = g.results()[i];
    outputs.push_back({name_of(g, r), std::string(g.name(r)), values[i]});
  }
  return outputs;
}

std::vector<Output> run_graph(core::Session& session, core::Graph& g, std::span<const core::TensorRef> inputs,
                              std::vector<core::Failure>* missing, core::Variables* variables,
                              const core::Computed& computed) {
  const Executing now(session);
  const uint64_t all =
      g.size() - g.parameters().size() - g.results().size() - g.nodes_of(core::words::constant).size();
  uint64_t done = 0;
  const auto told = [&](core::NodeId n, std::span<const core::TensorState> outputs) {
    if (session.progress_sink && !session.progress_sink(++done, all))
      throw core::Failure(core::Exit::model, "MO0721", "cancelled while the model was run");
    if (computed) computed(n, outputs);
  };
  return named_outputs(g, execute(session, g, inputs, missing, variables, told));
}

}  // namespace mo::app
