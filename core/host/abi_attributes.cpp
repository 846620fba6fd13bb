// mo_graph_api: attributes, rt_info, and the source description of nodes.
#include "core/graph/parse_value.hpp"
#include "core/host/abi_functions.hpp"
#include "core/infer/infer.hpp"
#include "core/infer/replaced_graph.hpp"
#include "core/registry/abi.hpp"
#include "core/registry/held_graphs.hpp"
#include "core/registry/opsets.hpp"

namespace mo::core::abi {

namespace {

// The node's own attribute, or the default its operation registered.
const Attribute* find_attr(mo_context* c, const NodeAt& n, Symbol key) {
  if (key == 0) return nullptr;
  if (const Attribute* a = n.record().attributes.find(key)) return a;
  const Operation* op = session_of(c).registry().operation(n.record().op, n.record().opset);
  const AttributeDef* d = op == nullptr ? nullptr : op->find(key);
  return d == nullptr || std::holds_alternative<std::monostate>(d->fallback) ? nullptr : &d->fallback;
}

mo_status give_attr(mo_context* c, mo_node node, const Attribute* a, std::string_view name, mo_value* value) {
  if (a == nullptr) {
    const mo_status status = note_failure(c, MO_NOT_FOUND, text("there is no attribute '", name, "'"));
    static_cast<CallContext*>(c)->error_where = node;
    return status;
  }
  *value = to_abi(*a, static_cast<CallContext*>(c)->scratch);
  return MO_OK;
}

std::vector<mo_str> keys(const Graph& g, const AttributeMap& map) {
  std::vector<mo_str> list;
  for (const auto& [key, value] : map.items()) list.push_back(str(g.symbols().text(key)));
  return list;
}

// Asks the front-end that loaded the model; *result gets what it returned.
mo_status ask_frontend(
    mo_context* c, const NodeAt& n, Attribute* result,
    const std::function<mo_status(const FrontEnd&, mo_context*, void* model, uint64_t tag)>& ask) {
  Session& s = session_of(c);
  const uint64_t tag = n.record().native;
  if (s.frontend == nullptr || tag == 0)
    return note_failure(c, MO_NOT_FOUND,
                        text("node ", describe(*n.graph, n.id), " has no source description"));
  Call call(s);
  call->plugin = s.frontend->plugin;
  call->graph = n.graph;
  call->node = n.id;
  call->returned = result;
  const mo_status status = ask(*s.frontend, call.get(), s.model, tag);
  if (status == MO_OK) return MO_OK;
  return note_failure(c, status, call->error);
}

// What a schema does not know goes to the IR as it came.
void keep_ir_attribute(Graph& g, NodeId n, std::string_view name, std::string_view shown) {
  std::vector<std::string> names;
  if (const Attribute* a = g.attribute(n, config_words::ir_attributes))
    if (const auto* list = std::get_if<std::vector<std::string>>(a)) names = *list;
  names.emplace_back(name);
  g.set_attribute(n, config_words::ir_attributes, std::move(names));
  g.set_attribute(n, name, std::string(shown));
}

}  // namespace

mo_status graph_node_attr(mo_context* c, mo_node node, mo_str name, mo_value* value) {
  return guarded(c, [&]() -> mo_status {
    need(value, "value");
    const NodeAt n = node_at(c, node);
    const std::string_view wanted = checked(name, "name");
    return give_attr(c, node, find_attr(c, n, n.graph->symbols().find(wanted)), wanted, value);
  });
}

mo_status graph_node_attrs(mo_context* c, mo_node node, const mo_str* names, uint64_t count,
                           mo_value* values) {
  return guarded(c, [&] {
    if (count != 0) {
      need(names, "names");
      need(values, "values");
    }
    const NodeAt n = node_at(c, node);
    for (uint64_t i = 0; i < count; ++i) {
      const Attribute* a = find_attr(c, n, n.graph->symbols().find(checked(names[i], "name")));
      values[i] = a == nullptr ? mo_value{} : to_abi(*a, static_cast<CallContext*>(c)->scratch);
    }
  });
}

mo_status graph_set_node_attr(mo_context* c, mo_node node, mo_str name, const mo_value* value) {
  return guarded(c, [&] {
    const NodeAt n = node_at(c, node);
    const std::string_view key = checked(name, "name");
    if (key.empty()) throw Error("an attribute needs a name", MO_INVALID_ARGUMENT);
    set_attribute_of_node(session_of(c), editable(c, *n.graph), n.id, key,
                          value == nullptr ? Attribute() : from_abi(session_of(c), *value));
  });
}

mo_status graph_node_attr_names(mo_context* c, mo_node node, mo_str* items, uint64_t capacity,
                                uint64_t* count) {
  return guarded(c, [&] {
    const NodeAt n = node_at(c, node);
    give_list(keys(*n.graph, n.record().attributes), items, capacity, count);
  });
}

mo_status graph_rt_info(mo_context* c, mo_node node, mo_str name, mo_value* value) {
  return guarded(c, [&]() -> mo_status {
    need(value, "value");
    const NodeAt n = node_at(c, node);
    const std::string_view wanted = checked(name, "name");
    const Symbol key = n.graph->symbols().find(wanted);
    return give_attr(c, node, key == 0 ? nullptr : n.record().rt_info.find(key), wanted, value);
  });
}

mo_status graph_set_rt_info(mo_context* c, mo_node node, mo_str name, const mo_value* value) {
  return guarded(c, [&] {
    const NodeAt n = node_at(c, node);
    const std::string_view key = checked(name, "name");
    if (key.empty()) throw Error("an rt_info entry needs a name", MO_INVALID_ARGUMENT);
    editable(c, *n.graph)
        .set_rt_info(n.id, key,
                     value == nullptr ? Attribute() : without_graphs(from_abi(session_of(c), *value)));
  });
}

mo_status graph_rt_info_names(mo_context* c, mo_node node, mo_str* items, uint64_t capacity,
                              uint64_t* count) {
  return guarded(c, [&] {
    const NodeAt n = node_at(c, node);
    give_list(keys(*n.graph, n.record().rt_info), items, capacity, count);
  });
}

mo_status graph_copy_rt_info(mo_context* c, const mo_node* from, uint64_t n_from, const mo_node* to,
                             uint64_t n_to) {
  return guarded(c, [&] {
    if (n_from != 0) need(from, "from");
    if (n_to != 0) need(to, "to");
    std::vector<std::pair<std::string, Attribute>> merged;
    for (uint64_t i = 0; i < n_from; ++i) {
      const NodeAt n = node_at(c, from[i]);
      for (const auto& [key, value] : n.record().rt_info.items()) {
        const std::string_view name = n.graph->symbols().text(key);
        const auto same =
            std::find_if(merged.begin(), merged.end(), [&](const auto& m) { return m.first == name; });
        if (same == merged.end()) {
          merged.emplace_back(name, value);
        } else if (auto* list = std::get_if<std::vector<std::string>>(&same->second)) {
          // Lists of names (fused_names) are united; of anything else the first one stays.
          if (const auto* more = std::get_if<std::vector<std::string>>(&value))
            for (const auto& s : *more)
              if (std::find(list->begin(), list->end(), s) == list->end()) list->push_back(s);
        }
      }
    }
    for (uint64_t i = 0; i < n_to; ++i) {
      const NodeAt n = node_at(c, to[i]);
      Graph& g = editable(c, *n.graph);
      // What a destination had before goes, unless it is a source, too: then it is part of what was merged.
      std::vector<std::string> old;
      for (const auto& [key, value] : n.record().rt_info.items()) old.emplace_back(g.symbols().text(key));
      for (const std::string& name : old) g.set_rt_info(n.id, name, Attribute());
      for (const auto& [name, value] : merged) g.set_rt_info(n.id, name, value);
    }
  });
}

mo_status graph_native_attr(mo_context* c, mo_node node, mo_str name, mo_value* value) {
  return guarded(c, [&]() -> mo_status {
    need(value, "value");
    const NodeAt n = node_at(c, node);
    checked(name, "name");
    Attribute result;
    const mo_status status =
        ask_frontend(c, n, &result, [&](const FrontEnd& f, mo_context* inner, void* model, uint64_t tag) {
          return f.native_attr(f.self, inner, model, tag, name);
        });
    if (status != MO_OK) return status;
    auto& scratch = static_cast<CallContext*>(c)->scratch;
    *value = to_abi(scratch.keep(std::move(result)), scratch);
    return MO_OK;
  });
}

mo_status graph_native_attr_names(mo_context* c, mo_node node, mo_str* items, uint64_t capacity,
                                  uint64_t* count) {
  return guarded(c, [&]() -> mo_status {
    const NodeAt n = node_at(c, node);
    Attribute result;
    const mo_status status =
        ask_frontend(c, n, &result, [&](const FrontEnd& f, mo_context* inner, void* model, uint64_t tag) {
          return f.native_attr_names(f.self, inner, model, tag);
        });
    if (status != MO_OK) return status;
    auto* list =
        std::get_if<std::vector<std::string>>(&static_cast<CallContext*>(c)->scratch.keep(std::move(result)));
    std::vector<mo_str> names;
    if (list != nullptr)
      for (const auto& s : *list) names.push_back(str(s));
    give_list(names, items, capacity, count);
    return MO_OK;
  });
}

mo_status graph_native_tag(mo_context* c, mo_node node, uint64_t* tag) {
  return guarded(c, [&] {
    need(tag, "tag");
    *tag = node_at(c, node).record().native;
  });
}

mo_status graph_native_key(mo_context* c, mo_node node, mo_str* domain, int32_t* version, mo_str* op) {
  return guarded(c, [&]() -> mo_status {
    need(domain, "domain");
    need(version, "version");
    need(op, "op");
    Attribute none;
    return ask_frontend(c, node_at(c, node), &none,
                        [&](const FrontEnd& f, mo_context* inner, void* model, uint64_t tag) {
                          return f.native_key(f.self, inner, model, tag, domain, version, op);
                        });
  });
}

mo_status graph_defining_opset(mo_context* c, mo_str op, mo_str opset, mo_str* defining) {
  return guarded(c, [&]() -> mo_status {
    need(defining, "defining");
    const Operation* o =
        defining_operation(session_of(c).registry(), checked(op, "op"), checked(opset, "opset"));
    if (o == nullptr)
      return note_failure(c, MO_NOT_FOUND, text("nobody defines ", view(opset), "::", view(op)));
    *defining = str(o->opset);
    return MO_OK;
  });
}

mo_status graph_set_ir_attr(mo_context* c, mo_node node, mo_str name, mo_str shown) {
  return guarded(c, [&] {
    const NodeAt n = node_at(c, node);
    Graph& g = editable(c, *n.graph);
    const std::string_view wanted = checked(name, "name"), content = checked(shown, "text");
    const auto set = [&](std::string_view key, int32_t kind) {
      try {
        g.set_attribute(n.id, key, parse_value(kind, content));
      } catch (const Error& e) {
        throw Error(text("attribute '", wanted, "' of '", g.name(n.id), "': ", e.what()), MO_ERROR, node);
      }
    };
    if (n.record().op == g.space().parameter) {
      if (wanted == "shape") set(wanted, MO_VALUE_SHAPE);
      if (wanted == "element_type") set(wanted, MO_VALUE_TYPE);
      return;
    }
    if (const Operation* op = session_of(c).registry().operation(n.record().op, n.record().opset))
      for (const AttributeDef& d : op->attributes)
        if (d.ir_name == wanted) return set(d.name, d.kind);
    keep_ir_attribute(g, n.id, wanted, content);
  });
}

mo_status graph_definition(mo_context* c, mo_node node, const mo_operation_def** definition) {
  return guarded(c, [&]() -> mo_status {
    need(definition, "definition");
    const NodeAt n = node_at(c, node);
    const Operation* op = operation_of(session_of(c), *n.graph, n.id);
    if (op == nullptr) return note_failure(c, MO_NOT_FOUND, "nobody defines the operation of the node");
    *definition = &op->abi();
    return MO_OK;
  });
}

mo_status graph_definition_of(mo_context* c, mo_str op, mo_str opset, const mo_operation_def** definition) {
  return guarded(c, [&]() -> mo_status {
    need(definition, "definition");
    const std::string_view type = checked(op, "op"), set = checked(opset, "opset");
    const Registry& registry = session_of(c).registry();
    const Operation* o = set.empty() ? named_operation(registry, type) : registry.operation(type, set);
    if (o == nullptr) return note_failure(c, MO_NOT_FOUND, "nobody defines an operation of that name");
    *definition = &o->abi();
    return MO_OK;
  });
}

}  // namespace mo::core::abi
