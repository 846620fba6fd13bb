// mo_infer_api, and where sizes come from.
#include <algorithm>

#include "core/host/abi_functions.hpp"
#include "core/infer/execute.hpp"
#include "core/infer/infer.hpp"
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

// What a run of a body takes beside its operations when constants are folded.
constexpr uint64_t work_of_body = uint64_t{1} << 17;

std::span<const mo_symbol> checked_symbols(const mo_symbol* items, int64_t count, std::string_view what) {
  if (count < 0 || count > 1024)
    throw Error(text(what, " are ", count, "; expected 0 to 1024"), MO_INVALID_ARGUMENT);
  if (count != 0) need(items, what);
  const std::span<const mo_symbol> list(items, static_cast<size_t>(count));
  for (const mo_symbol& s : list) {
    const bool is_number = s.kind == MO_SYMBOL_NUMBER;
    if (is_number
            ? s.node != 0 || s.port != 0
            : (s.kind != MO_SYMBOL_DIMENSION && s.kind != MO_SYMBOL_ELEMENT) || s.node == 0 || s.index < 0)
      throw Error(
          text("one of the ", what, " is of kind ", s.kind, ", node ", s.node, ", port ", s.port, ", index ",
               s.index, "; expected a number without node and port, or a place in a tensor"),
          MO_INVALID_ARGUMENT);
  }
  return list;
}

void check_inputs(const mo_symbols& in, size_t ports) {
  if (in.size < sizeof in || in.count != ports)
    throw Error(
        text("inputs have size ", in.size, " and count ", in.count, "; expected ", sizeof in, " and ", ports),
        MO_INVALID_ARGUMENT);
  if (in.count != 0) need(in.tensors, "tensors");
  for (uint64_t i = 0; i < in.count; ++i) {
    const mo_tensor_symbols* t = in.tensors[i];
    if (t == nullptr) continue;
    if (t->size < sizeof *t) throw Error(text("tensor ", i, " has size ", t->size), MO_INVALID_ARGUMENT);
    if (t->rank != -1) checked_symbols(t->dims, t->rank, "dims");
    if (t->n_values != -1) checked_symbols(t->values, t->n_values, "values");
  }
}

using SymbolList = std::optional<std::vector<mo_symbol>>;

mo_status set_list(mo_context* c, uint32_t index, SymbolList CallContext::TensorSymbols::*list,
                   const mo_symbol* items, uint64_t count) {
  return guarded(c, [&] {
    auto* outputs = static_cast<CallContext*>(c)->symbols;
    if (outputs == nullptr) throw Error("symbols can be set from symbols only", MO_WRONG_PHASE);
    if (index >= outputs->size())
      throw Error(text("output ", index, " does not exist; the node has ", outputs->size()),
                  MO_INVALID_ARGUMENT);
    const auto given =
        checked_symbols(items, static_cast<int64_t>(std::min<uint64_t>(count, INT64_MAX)), "symbols");
    (*outputs)[index].*list = std::vector<mo_symbol>(given.begin(), given.end());
  });
}

const mo_symbols& kept(const std::vector<CallContext::TensorSymbols>& found, Scratch& scratch) {
  auto* pointers = scratch.array<const mo_tensor_symbols*>(found.size());
  const auto list = [&](const SymbolList& from, const mo_symbol*& items, int64_t& count) {
    if (!from) return;
    items = std::copy(from->begin(), from->end(), scratch.array<mo_symbol>(from->size())) - from->size();
    count = static_cast<int64_t>(from->size());
  };
  for (size_t i = 0; i < found.size(); ++i) {
    mo_tensor_symbols t{sizeof t, nullptr, -1, nullptr, -1};
    list(found[i].dims, t.dims, t.rank);
    list(found[i].values, t.values, t.n_values);
    pointers[i] = &scratch.keep(t);
  }
  return scratch.keep(mo_symbols{sizeof(mo_symbols), pointers, found.size()});
}

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

mo_status infer_set_symbols(mo_context* c, uint32_t index, const mo_symbol* dims, uint64_t rank) {
  return set_list(c, index, &CallContext::TensorSymbols::dims, dims, rank);
}

mo_status infer_set_value_symbols(mo_context* c, uint32_t index, const mo_symbol* values, uint64_t count) {
  return set_list(c, index, &CallContext::TensorSymbols::values, values, count);
}

mo_status graph_symbols(mo_context* c, mo_node node, const mo_symbols* inputs, const mo_symbols** outputs) {
  return guarded(c, [&]() -> mo_status {
    Session& session = session_of(c);
    const NodeAt n = node_at(c, node);
    const Operation* op = operation_of(session, *n.graph, n.id);
    if (op == nullptr || op->symbols == nullptr)
      return note_failure(c, MO_NOT_FOUND, "the operation says nothing about where sizes come from");
    if (inputs == nullptr) return MO_OK;
    need(outputs, "outputs");
    check_inputs(*inputs, n.record().inputs.size());
    std::vector<CallContext::TensorSymbols> found(n.record().outputs.size());
    if (static_cast<CallContext*>(c)->transformation != nullptr) bring_up_to_date(session, *n.graph, n.id);
    {
      Call call(session);
      call->plugin = op->plugin;
      call->graph = n.graph;
      call->node = n.id;
      call->symbols = &found;
      call.check(op->symbols(op->self, call.get(), node, inputs), "symbols");
    }
    *outputs = &kept(found, static_cast<CallContext*>(c)->scratch);
    return MO_OK;
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
    if (!call->session->executing && !call->session->memory()->try_work(work_of_body))
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
