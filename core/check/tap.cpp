#include "core/check/tap.hpp"

#include <cstring>

#include "core/host/abi.hpp"

namespace mo::core::checks {

Tap& tap() {
  static Tap the_tap;
  return the_tap;
}

namespace {

template <class Table>
const Table& real_table() {
  if constexpr (std::is_same_v<Table, mo_graph_api>) return graph_table();
  if constexpr (std::is_same_v<Table, mo_tensor_api>) return tensor_table();
  if constexpr (std::is_same_v<Table, mo_file_api>) return file_table();
  if constexpr (std::is_same_v<Table, mo_infer_api>) return infer_table();
  if constexpr (std::is_same_v<Table, mo_match_api>) return match_table();
  if constexpr (std::is_same_v<Table, mo_registry_api>) return registry_table();
  if constexpr (std::is_same_v<Table, mo_host>) return host_table();
}

// True: this call is the one that fails.
bool fails_now(mo_context* c, std::string_view function) {
  Tap& t = tap();
  if (t.plugin != nullptr && static_cast<CallContext*>(c)->plugin != t.plugin) return false;
  if (++t.calls != t.fail_at) return false;
  t.failed = function;
  (void)note_failure(c, t.status, text("call no. ", t.calls, ", ", function, ", fails because a check asked for it"));
  return true;
}

// Host functions take calls of contexts that carry their own table.
class Inside {
 public:
  explicit Inside(mo_context* c) : c_(c), was_(c->host) { c_->host = &host_table(); }
  ~Inside() { c_->host = was_; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  mo_context* c_;
  const mo_host* was_;
};

template <auto member>
struct Tapped;

template <class Table, class... Args, mo_status (*Table::*member)(mo_context*, Args...)>
struct Tapped<member> {
  static inline std::string_view name;
  static mo_status call(mo_context* c, Args... args) {
    if (c == nullptr || c->host == nullptr) return MO_INVALID_ARGUMENT;
    if (fails_now(c, name)) return tap().status;
    const Inside inside(c);
    return (real_table<Table>().*member)(c, args...);
  }
};

template <auto member, class Table>
void take(Table& table, std::string_view name) {
  Tapped<member>::name = name;
  table.*member = &Tapped<member>::call;
}

void note_tensor(mo_status status, mo_tensor** tensor) {
  if (status == MO_OK && tap().keeps_tensors) tap().tensors.push_back(TensorRef::share(*tensor));
}

mo_status create_tensor(mo_context* c, mo_type type, const int64_t* dims, int64_t rank, mo_tensor** tensor,
                        void** data) {
  const mo_status status = Tapped<&mo_tensor_api::create>::call(c, type, dims, rank, tensor, data);
  if (status != MO_OK) return status;
  if (tap().guards_memory) {
    TensorRef whole = TensorRef::adopt(*tensor);
    TensorRef guarded = guarded_copy(*whole, GuardedBytes::Access::read_write);
    if (data != nullptr) *data = const_cast<std::byte*>(guarded->data);
    *tensor = guarded.detach();
  }
  note_tensor(status, tensor);
  return status;
}

mo_status wrap_tensor(mo_context* c, mo_type type, const int64_t* dims, int64_t rank, const void* data,
                      uint64_t bytes, void (*release)(void*), void* user, mo_tensor** tensor) {
  const mo_status status =
      Tapped<&mo_tensor_api::wrap>::call(c, type, dims, rank, data, bytes, release, user, tensor);
  note_tensor(status, tensor);
  return status;
}

mo_status view_of_tensor(mo_context* c, mo_tensor* base, uint64_t offset, mo_type type, const int64_t* dims,
                         int64_t rank, mo_tensor** tensor) {
  const mo_status status = Tapped<&mo_tensor_api::view>::call(c, base, offset, type, dims, rank, tensor);
  note_tensor(status, tensor);
  return status;
}

mo_status find_option(mo_context* c, mo_str name, mo_value* value) {
  if (tap().finds_nothing) return note_failure(c, MO_NOT_FOUND, text("option '", name, "' is not set"));
  return Tapped<&mo_host::option>::call(c, name, value);
}

mo_status find_interface(mo_context* c, mo_str name, uint32_t revision, const void** table) {
  if (tap().finds_nothing)
    return note_failure(c, MO_NOT_FOUND, text("nobody offers the interface '", name, "' revision ", revision));
  return Tapped<&mo_host::get_interface>::call(c, name, revision, table);
}

// The text that goes with a status is no call that can fail.
mo_status keep_failure(mo_context* c, mo_status status, mo_node where, mo_str message) {
  const Inside inside(c);
  return host_table().fail(c, status, where, message);
}

void write_to_log(mo_context* c, int32_t level, mo_str message) {
  const Inside inside(c);
  host_table().log(c, level, message);
}

// A table with room for members to come: pointers nobody may follow.
template <class Table>
struct Grown {
  Table table;
  uintptr_t to_come[32];
};

struct Tables {
  Grown<mo_graph_api> graph{graph_table(), {}};
  Grown<mo_tensor_api> tensor{tensor_table(), {}};
  Grown<mo_file_api> file{file_table(), {}};
  Grown<mo_infer_api> infer{infer_table(), {}};
  Grown<mo_match_api> match{match_table(), {}};
  Grown<mo_registry_api> registry{registry_table(), {}};
  Grown<mo_host> host{host_table(), {}};

