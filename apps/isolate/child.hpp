// The process of an isolated plugin: opens it, runs its callbacks, and sends what they ask of the host to the
// host.
#pragma once

#include "apps/isolate/channel.hpp"
#include "core/host/found_plugin.hpp"

#include <mo/plugin.h>

namespace mo::core::isolate {

// `host`: what the plugin is to be offered. Ends the process.
[[noreturn]] void run_child(Descriptor socket, const FoundPlugin&, const mo_host& host);

}  // namespace mo::core::isolate
