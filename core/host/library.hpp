// Shared libraries of plugins: opened once per process, never unmapped before it ends.
#pragma once

#include <mo/plugin.h>

#include <string>

namespace mo::core {

struct FoundPlugin;
struct Plugin;

using PluginEntry = const mo_plugin* (*)();

// Opens the file with local scope, all symbols bound at once, and finds the entry by name. Throws Failure
// (Exit::plugin) that names what is missing. [any thread]
PluginEntry open_plugin(const FoundPlugin&);

// The file is open in this process already.
bool is_open(const FoundPlugin&);

// Has `shutdown` called when the process ends, after those of plugins that came later; once, however often it
// is given. [any thread]
void shut_down_at_exit(void (*shutdown)(), const Plugin&);

// Calls the shutdown callbacks now, last loaded first. A program does this at the end of main, while
// everything that plugins have is alive; otherwise it happens at exit.
void shut_down_plugins() noexcept;

}  // namespace mo::core
