// The tables of mo/plugin.h. One entry per slot, in the header's order.
#include <mutex>

#include "core/host/abi.hpp"
#include "core/host/abi_graph.hpp"
#include "core/infer/infer.hpp"
#include "core/run/execute.hpp"

namespace mo::core {

const mo_graph_api& graph_table() {
  using namespace abi;
  static const mo_graph_api table = {sizeof(mo_graph_api),
                                     graph_name,
                                     graph_set_name,
                                     graph_create,
                                     graph_parent,
                                     graph_get_attr,
                                     graph_set_attr,
                                     graph_nodes,
                                     graph_topological,
                                     graph_find,
                                     graph_parameters,
                                     graph_results,
                                     graph_infer,
                                     graph_clean_up,
                                     create_node,
                                     create_const,
                                     remove_node,
                                     graph_of,
                                     node_op,
                                     node_opset,
                                     set_op,
                                     node_name,
                                     rename_node,
                                     mark_node,
                                     port_counts,
                                     add_port,
                                     delete_port,
                                     port_source,
                                     port_destinations,
                                     connect_ports,
                                     disconnect_port,
                                     set_source,
                                     set_destination,
                                     insert_node,
                                     tensor_desc,
                                     set_shape,
                                     set_value,
                                     tensor_names,
                                     set_tensor_names,
                                     intern,
                                     get_attr_k,
                                     node_attr,
                                     set_node_attr,
                                     attr_names,
                                     rt_info,
                                     set_rt_info,
                                     copy_rt_info,
                                     native_attr,
                                     native_attr_names,
                                     native_tag,
                                     native_key,
                                     get_attrs,
                                     defining_opset,
                                     set_ir_attr};
  return table;
}

namespace {

// ---- tensors

std::vector<int64_t> dims_of(const int64_t* dims, int64_t rank) {
  if (rank < 0 || rank > 1024)
    throw Error(text("rank is ", rank, "; expected 0 to 1024"), MO_INVALID_ARGUMENT);
  if (rank != 0) need(dims, "dims");
  return {dims, dims + rank};
}

mo_status tensor_create(mo_context* c, mo_type type, const int64_t* dims, int64_t rank, mo_tensor** tensor,
                        void** data) {
  return guarded(c, [&] {
    need(tensor, "tensor");
    TensorRef t = make_tensor(static_cast<ElementType>(type), dims_of(dims, rank));
    if (data != nullptr) *data = t->buffer.get();
    *tensor = t.detach();
  });
}

mo_status tensor_wrap(mo_context* c, mo_type type, const int64_t* dims, int64_t rank, const void* data,
                      uint64_t bytes, void (*release_bytes)(void*), void* user, mo_tensor** tensor) {
  return guarded(c, [&] {
    need(tensor, "tensor");
    if (bytes != 0) need(data, "data");
    std::vector<int64_t> d = dims_of(dims, rank);
    const auto t = static_cast<ElementType>(type);
    if (!is_valid(t)) throw Error(text("there is no element type ", type), MO_INVALID_ARGUMENT);
    if (bits(t) != 0) {
      const uint64_t needed = dense_bytes(t, d.data(), rank);
      require(needed == bytes, "a tensor of ", name(t), " ", Shape::dims_of(d.data(), rank), " needs ",
              needed, " bytes, not ", bytes);
    }
    auto made = TensorRef::adopt(new mo_tensor);
    made->type = t;
    made->dims = std::move(d);
    made->data = static_cast<const std::byte*>(data);
    made->bytes = bytes;
    made->release = release_bytes;
    made->user = user;
    *tensor = made.detach();
  });
}

mo_status tensor_view(mo_context* c, mo_tensor* base, uint64_t offset, mo_type type, const int64_t* dims,
                      int64_t rank, mo_tensor** tensor) {
  return guarded(c, [&] {
    need(base, "base");
    need(tensor, "tensor");
    *tensor = view_tensor(TensorRef::share(base), offset, static_cast<ElementType>(type), dims_of(dims, rank))
                  .detach();
  });
}

mo_status tensor_info(const mo_tensor* t, mo_tensor_info* info) {
  if (t == nullptr || info == nullptr || info->size < sizeof(size_t)) return MO_INVALID_ARGUMENT;
  mo_tensor_info i{};
  i.size = std::min(info->size, sizeof i);
  i.dims = t->dims.data();
  i.rank = static_cast<int64_t>(t->dims.size());
  i.data = t->data;
  i.bytes = t->bytes;
  const auto address = reinterpret_cast<uintptr_t>(t->data);
  i.alignment = address == 0 ? 4096 : std::min<uint64_t>(address & (~address + 1), 4096);
  i.type = static_cast<mo_type>(t->type);
  std::copy_n(reinterpret_cast<const char*>(&i), i.size, reinterpret_cast<char*>(info));
  return MO_OK;
}

// ---- files

mo_status file_open(mo_context* c, mo_str path, mo_file** file) {
  return guarded(c, [&] {
    need(file, "file");
    *file = session_of(c).open_file(std::string(checked(path, "path"))).detach();
  });
}

mo_status file_open_below(mo_context* c, mo_str folder, mo_str relative, mo_file** file) {
  return guarded(c, [&] {
    need(file, "file");
    *file = session_of(c)
                .open_file_below(std::string(checked(folder, "folder")),
                                 std::string(checked(relative, "relative")))
                .detach();
  });
}

void file_data(const mo_file* file, const void** data, uint64_t* bytes) {
  if (data != nullptr) *data = file->data;
  if (bytes != nullptr) *bytes = file->bytes;
}

mo_status tensor_of_file(mo_context* c, mo_file* file, uint64_t offset, uint64_t bytes, mo_type type,
                         const int64_t* dims, int64_t rank, mo_tensor** tensor) {
  return guarded(c, [&] {
    need(file, "file");
    need(tensor, "tensor");
    const auto t = static_cast<ElementType>(type);
    if (!is_valid(t)) throw Error(text("there is no element type ", type), MO_INVALID_ARGUMENT);
    *tensor = file_tensor(FileRef::share(file), offset, bytes, t, dims_of(dims, rank)).detach();
  });
}

// ---- inference

TensorState& output_at(mo_context* c, uint32_t index) {
  auto* outputs = static_cast<CallContext*>(c)->outputs;
  if (outputs == nullptr) throw Error("outputs can be set from infer and evaluate only", MO_WRONG_PHASE);
  if (index >= outputs->size())
    throw Error(text("output ", index, " does not exist; the node has ", outputs->size()),
                MO_INVALID_ARGUMENT);
  return (*outputs)[index];
}

mo_status set_output(mo_context* c, uint32_t index, mo_type type, const mo_shape* shape) {
  return guarded(c, [&] {
    TensorState& o = output_at(c, index);
    if (!is_valid(static_cast<ElementType>(type)))
      throw Error(text("there is no element type ", type), MO_INVALID_ARGUMENT);
    o.shape = checked_shape(shape, text("the shape of output ", index));
    o.type = static_cast<ElementType>(type);
  });
}

mo_status set_output_value(mo_context* c, uint32_t index, mo_tensor* value) {
  return guarded(c, [&] {
    need(value, "value");
    TensorState& o = output_at(c, index);
    o.value = TensorRef::share(value);
    o.shape = shape_of(*value);
    o.type = value->type;
  });
}

mo_status set_output_bounds(mo_context* c, uint32_t index, const mo_dim* bounds, uint64_t count) {
  return guarded(c, [&] {
    TensorState& o = output_at(c, index);
    if (count != 0) need(bounds, "bounds");
    if (!o.shape.is_static() || static_cast<uint64_t>(o.shape.elements().value()) != count)
      throw Error(text(count, " bounds for output ", index, " of shape ", o.shape), MO_INVALID_ARGUMENT);
    o.bounds.clear();
    for (uint64_t i = 0; i < count; ++i) o.bounds.emplace_back(bounds[i]);
  });
}

mo_status add_ir_attr(mo_context* c, mo_str name, mo_str value) {
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

// How often one evaluate may ask for the values of a body when constants are folded: a loop of a hostile
// model must not keep the conversion.
constexpr uint32_t most_folded_bodies = 10000;

mo_status evaluate_graph(mo_context* c, mo_graph graph, mo_tensor* const* inputs, uint64_t n_inputs,
                         mo_tensor** outputs, uint64_t n_outputs) {
  return guarded(c, [&]() -> mo_status {
    auto* call = static_cast<CallContext*>(c);
    if (call->outputs == nullptr) throw Error("bodies are evaluated from evaluate only", MO_WRONG_PHASE);
    Graph& g = graph_at(c, graph);
    if (&g == call->graph || g.parent() == nullptr)
      throw Error("the graph is no body of the node at hand", MO_INVALID_ARGUMENT);
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

// ---- registration

template <class Def>
mo_status register_one(mo_context* c, const Def* def) {
  return guarded(c, [&] {
    need(def, "definition");
    auto* call = static_cast<CallContext*>(c);
    if (call->registering == nullptr)
      throw Error("things can be registered inside load() only", MO_WRONG_PHASE);
    call->session->registry().add(*def, *call->registering);
  });
}

mo_status register_interface(mo_context* c, mo_str name, uint32_t revision, const void* table) {
  return guarded(c, [&] {
    auto* call = static_cast<CallContext*>(c);
    if (call->registering == nullptr)
      throw Error("things can be registered inside load() only", MO_WRONG_PHASE);
    call->session->registry().add_interface(name, revision, table, *call->registering);
  });
}

// ---- host

mo_status fail_with(mo_context* c, mo_status status, mo_node where, mo_str message) {
  if (c == nullptr || !is_ours(c->host)) return MO_INVALID_ARGUMENT;
  const mo_status set = guarded(c, [&] {
    auto* call = static_cast<CallContext*>(c);
    std::string said;
    // A text that is not UTF-8 is still worth more than none.
    if (message.data != nullptr && message.size < (size_t{1} << 20)) said = view(message);
    if (!is_utf8(said))
      for (char& b : said)
        if (static_cast<unsigned char>(b) >= 0x80) b = '?';
    if (!call->failure || call->failure->message() != said) call->failure.reset();
    call->error = std::move(said);
    if (where != 0) call->error_where = where;
  });
  return set != MO_OK ? set : status;
}

mo_str last_error(mo_context* c) {
  return c == nullptr ? mo_str{nullptr, 0} : str(static_cast<CallContext*>(c)->error);
}

void write_log(mo_context* c, int32_t level, mo_str message) {
  (void)guarded(c, [&] {
    const auto* call = static_cast<CallContext*>(c);
    call->session->log(std::clamp<int32_t>(level, MO_LOG_DEBUG, MO_LOG_ERROR),
                       std::string(checked(message, "text")), call->plugin);
  });
}

mo_status progress(mo_context* c, uint64_t done, uint64_t total) {
  return guarded(c, [&]() -> mo_status {
    const auto& sink = session_of(c).progress_sink;
    if (!sink || sink(done, total)) return MO_OK;
    return note_failure(c, MO_CANCELLED, "cancelled");
  });
}

mo_status get_option(mo_context* c, mo_str name, mo_value* value) {
  return guarded(c, [&]() -> mo_status {
    need(value, "value");
    const Attribute* a = session_of(c).option(checked(name, "name"));
    if (a == nullptr) return note_failure(c, MO_NOT_FOUND, text("option '", name, "' is not set"));
    *value = to_abi(*a, static_cast<CallContext*>(c)->scratch);
    return MO_OK;
  });
}

mo_status get_interface(mo_context* c, mo_str name, uint32_t revision, const void** table) {
  return guarded(c, [&]() -> mo_status {
    need(table, "table");
    const Interface* i = session_of(c).registry().find_interface(checked(name, "name"), revision);
    if (i == nullptr)
      return note_failure(c, MO_NOT_FOUND,
                          text("nobody offers the interface '", name, "' revision ", revision));
    *table = i->table;
    return MO_OK;
  });
}

mo_status return_value(mo_context* c, const mo_value* value) {
  return guarded(c, [&] {
    need(value, "value");
    auto* call = static_cast<CallContext*>(c);
    if (call->returned == nullptr) throw Error("this callback returns no value", MO_WRONG_PHASE);
    *call->returned = from_abi(*call->session, *value);
  });
}

mo_status convert_value(mo_context* c, mo_str type_name, const void* bytes, uint64_t count, mo_value* value) {
  return guarded(c, [&]() -> mo_status {
    need(value, "value");
    Session& s = session_of(c);
    const Converter* converter = s.registry().converter(checked(type_name, "type_name"));
    if (converter == nullptr)
      return note_failure(c, MO_NOT_FOUND, text("nobody converts the type '", type_name, "'"));
    Attribute result;
    Call call(s);
    call->plugin = converter->plugin;
    call->returned = &result;
    const mo_status status = converter->convert(converter->self, call.get(), bytes, count);
    if (status != MO_OK) return note_failure(c, status, call->error);
    auto& scratch = static_cast<CallContext*>(c)->scratch;
    *value = to_abi(scratch.keep(std::move(result)), scratch);
    return MO_OK;
  });
}

}  // namespace

const mo_tensor_api& tensor_table() {
  static const mo_tensor_api table = {sizeof(mo_tensor_api),
                                      [](mo_tensor* t) {
                                        if (t != nullptr) retain(t);
                                      },
                                      [](mo_tensor* t) {
                                        if (t != nullptr) release(t);
                                      },
                                      tensor_info,
                                      tensor_create,
                                      tensor_wrap,
                                      tensor_view};
  return table;
}

const mo_file_api& file_table() {
  static const mo_file_api table = {sizeof(mo_file_api),
                                    file_open,
                                    file_open_below,
                                    [](mo_file* f) {
                                      if (f != nullptr) release(f);
                                    },
                                    file_data,
                                    tensor_of_file};
  return table;
}

const mo_infer_api& infer_table() {
  static const mo_infer_api table = {sizeof(mo_infer_api), set_output,  set_output_value,
                                     set_output_bounds,    add_ir_attr, evaluate_graph};
  return table;
}

const mo_registry_api& registry_table() {
  static const mo_registry_api table = {sizeof(mo_registry_api),        register_one<mo_operation_def>,
                                        register_one<mo_extractor_def>, register_one<mo_transformation_def>,
                                        register_one<mo_frontend_def>,  register_one<mo_option_def>,
                                        register_one<mo_converter_def>, register_interface};
  return table;
}

const mo_host& host_table() {
  static const mo_host table = {
      sizeof(mo_host), MO_ABI_MAJOR,      MO_ABI_MINOR,  str("mo-host " MO_HOST_VERSION),
      &graph_table(),  &tensor_table(),   &file_table(), &infer_table(),
      &match_table(),  &registry_table(), fail_with,     last_error,
      write_log,       progress,          get_option,    get_interface,
      return_value,    convert_value};
  return table;
}

}  // namespace mo::core
