#include "core/infer/replaced_graph.hpp"

#include "core/infer/infer.hpp"

namespace mo::core {

namespace {

const std::vector<int64_t>& ports(const Graph& g, NodeId n, std::string_view key) {
  static const std::vector<int64_t> none;
  const Attribute* a = g.attribute(n, key);
  const auto* list = a == nullptr ? nullptr : std::get_if<std::vector<int64_t>>(a);
  return list == nullptr ? none : *list;
}

}  // namespace

GraphPtr replaced_graph(const Graph& g, NodeId n) {
  if (!g.has_bodies()) return nullptr;
  const Attribute* a = g.attribute(n, config_words::replaced);
  const auto* body = a == nullptr ? nullptr : std::get_if<GraphPtr>(a);
  return body == nullptr ? nullptr : *body;
}

std::vector<TensorState> infer_replaced(Session& session, Graph& g, NodeId n) {
  const NodeRecord& r = g.node(n);
  std::vector<TensorState> outputs(r.outputs.size());
  const GraphPtr body = replaced_graph(g, n);
  if (body == nullptr) return outputs;
  const auto& in = ports(g, n, config_words::replaced_inputs);
  const auto parameters = body->parameters();
  for (size_t i = 0; i < in.size() && i < parameters.size(); ++i) {
    const auto port = static_cast<size_t>(in[i]);
    if (in[i] >= 0 && port < r.inputs.size() && r.inputs[port].source)
      body->set_tensor({parameters[i], 0}, g.out(r.inputs[port].source).tensor);
  }
  try {
    infer_all(session, *body);
  } catch (const Failure& f) {
    session.log(MO_LOG_WARNING, text("the shapes of ", describe(g, n),
                                     " stay unknown, as what it replaced cannot be inferred: ", f.message()));
    return outputs;
  }
  const auto& out = ports(g, n, config_words::replaced_outputs);
  const auto results = body->results();
  for (size_t i = 0; i < out.size() && i < results.size(); ++i) {
    const auto port = static_cast<size_t>(out[i]);
    const PortRef source = body->source({results[i], 0});
    if (out[i] < 0 || port >= outputs.size() || !source) continue;
    outputs[port].shape = body->out(source).tensor.shape;
    outputs[port].type = body->out(source).tensor.type;
  }
  return outputs;
}

void drop_replaced(Graph& g) {
  if (!g.has_bodies()) return;
  for (NodeId n : g.nodes()) {
    for (const std::string_view key :
         {config_words::replaced, config_words::replaced_inputs, config_words::replaced_outputs})
      if (g.attribute(n, key) != nullptr) g.set_attribute(n, key, {});
    for (const GraphPtr& body : g.bodies(n)) drop_replaced(*body);
    g.unmark(n);
  }
}

}  // namespace mo::core
