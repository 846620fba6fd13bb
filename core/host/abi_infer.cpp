// mo_infer_api.
#include <algorithm>

#include "core/host/abi_functions.hpp"
#include "core/infer/execute.hpp"
#include "core/registry/abi.hpp"

namespace mo::core::abi {

namespace {

TensorState& output_at(mo_context* c, uint32_t index) {
  auto* call = static_cast<CallContext*>(c);
  auto* outputs = call->outputs;
  if (outputs == nullptr) throw Error("outputs can be set from infer and evaluate only", MO_WRONG_PHASE);
  if (index >= outputs->size())
    throw Error(text("output ", index, " does not exist; the node has ", outputs->size()),
                MO_INVALID_ARGUMENT);
  call->has_output = true;
  return (*outputs)[index];
}

// How often one evaluate may ask for the values of a body when constants are folded: a loop of a hostile
// model must not keep the conversion.
constexpr uint32_t most_folded_bodies = 10000;

}  // namespace

mo_status infer_set_output(mo_context* c, uint32_t index, mo_type type, const mo_shape* shape) {
  return guarded(c, [&] {
    TensorState& o = output_at(c, index);
    const ElementType t = checked_type(type);
    o.shape = checked_shape(shape, text("the shape of output ", index));
    o.type = t;
  });
}

mo_status infer_set_value(mo_context* c, uint32_t index, mo_tensor* value) {
  return guarded(c, [&] {
    need(value, "value");
    TensorState& o = output_at(c, index);
    o.value = TensorRef::share(value);
    o.shape = shape_of(*value);
    o.type = value->type;
  });
}

mo_status infer_set_bounds(mo_context* c, uint32_t index, const mo_interval* bounds, uint64_t count) {
  return guarded(c, [&] {
    TensorState& o = output_at(c, index);
    if (count != 0) need(bounds, "bounds");
    if (!o.shape.is_static() || static_cast<uint64_t>(o.shape.elements().value()) != count)
      throw Error(text(count, " bounds for output ", index, " of shape ", o.shape), MO_INVALID_ARGUMENT);
    std::vector<Bound> list;
    for (uint64_t i = 0; i < count; ++i)
      list.push_back(checked_bound(bounds[i], text("bound ", i, " of output ", index)));
    o.bounds = std::move(list);
  });
}

mo_status infer_add_ir_attr(mo_context* c, mo_str name, mo_str value) {
  return guarded(c, [&] {
    auto* attrs = static_cast<CallContext*>(c)->ir_attrs;
    if (attrs == nullptr) throw Error("IR attributes can be added from ir_attrs only", MO_WRONG_PHASE);
    const std::string_view key = checked(name, "name"), v = checked(value, "text");
    const auto same =
        std::find_if(attrs->begin(), attrs->end(), [&](const auto& a) { return a.first == key; });
    if (same == attrs->end())
      attrs->emplace_back(key, v);
    else
      same->second = v;
  });
}

mo_status infer_evaluate_graph(mo_context* c, mo_graph graph, mo_tensor* const* inputs, uint64_t n_inputs,
                               mo_tensor** outputs, uint64_t n_outputs) {
  return guarded(c, [&]() -> mo_status {
    auto* call = static_cast<CallContext*>(c);
    if (call->outputs == nullptr) throw Error("bodies are evaluated from evaluate only", MO_WRONG_PHASE);
    Graph& g = graph_at(c, graph);
    if (g.parent() != call->graph || g.parent_node() != call->node)
      throw Error("the graph is not a body of the node at hand", MO_INVALID_ARGUMENT);
    if (n_inputs != g.parameters().size() || n_outputs != g.results().size())
      throw Error(text(n_inputs, " inputs and ", n_outputs, " outputs for a body with ",
                       g.parameters().size(), " Parameters and ", g.results().size(), " Results"),
                  MO_INVALID_ARGUMENT);
    if (n_inputs != 0) need(inputs, "inputs");
    if (n_outputs != 0) need(outputs, "outputs");
    if (!call->session->executing && ++call->bodies_run > most_folded_bodies)
      return note_failure(c, MO_UNSUPPORTED, "the loop is too long to be folded");
    std::vector<TensorRef> values;
    for (uint64_t i = 0; i < n_inputs; ++i) {
      need(inputs[i], "inputs");
      values.push_back(TensorRef::share(inputs[i]));
    }
    try {
      std::vector<TensorRef> results = execute(*call->session, g, values);
      for (uint64_t i = 0; i < n_outputs; ++i) outputs[i] = results[i].detach();
    } catch (const Failure& f) {
      if (f.code() != "MO0504") throw;
      note_failure(c, MO_UNSUPPORTED, text(f.message(), " (in a body: ", f.context_of("node"), ")"));
      return MO_UNSUPPORTED;
    }
    return MO_OK;
  });
}

}  // namespace mo::core::abi
