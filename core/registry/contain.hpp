// No exception of a plugin reaches the host's own code.
#pragma once

#include "core/registry/rules.hpp"
#include "core/registry/session.hpp"

namespace mo::core {

// Runs a callback of a plugin. What it throws becomes MO_ERROR and a text that Call::check reports.
template <class F>
mo_status contain(CallContext& c, std::string_view callback, F f) {
  const auto caught = [&](std::string_view what) {
    c.error = text(rule_name(Rule::exception_left), " callback '", callback, "' let a C++ exception out (",
                   what, "); expected a status and a text for mo_host.fail");
    return mo_status{MO_ERROR};
  };
  try {
    return f();
  } catch (const std::exception& e) {
    return caught(reason_of(e));
  } catch (...) {
    return caught("not a std::exception");
  }
}

}  // namespace mo::core
