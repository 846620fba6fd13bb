// mo_graph_api: graphs and nodes. Ports are in abi_ports.cpp, attributes in abi_attributes.cpp.
#include "core/host/abi_functions.hpp"

#include "core/infer/infer.hpp"
#include "core/match/ops.hpp"
#include "core/registry/abi.hpp"
#include "core/registry/held_graphs.hpp"
#include "core/support/contains.hpp"

namespace mo::core::abi {

namespace {

void give_nodes(const Graph& g, std::span<const NodeId> nodes, mo_node* items, uint64_t capacity,
                uint64_t* count) {
  give_list(nodes, items, capacity, count, [&g](NodeId n) { return node_handle(g, n); });
}

mo_status text_of_node(mo_context* c, mo_node node, mo_str* out, Symbol NodeRecord::*field) {
  return guarded(c, [&] {
    need(out, "text");
    const NodeAt n = node_at(c, node);
    *out = str(n.graph->symbols().text(n.record().*field));
  });
}

// `declared`: nullptr when nobody has registered the operation.
void count_declared_ports(const Operation* declared, mo_node_init& i) {
  if (i.n_inputs == MO_DECLARED_PORTS) {
    i.inputs = nullptr;
    i.n_inputs = declared == nullptr ? 0 : declared->min_inputs;
  }
  if (i.n_outputs != MO_DECLARED_PORTS) return;
  i.output_names = nullptr;
  i.n_outputs =
      declared == nullptr ? 1 : std::max(declared->min_outputs, std::min(declared->max_outputs, 1U));
}

}  // namespace

mo_status graph_graph_name(mo_context* c, mo_graph graph, mo_str* name) {
  return guarded(c, [&] {
    need(name, "name");
    *name = str(graph_at(c, graph).name());
  });
}

mo_status graph_set_graph_name(mo_context* c, mo_graph graph, mo_str name) {
  return guarded(c, [&] { editable(c, graph_at(c, graph)).set_name(checked(name, "name")); });
}

mo_status graph_create_graph(mo_context* c, mo_str name, mo_graph* graph) {
  return guarded(c, [&] {
    need(graph, "graph");
    Session& s = session_of(c);
    const GraphPtr g = s.create_graph(checked(name, "name"));
    g->set_may_be_body();
    s.loose_graphs().emplace(g->serial(), g);
    *graph = g->serial();
  });
}

mo_status graph_clone_graph(mo_context* c, mo_graph graph, mo_graph* copy) {
  return guarded(c, [&] {
    need(copy, "copy");
    Session& s = session_of(c);
    const GraphPtr made = graph_at(c, graph).clone();
    s.loose_graphs().emplace(made->serial(), made);
    *copy = made->serial();
  });
}

mo_status graph_parent(mo_context* c, mo_graph graph, mo_node* node) {
  return guarded(c, [&] {
    need(node, "node");
    const Graph& g = graph_at(c, graph);
    *node = g.parent() == nullptr ? 0 : node_handle(*g.parent(), g.parent_node());
  });
}

mo_status graph_graph_attr(mo_context* c, mo_graph graph, mo_str name, mo_value* value) {
  return guarded(c, [&]() -> mo_status {
    need(value, "value");
    const Graph& g = graph_at(c, graph);
    const Attribute* a = g.attribute(checked(name, "name"));
    if (a == nullptr) return note_failure(c, MO_NOT_FOUND, text("the graph has no attribute '", name, "'"));
    *value = to_abi(*a, static_cast<CallContext*>(c)->scratch);
    return MO_OK;
  });
}

mo_status graph_set_graph_attr(mo_context* c, mo_graph graph, mo_str name, const mo_value* value) {
  return guarded(c, [&] {
    Graph& g = editable(c, graph_at(c, graph));
    const std::string_view key = checked(name, "name");
    g.set_attribute(key, value == nullptr ? Attribute() : without_graphs(from_abi(session_of(c), *value)));
  });
}

mo_status graph_graph_attr_names(mo_context* c, mo_graph graph, mo_str* items, uint64_t capacity,
                                 uint64_t* count) {
  return guarded(c, [&] {
    const Graph& g = graph_at(c, graph);
    std::vector<mo_str> list;
    for (const auto& [key, value] : g.attributes().items()) list.push_back(str(g.symbols().text(key)));
    give_list(list, items, capacity, count);
  });
}

mo_status graph_nodes(mo_context* c, mo_graph graph, mo_str op, mo_node* items, uint64_t capacity,
                      uint64_t* count) {
  return guarded(c, [&] {
    const Graph& g = graph_at(c, graph);
    const std::string_view wanted = checked(op, "op");
    if (wanted.empty()) return give_nodes(g, g.nodes(), items, capacity, count);
    std::vector<NodeId> list;
    OpFilter(g.symbols(), {std::string(wanted)}, static_cast<CallContext*>(c)->plugin).collect(g, list);
    give_nodes(g, list, items, capacity, count);
  });
}

mo_status graph_topological(mo_context* c, mo_graph graph, mo_node* items, uint64_t capacity,
                            uint64_t* count) {
  return guarded(c, [&] {
    const Graph& g = graph_at(c, graph);
    give_nodes(g, g.topological(), items, capacity, count);
  });
}

mo_status graph_find(mo_context* c, mo_graph graph, mo_str name, mo_node* node) {
  return guarded(c, [&]() -> mo_status {
    need(node, "node");
    const Graph& g = graph_at(c, graph);
    const NodeId n = g.find(checked(name, "name"));
    if (n == no_node) return note_failure(c, MO_NOT_FOUND, text("there is no node '", name, "'"));
    *node = node_handle(g, n);
    return MO_OK;
  });
}

mo_status graph_find_tensor(mo_context* c, mo_graph graph, mo_str name, mo_port* out) {
  return guarded(c, [&]() -> mo_status {
    need(out, "out");
    const Graph& g = graph_at(c, graph);
    const Symbol wanted = g.symbols().find(checked(name, "name"));
    if (wanted != 0)
      for (const NodeId n : g.nodes())
        for (uint32_t i = 0; i < g.node(n).outputs.size(); ++i)
          if (contains(g.out({n, i}).names, wanted)) {
            *out = port_handle(g, {n, i}, MO_PORT_OUT);
            return MO_OK;
          }
    return note_failure(c, MO_NOT_FOUND, text("there is no tensor '", name, "'"));
  });
}

mo_status graph_parameters(mo_context* c, mo_graph graph, mo_node* items, uint64_t capacity,
                           uint64_t* count) {
  return guarded(c, [&] {
    const Graph& g = graph_at(c, graph);
    give_nodes(g, g.parameters(), items, capacity, count);
  });
}

mo_status graph_results(mo_context* c, mo_graph graph, mo_node* items, uint64_t capacity, uint64_t* count) {
  return guarded(c, [&] {
    const Graph& g = graph_at(c, graph);
    give_nodes(g, g.results(), items, capacity, count);
  });
}

mo_status graph_infer(mo_context* c, mo_graph graph, int32_t all) {
  return guarded(c, [&] {
    Graph& g = editable(c, graph_at(c, graph));
    if (all != 0)
      infer_all(session_of(c), g);
    else
      infer_marked(session_of(c), g);
  });
}

mo_status graph_clean_up(mo_context* c, mo_graph graph) {
  return guarded(c, [&] { clean_up(session_of(c), editable(c, graph_at(c, graph))); });
}

mo_status graph_create_node(mo_context* c, mo_graph graph, const mo_node_init* init, mo_node* node) {
  return guarded(c, [&] {
    need(init, "init");
    need(node, "node");
    // A front-end makes a whole model of them in one callback.
    if (const auto* cancelled = session_of(c).cancelled; cancelled != nullptr && *cancelled)
      throw Failure(Exit::model, "MO0721", "cancelled");
    Graph& g = editable(c, graph_at(c, graph));
    constexpr size_t oldest = offsetof(mo_node_init, native) + sizeof(mo_node_init::native);
    if (init->size < oldest)
      throw Error(text("size of mo_node_init is ", init->size, "; expected at least ", oldest),
                  MO_INVALID_ARGUMENT);
    mo_node_init i{};  // members beyond the caller's size are absent
    std::copy_n(reinterpret_cast<const char*>(init), std::min(init->size, sizeof i),
                reinterpret_cast<char*>(&i));
    const std::string_view op = checked(i.op, "op"), opset = checked(i.opset, "opset"),
                           name = checked(i.name, "name");
    if (op.empty()) throw Error("a node needs an op", MO_INVALID_ARGUMENT);
    if (i.n_inputs == MO_DECLARED_PORTS || i.n_outputs == MO_DECLARED_PORTS)
      count_declared_ports(session_of(c).registry().operation(op, opset), i);
    constexpr uint32_t most_ports = 1U << 20;
    if (i.n_inputs > most_ports || i.n_outputs > most_ports)
      throw Error(text("a node with ", i.n_inputs, " inputs and ", i.n_outputs, " outputs"),
                  MO_INVALID_ARGUMENT);
    if (i.n_inputs != 0 && init->n_inputs != MO_DECLARED_PORTS) need(i.inputs, "inputs");
    for (uint32_t k = 0; i.inputs != nullptr && k < i.n_inputs; ++k)
      if (i.inputs[k].node != 0 && out_port_at(c, i.inputs[k]).graph != &g)
        throw Error(text("input ", k, " of the new node '", name, "' lies in another graph"),
                    MO_INVALID_ARGUMENT);
    std::vector<TensorNames> names(i.output_names == nullptr ? 0 : i.n_outputs);
    for (size_t k = 0; k < names.size(); ++k)
      if (const auto s = checked(i.output_names[k], "output name"); !s.empty())
        names[k].push_back(g.symbols().intern(s));

    const NodeId id = g.add_node(op, opset, name, i.n_inputs, i.n_outputs);
    if (i.native != 0) g.set_native(id, i.native);
    for (uint32_t k = 0; i.inputs != nullptr && k < i.n_inputs; ++k)
      if (i.inputs[k].node != 0) g.connect(out_port_at(c, i.inputs[k]).ref, {id, k});
    for (uint32_t k = 0; k < names.size(); ++k)
      if (!names[k].empty()) g.set_tensor_names({id, k}, std::move(names[k]));
    *node = node_handle(g, id);
  });
}

mo_status graph_create_const(mo_context* c, mo_graph graph, mo_str name, mo_tensor* value, mo_node* node) {
  return guarded(c, [&] {
    need(value, "value");
    need(node, "node");
    Graph& g = editable(c, graph_at(c, graph));
    *node = node_handle(g, g.add_const(checked(name, "name"), TensorRef::share(value)));
  });
}

mo_status graph_remove_node(mo_context* c, mo_node node) {
  return guarded(c, [&] {
    const NodeAt n = node_at(c, node);
    Graph& g = editable(c, *n.graph);
    keep_what_is_let_go(session_of(c), g, g.bodies(n.id));
    g.remove_node(n.id);
  });
}

mo_status graph_graph_of(mo_context* c, mo_node node, mo_graph* graph) {
  return guarded(c, [&] {
    need(graph, "graph");
    *graph = node_at(c, node).graph->serial();
  });
}

mo_status graph_op(mo_context* c, mo_node node, mo_str* op) {
  return guarded(c, [&] {
    need(op, "text");
    const NodeAt n = node_at(c, node);
    *op = str(n.graph->op(n.id));
  });
}
mo_status graph_opset(mo_context* c, mo_node node, mo_str* opset) {
  return text_of_node(c, node, opset, &NodeRecord::opset);
}
mo_status graph_node_name(mo_context* c, mo_node node, mo_str* name) {
  return text_of_node(c, node, name, &NodeRecord::name);
}

mo_status graph_set_op(mo_context* c, mo_node node, mo_str op, mo_str opset) {
  return guarded(c, [&] {
    const NodeAt n = node_at(c, node);
    const std::string_view name = checked(op, "op");
    if (name.empty()) throw Error("a node needs an op", MO_INVALID_ARGUMENT, node);
    editable(c, *n.graph).set_op(n.id, name, checked(opset, "opset"));
  });
}

mo_status graph_rename(mo_context* c, mo_node node, mo_str name) {
  return guarded(c, [&] {
    const NodeAt n = node_at(c, node);
    editable(c, *n.graph).rename(n.id, checked(name, "name"));
  });
}

mo_status graph_mark(mo_context* c, mo_node node) {
  return guarded(c, [&] {
    const NodeAt n = node_at(c, node);
    editable(c, *n.graph).mark(n.id);
  });
}

}  // namespace mo::core::abi
