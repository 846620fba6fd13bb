// The tables of mo/plugin.h as one thing, and the list of what is in them.
#pragma once

#include <mo/plugin.h>

#include <cstddef>
#include <tuple>
#include <type_traits>

namespace mo::core {

// The host's own members are a table like the others.
using mo_host_api = mo_host;

struct HostTables {
  mo_graph_api graph{};
  mo_tensor_api tensor{};
  mo_file_api file{};
  mo_infer_api infer{};
  mo_rewrite_api rewrite{};
  mo_registry_api registry{};
  mo_host host{};

  // Calls f with each table but the host's, and the host's pointer to it.
  template <class F>
  void each_part(F f) {
    f(graph, host.graph);
    f(tensor, host.tensor);
    f(file, host.file);
    f(infer, host.infer);
    f(rewrite, host.rewrite);
    f(registry, host.registry);
  }
};

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

// A host function: which it is, and what it is called in messages ("graph.connect").
template <auto member>
struct HostFunction;
template <class T, class Signature, Signature T::*member>
struct HostFunction<member> {
  using Table = T;
  static constexpr auto slot = member;
  const char* name;
};

inline constexpr auto host_functions = std::tuple_cat(
#define MO_HOST_FUNCTION(table, member) \
  std::tuple(HostFunction<&mo_##table##_api::member>{#table "." #member}),
#include "core/host/host_functions.inc"
#include "core/host/host_tables.hpp"
#undef MO_HOST_FUNCTION
    std::tuple<>());

// Those of this process.
const HostTables& host_tables();
const mo_host& host_table();

template <class F>
void for_each_host_function(F f) {
  std::apply([&](const auto&... function) { (f(function), ...); }, host_functions);
}

}  // namespace mo::core
