// A session with the host's own plugins and the plugin that is looked at.
#pragma once

#include <memory>

#include "core/host/host_tables.hpp"
#include "core/host/loader.hpp"

namespace mo::app::checks {

struct Surroundings {
  std::string file;                 // the plugin
  std::string folder;               // of the files that it loads itself; "": it is looked at alone
  std::string built_in;             // the host's own folder; "": the plugin is alone
  std::vector<std::string> others;  // plugins that are loaded before it, or folders of them
  std::vector<std::string> prefer;  // ids, where several plugins claim one thing
  bool allow_writable_folders = false;
  std::vector<std::string> reserved_options;
  std::vector<std::pair<std::string, core::Attribute>> options;
};

class World {
 public:
  // Everything but the plugin itself.
  explicit World(const Surroundings&);
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // Once. Failure when the host refuses it.
  void load();
  core::Session& session() { return *session_; }
  const core::Session& session() const { return *session_; }
  const core::Plugin& plugin() const { return *plugin_; }

 private:
  const Surroundings& surroundings_;
  std::unique_ptr<core::Session> session_ = std::make_unique<core::Session>(core::host_table());
  const core::Plugin* plugin_ = nullptr;
};

// Everything that the plugin registered, as text: two that are equal registered the same.
std::string registrations(const core::Session&, const core::Plugin&);

}  // namespace mo::app::checks
