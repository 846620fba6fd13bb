// The functions of the host's tables by number: their places in host_functions.inc.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>

#include "core/host/host_tables.hpp"

namespace mo::core {

// Of what table a function is.
template <class Table>
const Table& table_of(const mo_host& h) {
  return *std::get<const Table*>(std::tuple(&h, h.graph, h.tensor, h.file, h.infer, h.rewrite, h.registry));
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

// Of the function at a place: table, member, and its name in messages ("graph.connect"). Each is a
// declaration of its own: a tuple of all takes seconds to compile wherever it is included.
template <size_t number>
struct HostFunctionAt;
#define MO_HOST_FUNCTION(table, member)                           \
  template <>                                                     \
  struct HostFunctionAt<host_function_number::table##_##member> { \
    using Table = mo_##table##_api;                               \
    static constexpr auto slot = &mo_##table##_api::member;       \
    static constexpr const char* name = #table "." #member;       \
  };
#include "core/host/host_functions.inc"
#undef MO_HOST_FUNCTION

// Of what table a member is.
template <class T, class Function>
T table_of_slot(Function T::*);
template <auto slot>
using HostTable = decltype(table_of_slot(slot));

}  // namespace mo::core
