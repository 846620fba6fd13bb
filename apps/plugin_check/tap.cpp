#include "apps/plugin_check/tap.hpp"

#include <cstring>

#include "core/host/host_functions.hpp"
#include "core/registry/abi.hpp"

namespace mo::app::checks {

Tap& tap() {
  static Tap the_tap;
  return the_tap;
}

namespace {

// True: this call is the one that fails.
bool fails_now(mo_context* c, std::string_view function) {
  Tap& t = tap();
  if (t.plugin != nullptr && static_cast<core::CallContext*>(c)->plugin != t.plugin) return false;
  if (++t.calls != t.fail_at) return false;
  t.failed = function;
  (void)core::note_failure(
      c, t.status, text("call no. ", t.calls, ", ", function, ", fails because a check asked for it"));
  return true;
}

// Host functions take calls of contexts that carry their own table.
class Inside {
 public:
  explicit Inside(mo_context* c) : c_(c), was_(c->host) { c_->host = &core::host_table(); }
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
    return (core::table_of<Table>(core::host_table()).*member)(c, args...);
  }
};

// Functions without a context, or without a status, cannot fail.
template <class Slot>
inline constexpr bool can_fail = false;
template <class... Args>
inline constexpr bool can_fail<mo_status (*)(mo_context*, Args...)> = true;

void note_tensor(mo_status status, mo_tensor** tensor) {
  if (status == MO_OK && tap().keeps_tensors) tap().tensors.push_back(core::TensorRef::share(*tensor));
}

mo_status create_tensor(mo_context* c, mo_type type, const int64_t* dims, int64_t rank, mo_tensor** tensor,
                        void** data) {
  const mo_status status = Tapped<&mo_tensor_api::create>::call(c, type, dims, rank, tensor, data);
  if (status != MO_OK) return status;
  if (tap().guards_memory) {
    core::TensorRef whole = core::TensorRef::adopt(*tensor);
    core::TensorRef guarded = guarded_copy(*whole, GuardedBytes::Access::read_write);
    if (data != nullptr) *data = const_cast<std::byte*>(guarded->data());
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

mo_status lazy_tensor(mo_context* c, const mo_lazy_def* def, mo_tensor** tensor) {
  const mo_status status = Tapped<&mo_tensor_api::lazy>::call(c, def, tensor);
  note_tensor(status, tensor);
  return status;
}

mo_status find_option(mo_context* c, mo_str name, mo_value* value) {
  if (tap().finds_nothing) return core::note_failure(c, MO_NOT_FOUND, text("option '", name, "' is not set"));
  return Tapped<&mo_host::option>::call(c, name, value);
}

mo_status find_interface(mo_context* c, mo_str name, uint32_t revision, const void** table) {
  if (tap().finds_nothing)
    return core::note_failure(c, MO_NOT_FOUND,
                              text("nobody offers the interface '", name, "' revision ", revision));
  return Tapped<&mo_host::get_interface>::call(c, name, revision, table);
}

// The text that goes with a status is no call that can fail.
mo_status keep_failure(mo_context* c, mo_status status, mo_node where, mo_str message) {
  const Inside inside(c);
  return core::host_table().fail(c, status, where, message);
}

mo_status keep_failure_with(mo_context* c, mo_status status, const mo_message* message) {
  const Inside inside(c);
  return core::host_table().fail_with(c, status, message);
}

// It only says why.
mo_status say_why(mo_context* c, mo_node where, mo_str why) {
  const Inside inside(c);
  return core::host_tables().rewrite.decline(c, where, why);
}

void write_to_log(mo_context* c, int32_t level, mo_str message) {
  const Inside inside(c);
  core::host_table().log(c, level, message);
}

mo_status write_message_to_log(mo_context* c, int32_t level, const mo_message* message) {
  const Inside inside(c);
  return core::host_table().log_with(c, level, message);
}

// A plugin that has a mark gives back what was lent.
mo_status let_go(mo_context* c, uint64_t mark) {
  const Inside inside(c);
  return core::host_table().release_lent(c, mark);
}

// A table with room for members to come: pointers nobody may follow.
template <class Table>
struct Grown {
  Table table;
  uintptr_t to_come[32];
};

struct Tables {
  Grown<mo_graph_api> graph{};
  Grown<mo_tensor_api> tensor{};
  Grown<mo_file_api> file{};
  Grown<mo_infer_api> infer{};
  Grown<mo_rewrite_api> rewrite{};
  Grown<mo_registry_api> registry{};
  Grown<mo_host> host{};

  explicit Tables(bool larger);
};

core::HostTables tapped_tables() {
  core::HostTables t = core::host_tables();
  const auto take = []<class Function>(auto& table, Function) {
    if constexpr (can_fail<std::remove_cvref_t<decltype(table.*Function::slot)>>) {
      Tapped<Function::slot>::name = Function::name;
      table.*Function::slot = &Tapped<Function::slot>::call;
    }
  };
#define MO_HOST_FUNCTION(part, member) \
  take(t.part, core::HostFunctionAt<core::host_function_number::part##_##member>());
#include "core/host/host_functions.inc"
#undef MO_HOST_FUNCTION
  t.tensor.create = create_tensor;
  t.tensor.wrap = wrap_tensor;
  t.tensor.view = view_of_tensor;
  t.tensor.lazy = lazy_tensor;
  t.rewrite.decline = say_why;
  t.host.option = find_option;
  t.host.get_interface = find_interface;
  t.host.fail = keep_failure;
  t.host.fail_with = keep_failure_with;
  t.host.log = write_to_log;
  t.host.log_with = write_message_to_log;
  t.host.release_lent = let_go;
  return t;
}

Tables::Tables(bool larger) {
  core::HostTables tapped = tapped_tables();
  const auto place = [&](auto& part, const auto& table) {
    part.table = table;
    if (!larger) return;
    part.table.size = sizeof part;
    for (uintptr_t& p : part.to_come) p = 8;
  };
#define MO_PLACE(name)      \
  place(name, tapped.name); \
  tapped.host.name = &name.table
  MO_PLACE(graph);
  MO_PLACE(tensor);
  MO_PLACE(file);
  MO_PLACE(infer);
  MO_PLACE(rewrite);
  MO_PLACE(registry);
#undef MO_PLACE
  place(host, tapped.host);
  if (!larger) return;
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

}  // namespace mo::app::checks
