// A plugin that lives in the test binary: what Register registers, through the same SDK and tables as any
// other.
//
//   Session session{core::host_table()};
//   load_test_plugin<register_all>(session);
#pragma once

#include <mo/sdk.hpp>

#include "core/host/host_tables.hpp"
#include "core/host/loader.hpp"

namespace mo::test {

template <auto Register>
const mo_plugin* test_entry() {
  static const mo_plugin plugin = [] {
    mo_plugin p{};
    p.size = sizeof p;
    p.abi_major = MO_ABI_MAJOR;
    p.abi_minor = MO_ABI_MINOR;
    p.abi_lowest_minor = MO_LOWEST_MINOR;
    p.abi_candidate = MO_ABI_CANDIDATE;
    p.id = str("org.mo-host.test");
    p.version = str("1.0.0");
    p.vendor = str("test");
    p.license = str("Apache-2.0");
    p.description = str("operations and transformations of one test");
    p.load = [](mo_context* c) {
      return mo::detail::guard(c, [c] {
        Registry registry{Context(c)};
        Register(registry);
      });
    };
    return p;
  }();
  return &plugin;
}

template <auto Register>
const core::Plugin& load_test_plugin(core::Session& session) {
  return core::load_plugin(session, &test_entry<Register>, "", false, "");
}

}  // namespace mo::test
