// The process of an isolated plugin: opens it, runs its callbacks, and sends what they ask of the host to the
// host.
#pragma once

#include "apps/isolate/channel.hpp"
#include "core/host/found_plugin.hpp"

#include <mo/plugin.h>

namespace mo::app::isolate {

// `host`: what the plugin is to be offered. Ends the process.
[[noreturn]] void run_child(core::Descriptor socket, const core::FoundPlugin&, const mo_host& host);

}  // namespace mo::app::isolate
