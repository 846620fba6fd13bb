#include "apps/run/runnable.hpp"

#include <algorithm>

#include "core/convert/phases.hpp"

namespace mo::core {

namespace {

std::string name_of(const Graph& g, NodeId result) {
  std::string first;
  for (const Symbol s : g.out(g.source({result, 0})).names) {
    const std::string_view name = g.symbols().text(s);
    if (first.empty() || name < first) first = name;
  }
  return first.empty() ? std::string(g.name(result)) : first;
}

class Executing {
 public:
  explicit Executing(Session& s) : session_(s) { session_.executing = true; }
  ~Executing() { session_.executing = false; }
  Executing(const Executing&) = delete;
  Executing& operator=(const Executing&) = delete;

 private:
  Session& session_;
};

}  // namespace

GraphPtr load_runnable(Session& session, ConvertOptions options, ConvertResult& result) {
  options.stop_after = Stage::front;
  const GraphPtr g = prepare_model(session, options, result);
  check_all_supported(session, *g);
  return g;
}

std::vector<Output> run_graph(Session& session, Graph& g, std::span<const TensorRef> inputs,
                              std::vector<Failure>* missing, Variables* variables, const Computed& computed) {
  const Executing now(session);
  const std::vector<TensorRef> values = execute(session, g, inputs, missing, variables, computed);
  std::vector<Output> outputs;
  for (size_t i = 0; i < values.size(); ++i) {
    const NodeId r = g.results()[i];
    outputs.push_back({name_of(g, r), std::string(g.name(r)), values[i]});
  }
  return outputs;
}

}  // namespace mo::core
