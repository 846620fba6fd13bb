// What mo_plugin_entry returns, looked at before anything of it is used.
#pragma once

#include "core/registry/session.hpp"

namespace mo::core {

// What to do about a plugin of another count of this ABI.
std::string candidate_advice(uint32_t candidate);

// Fills the Plugin from the descriptor, which comes back with members that an older plugin lacks set to zero.
// `host` is what it is offered.
// Throws Failure (Exit::plugin) that shows both values, the field and what to do.
mo_plugin read_descriptor(const mo_plugin*, const mo_host& host, Plugin&);

}  // namespace mo::core
