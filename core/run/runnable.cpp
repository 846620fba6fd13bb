#include "core/run/runnable.hpp"

#include <algorithm>

#include "core/convert/phases.hpp"
#include "core/run/execute.hpp"

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

}  // namespace

GraphPtr load_runnable(Session& session, ConvertOptions options, ConvertResult& result) {
  options.stop_after = Stage::front;
  const GraphPtr g = prepare_model(session, options, result);
  check_all_supported(session, *g);
  return g;
}

std::vector<Output> run_graph(Session& session, Graph& g, std::span<const TensorRef> inputs,
                              std::vector<Failure>* missing) {
  session.executing = true;
  std::vector<TensorRef> values;
  try {
    values = execute(session, g, inputs, missing);
  } catch (...) {
    session.executing = false;
    throw;
  }
  session.executing = false;
  std::vector<Output> outputs;
  for (size_t i = 0; i < values.size(); ++i) {
    const NodeId r = g.results()[i];
    outputs.push_back({name_of(g, r), std::string(g.name(r)), values[i]});
  }
  return outputs;
}

}  // namespace mo::core
