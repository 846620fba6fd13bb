// What a plugin registers while one of its callbacks runs, taken as a whole or not at all.
#pragma once

#include "core/registry/session.hpp"

namespace mo::core {

// Calls what registers. A registration that failed is a Failure even if the callback made light of it.
void run_registration(Session&, Plugin&, std::string_view callback,
                      const std::function<mo_status(mo_context*)>& call);
// A failure of this plugin as its user is told: file, plugin, what to do.
Failure told_of(Failure, const Plugin&);

}  // namespace mo::core
