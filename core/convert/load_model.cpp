#include "core/convert/cut.hpp"
#include "core/convert/phases.hpp"
#include "core/graph/levels.hpp"
#include "core/infer/infer.hpp"
#include "core/registry/contain.hpp"

namespace mo::core {

namespace {

void read_model(Session& session, const FrontEnd& frontend, const std::string& path, Graph& g) {
  Call call(session);
  call->plugin = frontend.plugin;
  call->graph = &g;
  session.frontend = &frontend;
  std::vector<mo_str> parts;
  for (const auto& [name, file] : session.parts()) parts.push_back(str(name));
  const mo_model_source source{sizeof source, str(path), parts.data(), parts.size()};
  try {
    const mo_status status = contain(*call, "load", [&] {
      return frontend.load(frontend.self, call.get(), &source, g.serial(), &session.model);
    });
    call.check(status, "load");
  } catch (Failure& f) {
    session.frontend = nullptr;  // there is no model to unload
    f.with("model", path);
    throw;
  }
}

void check_loaded(Graph& g) {
  if (g.size() == 0) throw Failure(Exit::model, "MO0207", "the model is empty: it has no operations");
  if (g.results().empty()) throw Failure(Exit::model, "MO0207", "the model has no outputs");
  for (NodeId r : g.results())
    if (g.node(r).inputs.empty() || !g.source({r, 0}))
      throw Failure(Exit::model, "MO0207",
                    text("output ", describe(g, r), " of the model is connected to nothing"));
  set_levels(g);  // throws, naming the nodes of a cycle
}

}  // namespace

GraphPtr load_model(Session& session, const ConvertOptions& options) {
  const FrontEnd& frontend = options.frontend(session, options.input_model, options.framework);
  session.registry().open_contents(frontend);
  const GraphPtr g = session.create_graph(options.emit.model_name);
  read_model(session, frontend, options.input_model, *g);
  if (g->attribute(MO_GRAPH_FRAMEWORK) == nullptr) g->set_attribute(MO_GRAPH_FRAMEWORK, frontend.name);
  check_loaded(*g);
  for (const NodeId p : g->parameters()) infer_node(session, *g, p);  // what its attributes say is known
  return g;
}

std::vector<InputSpec> cut(Graph& g, const ConvertOptions& options) {
  if (options.inputs.empty() && options.outputs.empty()) return {};
  const std::vector<NodeId> parameters(g.parameters().begin(), g.parameters().end());
  cut_outputs(g, options.outputs);
  std::vector<InputSpec> later = cut_inputs(g, options.inputs, false);
  remove_unneeded(g);
  if (later.empty()) check_inputs_suffice(g, parameters, options.inputs);
  return later;
}

void cut_later(Session& session, Graph& g, const ConvertOptions& options,
               const std::vector<InputSpec>& inputs) {
  if (inputs.empty()) return;
  const std::vector<NodeId> parameters(g.parameters().begin(), g.parameters().end());
  cut_inputs(g, inputs, true);
  remove_unneeded(g, sinks(session, g));
  check_inputs_suffice(g, parameters, options.inputs);
}

}  // namespace mo::core
