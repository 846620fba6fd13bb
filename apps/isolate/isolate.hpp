// Plugins whose callbacks run in a process of their own: what goes wrong there cannot harm the host.
#pragma once

#include "core/host/found_plugin.hpp"
#include "core/host/library.hpp"
#include "core/registry/session.hpp"

#include <memory>
#include <string>
#include <vector>

namespace mo::app {

struct Isolation {
  std::vector<std::string> ids;  // of plugins; "all": those that are not built in
  double seconds = 60;           // how long one callback may take
};

namespace isolate {
class Isolated;
}

// A plugin that is opened in a new process; nullptr when this one is not to be isolated. `id` is what is
// known of the plugin's: with "" it has to be opened to be asked. The process is a copy of this one, with all
// plugins that are open here: so it is started before them. A thread must not run meanwhile. Throws Failure
// (Exit::plugin) when the plugin does not even open there.
std::shared_ptr<isolate::Isolated> start_isolated(const core::Session&, const core::FoundPlugin&,
                                                  const Isolation&, bool built_in, const std::string& id);

// Its entry, to be given to load_plugin at once.
core::PluginEntry entry_of(std::shared_ptr<isolate::Isolated>);

// Failure (Exit::usage) when an id is that of no plugin which is loaded.
void check_isolation(const core::Session&, const Isolation&);

}  // namespace mo::app
