// Plugins that have nothing but operations are opened when one of these is needed.
#pragma once

#include "core/host/found_plugin.hpp"
#include "core/registry/session.hpp"

namespace mo::app {

// Makes the plugin known to the session by what it registered when it was met, without opening it. nullptr
// when that will not do: somebody else has its id or one of its operations, and the two have to meet.
const core::Plugin* defer(core::Session&, const core::FoundPlugin&, const std::string& manifest);

}  // namespace mo::app
