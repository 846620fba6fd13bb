// Plugins whose callbacks run in a process of their own: what goes wrong there cannot harm the host.
#pragma once

#include "core/host/discovery.hpp"
#include "core/host/library.hpp"

#include <string>
#include <vector>

namespace mo::core {

class Session;

struct Isolation {
  std::vector<std::string> ids;  // of plugins; "all": those that are not built in
  double seconds = 60;           // how long one callback may take
};

// The entry of a plugin that is opened in a new process, to be given to load_plugin at once; nullptr when
// this one is not to be isolated. `id` is what is known of the plugin's: with "" it has to be opened to be
// asked. A thread must not run while this is called: the process is forked. Throws Failure (Exit::plugin)
// when the plugin does not even open there.
PluginEntry isolated_entry(const Session&, const FoundPlugin&, const Isolation&, bool built_in,
                           const std::string& id);

// Failure (Exit::usage) when an id is that of no plugin which is loaded.
void check_isolation(const Session&, const Isolation&);

}  // namespace mo::core