  explicit Tables(bool larger);
};

#define MO_TAP(part, member) take<&std::decay_t<decltype(part.table)>::member>(part.table, #part "." #member)

void tap_graph(Grown<mo_graph_api>& graph) {
  MO_TAP(graph, name);
  MO_TAP(graph, set_name);
  MO_TAP(graph, create);
  MO_TAP(graph, parent);
  MO_TAP(graph, get_attr);
  MO_TAP(graph, set_attr);
  MO_TAP(graph, nodes);
  MO_TAP(graph, topological);
  MO_TAP(graph, find);
  MO_TAP(graph, parameters);
  MO_TAP(graph, results);
  MO_TAP(graph, infer);
  MO_TAP(graph, clean_up);
  MO_TAP(graph, create_node);
  MO_TAP(graph, create_const);
  MO_TAP(graph, remove_node);
  MO_TAP(graph, graph_of);
  MO_TAP(graph, op);
  MO_TAP(graph, opset);
  MO_TAP(graph, set_op);
  MO_TAP(graph, node_name);
  MO_TAP(graph, rename);
  MO_TAP(graph, mark);
  MO_TAP(graph, port_counts);
  MO_TAP(graph, add_port);
  MO_TAP(graph, delete_port);
  MO_TAP(graph, source);
  MO_TAP(graph, destinations);
  MO_TAP(graph, connect);
  MO_TAP(graph, disconnect);
  MO_TAP(graph, set_source);
  MO_TAP(graph, set_destination);
  MO_TAP(graph, insert_node);
  MO_TAP(graph, desc);
  MO_TAP(graph, set_shape);
  MO_TAP(graph, set_value);
  MO_TAP(graph, tensor_names);
  MO_TAP(graph, set_tensor_names);
  MO_TAP(graph, intern);
  MO_TAP(graph, get_attr_k);
  MO_TAP(graph, node_attr);
  MO_TAP(graph, set_node_attr);
  MO_TAP(graph, attr_names);
  MO_TAP(graph, rt_info);
  MO_TAP(graph, set_rt_info);
  MO_TAP(graph, copy_rt_info);
  MO_TAP(graph, native_attr);
  MO_TAP(graph, native_attr_names);
  MO_TAP(graph, native_tag);
  MO_TAP(graph, native_key);
  MO_TAP(graph, get_attrs);
  MO_TAP(graph, defining_opset);
  MO_TAP(graph, set_ir_attr);
}

void tap_match(Grown<mo_match_api>& match) {
  MO_TAP(match, node);
  MO_TAP(match, port);
  MO_TAP(match, root);
  MO_TAP(match, nodes);
  MO_TAP(match, graph);
  MO_TAP(match, input_ports);
  MO_TAP(match, output_port);
  MO_TAP(match, counts);
  MO_TAP(match, scope);
  MO_TAP(match, custom_attributes);
  MO_TAP(match, replace_outputs);
  MO_TAP(match, map_input);
  MO_TAP(match, map_output);
  MO_TAP(match, keep);
  MO_TAP(match, register_new_node);
  MO_TAP(match, run);
  // decline only says why.
  match.table.decline = [](mo_context* c, mo_str why) {
    const Inside inside(c);
    return match_table().decline(c, why);
  };
}

void tap_others(Tables& t) {
  Grown<mo_tensor_api>& tensor = t.tensor;
  MO_TAP(tensor, create);
  MO_TAP(tensor, wrap);
  MO_TAP(tensor, view);
  tensor.table.create = create_tensor;
  tensor.table.wrap = wrap_tensor;
  tensor.table.view = view_of_tensor;
  Grown<mo_file_api>& file = t.file;
  MO_TAP(file, open);
  MO_TAP(file, open_below);
  MO_TAP(file, tensor);
  Grown<mo_infer_api>& infer = t.infer;
  MO_TAP(infer, set_output);
  MO_TAP(infer, set_value);
  MO_TAP(infer, set_bounds);
  MO_TAP(infer, add_ir_attr);
  MO_TAP(infer, evaluate_graph);
  Grown<mo_registry_api>& registry = t.registry;
  MO_TAP(registry, operation);
  MO_TAP(registry, extractor);
  MO_TAP(registry, transformation);
  MO_TAP(registry, frontend);
  MO_TAP(registry, option);
  MO_TAP(registry, converter);
  MO_TAP(registry, interface);
  Grown<mo_host>& host = t.host;
  MO_TAP(host, progress);
  MO_TAP(host, option);
  MO_TAP(host, get_interface);
  MO_TAP(host, return_value);
  MO_TAP(host, convert);
  host.table.option = find_option;
  host.table.get_interface = find_interface;
  host.table.fail = keep_failure;
  host.table.log = write_to_log;
}

#undef MO_TAP

Tables::Tables(bool larger) {
  tap_graph(graph);
  tap_match(match);
  tap_others(*this);
  host.table.graph = &graph.table;
  host.table.tensor = &tensor.table;
  host.table.file = &file.table;
  host.table.infer = &infer.table;
  host.table.match = &match.table;
  host.table.registry = &registry.table;
  if (!larger) return;
  const auto grow = [](auto& part) {
    part.table.size = sizeof part;
    for (uintptr_t& p : part.to_come) p = 8;
  };
  grow(graph);
  grow(tensor);
  grow(file);
  grow(infer);
  grow(match);
  grow(registry);
  grow(host);
  host.table.abi_minor = MO_ABI_MINOR + 7;
  host.table.name = str("a host of another name 99.0");
}

}  // namespace

const mo_host* tapped_host(bool larger) {
  // Never destroyed: plugins keep what they were handed.
  static const auto* todays = new Tables(false);
  static const auto* later = new Tables(true);
  return &(larger ? later : todays)->host.table;
}

}  // namespace mo::core::checks
