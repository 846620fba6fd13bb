// The tables of mo/plugin.h as one thing. What is in them is listed in host_functions.hpp.
#pragma once

#include <mo/plugin.h>

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

// Those of this process.
const HostTables& host_tables();
const mo_host& host_table();

}  // namespace mo::core
