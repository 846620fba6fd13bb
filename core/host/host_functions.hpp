// The functions of the host's tables by number: their places in host_functions.inc.
#pragma once

#include <cstddef>
#include <type_traits>

#include "core/host/host_tables.hpp"

namespace mo::core {

// Of what table a function is.
template <class Table>
const Table& table_of(const mo_host& host) {
  if constexpr (std::is_same_v<Table, mo_graph_api>)
    return *host.graph;
  else if constexpr (std::is_same_v<Table, mo_tensor_api>)
    return *host.tensor;
  else if constexpr (std::is_same_v<Table, mo_file_api>)
    return *host.file;
  else if constexpr (std::is_same_v<Table, mo_infer_api>)
    return *host.infer;
  else if constexpr (std::is_same_v<Table, mo_rewrite_api>)
    return *host.rewrite;
  else if constexpr (std::is_same_v<Table, mo_registry_api>)
    return *host.registry;
  else
    return host;
}

namespace host_function_number {
enum : size_t {
#define MO_HOST_FUNCTION(table, member) table##_##member,
#include "core/host/host_functions.inc"
#undef MO_HOST_FUNCTION
  count
};
}  // namespace host_function_number

inline constexpr size_t host_function_count = host_function_number::count;

// Of the function at a place: its table, its member of that, and what it is called in messages ("graph.connect"). Each
// is a declaration of its own: a tuple of all takes seconds to compile wherever it is included.
template <size_t number>
struct HostFunctionAt;
#define MO_HOST_FUNCTION(table, member)                                   \
  template <>                                                             \
  struct HostFunctionAt<host_function_number::table##_##member> {         \
    using Table = mo_##table##_api;                                       \
    static constexpr auto slot = &mo_##table##_api::member;               \
    static constexpr const char* name = #table "." #member;               \
  };
#include "core/host/host_functions.inc"
#undef MO_HOST_FUNCTION

// Of what table a member is.
template <class Slot>
struct TableOfSlot;
template <class T, class Function>
struct TableOfSlot<Function T::*> {
  using type = T;
};
template <auto slot>
using HostTable = typename TableOfSlot<std::remove_cv_t<decltype(slot)>>::type;

}  // namespace mo::core
