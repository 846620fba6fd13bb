#include "core/host/host_tables.hpp"

#include <utility>

#include "core/host/abi_functions.hpp"
#include "core/host/host_functions.hpp"
#include "core/registry/abi.hpp"

namespace mo::core {

namespace {

template <class Table>
consteval size_t listed() {
  return []<size_t... i>(std::index_sequence<i...>) {
    return (size_t{0} + ... + (std::is_same_v<typename HostFunctionAt<i>::Table, Table> ? 1 : 0));
  }
  (std::make_index_sequence<host_function_count>{});
}

// Behind its size a table has functions and nothing else.
template <class Table>
inline constexpr bool is_listed_whole = sizeof(size_t) + listed<Table>() * sizeof(void (*)()) ==
                                        sizeof(Table);
static_assert(is_listed_whole<mo_graph_api> && is_listed_whole<mo_tensor_api> &&
                  is_listed_whole<mo_file_api> && is_listed_whole<mo_infer_api> &&
                  is_listed_whole<mo_rewrite_api> && is_listed_whole<mo_registry_api> &&
                  offsetof(mo_host, fail) + listed<mo_host>() * sizeof(void (*)()) == sizeof(mo_host),
              "host_functions.inc lacks a function of mo/plugin.h");

HostTables* make_tables() {
  auto* t = new HostTables;
#define MO_HOST_FUNCTION(part, member) t->part.member = abi::part##_##member;
#include "core/host/host_functions.inc"
#undef MO_HOST_FUNCTION
  t->each_part([](auto& table, auto& pointer) {
    table.size = sizeof table;
    pointer = &table;
  });
  t->host.size = sizeof t->host;
  t->host.abi_major = MO_ABI_MAJOR;
  t->host.abi_minor = MO_ABI_MINOR;
  t->host.name = str("mo-host " MO_HOST_VERSION);
  return t;
}

}  // namespace

const HostTables& host_tables() {
  static const HostTables* tables = make_tables();  // never destroyed: plugins keep what they were handed
  return *tables;
}

const mo_host& host_table() { return host_tables().host; }

}  // namespace mo::core
