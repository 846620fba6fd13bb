// Plugins where the program looks for them, found but not loaded.
#pragma once

#include "apps/plugin_search/discovery.hpp"
#include "apps/session/arguments.hpp"

namespace mo::app {

class Program;

// One element per folder or file: those that are named when there are any, else the host's own, those of
// --extensions and those that are searched.
std::vector<core::Discovery> find_plugins(const Program&, const Arguments&,
                                          const std::vector<std::string>& named);

}  // namespace mo::app
