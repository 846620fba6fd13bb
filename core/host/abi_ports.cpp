// mo_graph_api: ports, connections, and the tensors of out-ports.
#include "core/host/abi_functions.hpp"
#include "core/infer/infer.hpp"
#include "core/registry/abi.hpp"

#include <cstring>

namespace mo::core {

mo_tensor_desc desc_of(const TensorState& t) {
  mo_tensor_desc d{};
  d.size = sizeof d;
  d.shape = t.shape.abi();
  d.element_type = static_cast<mo_type>(t.type);
  d.value = t.value.get();
  d.bounds = t.bounds.empty() ? nullptr : t.bounds.data();
  d.bounds_count = t.bounds.size();
  return d;
}

}  // namespace mo::core

namespace mo::core::abi {

namespace {

void same_graph(const PortAt& a, const PortAt& b) {
  if (a.graph != b.graph) throw Error("the two ports lie in different graphs", MO_INVALID_ARGUMENT);
}

NamesMode names_mode(int32_t mode) {
  if (mode < MO_NAMES_MERGE || mode > MO_NAMES_DEST)
    throw Error(text("names mode is ", mode, "; expected MO_NAMES_MERGE, MO_NAMES_SOURCE or MO_NAMES_DEST"),
                MO_INVALID_ARGUMENT);
  return static_cast<NamesMode>(mode);
}

size_t hash_of(const mo_tensor_desc& d) {
  size_t hash = reinterpret_cast<uintptr_t>(d.value) / alignof(std::max_align_t) + d.element_type;
  for (int64_t i = 0; i < d.shape.rank; ++i) hash = hash * 31 + static_cast<size_t>(d.shape.dims[i].max);
  return hash;
}

template <class T>
bool are_equal(const T* a, const T* b, int64_t count) {
  return count <= 0 || std::memcmp(a, b, static_cast<size_t>(count) * sizeof(T)) == 0;
}

bool are_equal(const mo_tensor_desc& a, const mo_tensor_desc& b) {
  return a.value == b.value && a.element_type == b.element_type && a.bounds_count == b.bounds_count &&
         a.shape.rank == b.shape.rank && are_equal(a.shape.dims, b.shape.dims, a.shape.rank) &&
         are_equal(a.bounds, b.bounds, static_cast<int64_t>(a.bounds_count));
}

// Edits of other nodes change what the graph knows about this one, and not what was handed out.
const mo_tensor_desc& kept_desc(Scratch& scratch, const TensorState& t) {
  const mo_tensor_desc wanted = desc_of(t);
  const size_t hash = hash_of(wanted);
  if (const auto* before = scratch.find_lent<mo_tensor_desc>(
          hash, [&](const mo_tensor_desc& lent) { return are_equal(lent, wanted); }))
    return *before;
  mo_tensor_desc& d = scratch.keep(wanted);
  const auto copy = [&](const auto* from, size_t count) {
    using Item = std::remove_cvref_t<decltype(*from)>;
    return std::copy_n(from, count, scratch.array<Item>(count)) - count;
  };
  if (!t.shape.empty()) d.shape.dims = copy(t.shape.begin(), t.shape.size());
  if (!t.bounds.empty()) d.bounds = copy(t.bounds.data(), t.bounds.size());
  if (t.value) scratch.keep_alive(t.value);
  scratch.note_lent(hash, &d);
  return d;
}

}  // namespace

mo_status graph_port_counts(mo_context* c, mo_node node, uint32_t* inputs, uint32_t* outputs) {
  return guarded(c, [&] {
    const NodeAt n = node_at(c, node);
    if (inputs != nullptr) *inputs = static_cast<uint32_t>(n.record().inputs.size());
    if (outputs != nullptr) *outputs = static_cast<uint32_t>(n.record().outputs.size());
  });
}

mo_status graph_add_port(mo_context* c, mo_node node, int32_t direction, mo_port* port) {
  return guarded(c, [&] {
    need(port, "port");
    const NodeAt n = node_at(c, node);
    if (direction != MO_PORT_IN && direction != MO_PORT_OUT)
      throw Error(text("direction is ", direction, "; expected MO_PORT_IN or MO_PORT_OUT"),
                  MO_INVALID_ARGUMENT);
    Graph& g = editable(c, *n.graph);
    const uint32_t index = direction == MO_PORT_IN ? g.add_input(n.id) : g.add_output(n.id);
    *port = port_handle(g, {n.id, index}, direction);
  });
}

mo_status graph_delete_port(mo_context* c, mo_port port) {
  return guarded(c, [&] {
    if (port.direction == MO_PORT_IN) {
      const PortAt p = in_port_at(c, port);
      editable(c, *p.graph).delete_input(p.ref.node, p.ref.port);
    } else {
      const PortAt p = out_port_at(c, port);
      editable(c, *p.graph).delete_output(p.ref.node, p.ref.port);
    }
  });
}

mo_status graph_source(mo_context* c, mo_port in, mo_port* source) {
  return guarded(c, [&] {
    need(source, "source");
    const PortAt p = in_port_at(c, in);
    *source = port_handle(*p.graph, p.graph->source(p.ref), MO_PORT_OUT);
  });
}

mo_status graph_destinations(mo_context* c, mo_port out, mo_port* items, uint64_t capacity, uint64_t* count) {
  return guarded(c, [&] {
    const PortAt p = out_port_at(c, out);
    need(count, "count");
    if (capacity != 0) need(items, "items");
    const OutSlot& slot = p.graph->out(p.ref);
    *count = slot.destinations;
    uint64_t i = 0;
    for (PortRef d = slot.first; d && i < capacity; d = p.graph->node(d.node).inputs[d.port].next)
      items[i++] = port_handle(*p.graph, d, MO_PORT_IN);
  });
}

mo_status graph_connect(mo_context* c, mo_port out, mo_port in) {
  return guarded(c, [&] {
    const PortAt a = out_port_at(c, out), b = in_port_at(c, in);
    same_graph(a, b);
    editable(c, *a.graph).connect(a.ref, b.ref);
  });
}

mo_status graph_disconnect(mo_context* c, mo_port port) {
  return guarded(c, [&] {
    if (port.direction == MO_PORT_IN) {
      const PortAt p = in_port_at(c, port);
      editable(c, *p.graph).disconnect_input(p.ref);
    } else {
      const PortAt p = out_port_at(c, port);
      editable(c, *p.graph).disconnect_output(p.ref);
    }
  });
}

mo_status graph_set_source(mo_context* c, mo_port from, mo_port to, int32_t names) {
  return guarded(c, [&] {
    const PortAt a = out_port_at(c, from), b = out_port_at(c, to);
    same_graph(a, b);
    editable(c, *a.graph).set_source(a.ref, b.ref, names_mode(names));
  });
}

mo_status graph_set_destination(mo_context* c, mo_port out, mo_port in, int32_t names) {
  return guarded(c, [&] {
    const PortAt a = out_port_at(c, out), b = in_port_at(c, in);
    same_graph(a, b);
    editable(c, *a.graph).set_destination(a.ref, b.ref, names_mode(names));
  });
}

mo_status graph_insert_node(mo_context* c, mo_port out, mo_node node, int32_t names) {
  return guarded(c, [&] {
    const PortAt a = out_port_at(c, out);
    const NodeAt n = node_at(c, node);
    if (a.graph != n.graph) throw Error("port and node lie in different graphs", MO_INVALID_ARGUMENT);
    editable(c, *a.graph).insert_node(a.ref, n.id, names_mode(names));
  });
}

mo_status graph_desc(mo_context* c, mo_port port, const mo_tensor_desc** desc) {
  return guarded(c, [&] {
    need(desc, "desc");
    const PortAt p = tensor_at(c, port);
    auto* call = static_cast<CallContext*>(c);
    if (call->transformation == nullptr) {
      *desc = &kept_desc(call->scratch, p.graph->out(p.ref).tensor);
      return;
    }
    CallContext::Described& last = call->described;
    const GraphSpace& space = p.graph->space();
    if (last.graph != p.graph || last.port != p.ref || last.edits != space.edits()) {
      bring_up_to_date(*call->session, *p.graph, p.ref.node);
      last = {p.graph, p.ref, space.edits(), &kept_desc(call->scratch, p.graph->out(p.ref).tensor)};
    }
    *desc = last.desc;
  });
}

mo_status graph_set_shape(mo_context* c, mo_port out, mo_type type, const mo_shape* shape) {
  return guarded(c, [&] {
    const PortAt p = out_port_at(c, out);
    Graph& g = editable(c, *p.graph);
    TensorState s;
    s.type = checked_type(type);
    s.shape = checked_shape(shape, "shape");
    if (g.node(p.ref.node).op == g.space().parameter) {  // what a Parameter declares is what it is
      g.set_attribute(p.ref.node, "element_type", s.type);
      g.set_attribute(p.ref.node, "shape", shape_attribute(s.shape));
    }
    g.set_tensor(p.ref, std::move(s));
  });
}

mo_status graph_set_value(mo_context* c, mo_port out, mo_tensor* value) {
  return guarded(c, [&] {
    need(value, "value");
    const PortAt p = out_port_at(c, out);
    TensorState s;
    s.value = TensorRef::share(value);
    s.shape = shape_of(*value);
    s.type = value->type;
    editable(c, *p.graph).set_tensor(p.ref, std::move(s));
  });
}

mo_status graph_tensor_names(mo_context* c, mo_port out, mo_str* items, uint64_t capacity, uint64_t* count) {
  return guarded(c, [&] {
    const PortAt p = out_port_at(c, out);
    std::vector<mo_str> list;
    for (Symbol s : p.graph->out(p.ref).names) list.push_back(str(p.graph->symbols().text(s)));
    give_list(list, items, capacity, count);
  });
}

mo_status graph_set_tensor_names(mo_context* c, mo_port out, const mo_str* items, uint64_t count) {
  return guarded(c, [&] {
    const PortAt p = out_port_at(c, out);
    if (count != 0) need(items, "items");
    TensorNames names;
    for (uint64_t i = 0; i < count; ++i)
      names.push_back(p.graph->symbols().intern(checked(items[i], "tensor name")));
    editable(c, *p.graph).set_tensor_names(p.ref, std::move(names));
  });
}

}  // namespace mo::core::abi
