// Loading plugins that were found. Libraries stay mapped until the process ends.
#pragma once

#include "core/host/found_plugin.hpp"
#include "core/host/library.hpp"
#include "core/registry/registration.hpp"

namespace mo::core {

// What a program asks of plugins besides what the ABI asks: this one asks nothing.
class Gate {
 public:
  Gate() = default;
  virtual ~Gate() = default;
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  // Nothing is open yet. What it throws ends the loading.
  virtual void before_all(Session&, std::vector<PluginPlace>&) {}
  // A plugin that takes part without being opened now; nullptr: it is opened.
  virtual const Plugin* known(Session&, const FoundPlugin&, bool /*built_in*/) { return nullptr; }
  // A Failure refuses the plugin, as one of the next does.
  virtual PluginEntry open(Session&, const FoundPlugin&, bool built_in);
  virtual void registered(const Session&, const Plugin&) {}
};

struct SkippedFile {
  std::string path, reason;
  bool refused = false;  // a plugin that could not be used, as opposed to a file that is none
};

struct LoadReport {
  std::vector<const Plugin*> loaded;
  std::vector<SkippedFile> skipped;
};

// Loads what was found, in the order of the places, each file once (device and inode). Files below
// front/<framework>/ are loaded for that framework only: Plugin::framework. A failure at a place that was
// named, or is built in, throws Failure (Exit::plugin) with all that is wrong;
// one at a place that is searched because it is configured is a warning.
//
// `prefer`: ids of plugins whose registrations are used where several claim one thing, the most preferred
// first.
LoadReport load_places(Session&, std::vector<PluginPlace>, const std::vector<std::string>& prefer, Gate&);

// Loads one plugin that is linked in or whose entry is already known: tests and the loader itself.
const Plugin& load_plugin(Session&, PluginEntry entry, const std::string& path, bool built_in,
                          const std::string& framework, Gate* gate = nullptr);
// Has a plugin that is in the session already register what it has. Nothing of it is left when that fails.
void register_plugin(Session&, Plugin&, PluginEntry entry, Gate* gate);

}  // namespace mo::core
