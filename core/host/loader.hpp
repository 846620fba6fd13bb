// Finding and loading plugins. Libraries stay mapped until the process ends.
#pragma once

#include "core/host/discovery.hpp"
#include "core/host/library.hpp"
#include "core/registry/session.hpp"

namespace mo::core {

// What one folder or file of a request holds.
struct PluginPlace {
  enum class Origin : uint8_t { built_in, named, searched } origin;
  std::string asked;  // as in the request
  std::string path;   // resolved
  Discovery found;
};

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

struct LoadRequest {
  // Folders or single files named by the user: a failure there is an error (rule 10 of the plugin ABI).
  std::vector<std::string> named;
  // Folders searched because they are configured (environment, user data, installed): a failure there is a
  // warning.
  std::vector<std::string> searched;
  // Folder of the plugins that belong to the host; trusted as the host itself is.
  std::string built_in;
  bool allow_writable_folders = false;
  // What is named has to belong to the user or to root, too, as what is searched has.
  bool only_own = false;
  // Ids of plugins whose registrations are used where several claim one thing, the most preferred first.
  std::vector<std::string> prefer;
};

// Loads everything of the request into the session: what is built in, what is named, what is searched, each
// in an order that does not depend on the file system, each file once (device and inode). Files below
// front/<framework>/ are loaded for that framework only: Plugin::framework. Throws Failure (Exit::plugin)
// with all that is wrong.
LoadReport load_plugins(Session&, const LoadRequest&, Gate&);
LoadReport load_plugins(Session&, const LoadRequest&);

// Loads one plugin that is linked in or whose entry is already known: tests and the loader itself.
const Plugin& load_plugin(Session&, PluginEntry entry, const std::string& path, bool built_in,
                          const std::string& framework, Gate* gate = nullptr);
// Has a plugin that is in the session already register what it has. Nothing of it is left when that fails.
void register_plugin(Session&, Plugin&, PluginEntry entry, Gate* gate);
// A failure of this plugin as its user is told: file, plugin, what to do.
Failure told_of(Failure, const Plugin&);

}  // namespace mo::core
