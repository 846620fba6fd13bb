#include "core/ir/plan.hpp"

#include "core/ir/checks.hpp"

namespace mo::core {

namespace {

class Planner {
 public:
  Planner(const Session& session, const IrReader& reader, ModelPlan& plan, Problems& problems)
      : session_(session), reader_(reader), model_(plan), problems_(problems) {}

  void plan(const Graph& g, GraphPlan& p) {
    p.graph = &g;
    const std::vector<NodeId> sorted = g.topological();
    p.layers.reserve(sorted.size());
    p.edges.reserve(sorted.size());
    p.id_of.assign(g.end_id(), no_layer);
    // Parameters and Results in the order of the model, which is how the runtime numbers inputs and outputs.
    // In between, what nobody reads but must be kept comes last.
    for (NodeId n : g.parameters()) add(p, n, kind_of(g, n));
    std::vector<std::pair<NodeId, const LayerKind*>> sinks;
    for (NodeId n : sorted) {
      const LayerKind& kind = kind_of(g, n);
      if (kind.form == LayerKind::parameter || kind.form == LayerKind::result) continue;
      if (is_sink(g, n, kind))
        sinks.emplace_back(n, &kind);
      else
        add(p, n, kind);
    }
    for (const auto& [n, kind] : sinks) add(p, n, *kind);
    for (NodeId n : g.results()) add(p, n, kind_of(g, n));
    if (g.results().empty() && sinks.empty())
      problems_.add("MO0703", "a graph without a Result has nothing to compute", text("'", g.name(), "'"));
    model_.layers += p.layers.size();
  }

 private:
  void add(GraphPlan& p, NodeId n, const LayerKind& kind) {
    const Graph& g = *p.graph;
    const auto id = static_cast<uint32_t>(p.layers.size());
    p.id_of[n] = id;
    Layer& layer = p.layers.emplace_back(Layer{n, connected_inputs(g, n), &kind});
    check_layer(session_, g, layer, reader_, problems_);
    add_edges(p, layer, id);
    if (kind.form == LayerKind::constant) {
      layer.constant = static_cast<uint32_t>(model_.constants.size());
      if (const TensorRef value = value_of(g, n)) model_.constants.push_back(value.get());
    }
    add_bodies(p, n, id);
  }

  // What a layer reads was added before it.
  static void add_edges(GraphPlan& p, const Layer& layer, uint32_t id) {
    const auto& inputs = p.graph->node(layer.node).inputs;
    for (uint32_t port = 0; port < layer.inputs; ++port) {
      const PortRef source = inputs[port].source;
      if (!source) continue;  // a problem, noted already
      const uint32_t from = p.id_of[source.node];
      p.edges.push_back({from, p.layers[from].inputs + source.port, id, port});
    }
  }

  static TensorRef value_of(const Graph& g, NodeId n) {
    return g.node(n).outputs.empty() ? TensorRef() : g.out({n, 0}).tensor.value;
  }

  static uint32_t connected_inputs(const Graph& g, NodeId n) {
    const auto& inputs = g.node(n).inputs;
    size_t count = inputs.size();
    while (count != 0 && !inputs[count - 1].source) --count;
    return static_cast<uint32_t>(count);
  }

  static bool is_sink(const Graph& g, NodeId n, const LayerKind& kind) {
    if (kind.operation == nullptr || (kind.operation->flags & MO_OP_SINK) == 0) return false;
    for (const OutSlot& o : g.node(n).outputs)
      if (o.destinations != 0) return false;
    return true;
  }

  const LayerKind& kind_of(const Graph& g, NodeId n) {
    const NodeRecord& record = g.node(n);
    const LayerKind*& kind = kinds_[uint64_t{record.op} << 32 | record.opset];
    if (kind == nullptr) kind = &model_.kinds.emplace_back(make_kind(session_.registry(), g, n, reader_));
    return *kind;
  }

  // Graphs held by attributes.
  void add_bodies(GraphPlan& p, NodeId n, uint32_t id) {
    for (const auto& [key, value] : p.graph->node(n).attributes.items()) {
      const auto* graph = std::get_if<GraphPtr>(&value);
      if (graph == nullptr || *graph == nullptr) continue;
      const std::string_view name = p.graph->symbols().text(key);
      const auto prefix = body_prefix(name);
      if (!prefix) {
        problems_.add(
            "MO0704",
            text("attribute '", name, "' holds a graph; one that goes to the IR is called body or …_body"),
            path_of(*p.graph, n));
        continue;
      }
      Body body;
      body.prefix = *prefix;
      body.plan = std::make_unique<GraphPlan>();
      plan(**graph, *body.plan);
      read_port_map(*p.graph, p.layers[id], body, problems_);
      p.bodies[id].push_back(std::move(body));
    }
  }

  const Session& session_;
  const IrReader& reader_;
  ModelPlan& model_;
  Problems& problems_;
  std::unordered_map<uint64_t, const LayerKind*> kinds_;
};

}  // namespace

ModelPlan plan_model(const Session& session, const Graph& graph, const IrReader& reader, Problems& problems) {
  ModelPlan model;
  model.ir_version = reader.ir_version;
  Planner(session, reader, model, problems).plan(graph, model.main);
  name_border_tensors(model, problems);
  return model;
}

std::string path_of(const Graph& g, NodeId n) {
  const std::string name = text("'", g.name(n), "'");
  return g.parent() == nullptr ? name : text(path_of(*g.parent(), g.parent_node()), " > ", name);
}

}  // namespace mo::core
