// What first contact with plugins gave, kept for the next start. An entry belongs to the bytes of a file and
// to a host; a plugin that is met again is recognised by where it lies, its size and its times, so that
// nothing is read of it.
#pragma once

#include "core/host/found_plugin.hpp"
#include "core/support/failure.hpp"

#include <optional>

namespace mo::app {

struct KnownPlugin {
  std::optional<core::Failure> refused;  // set aside
  std::string since;                     // then: the date
  std::string manifest;                  // else, as JSON
  std::string digest;                    // then: loaded_digest of the library
  bool only_operations = false;
  // What else it depended on: libraries that came with it, the manifest beside it. When one changes, so does
  // everything.
  std::vector<std::string> files;
};

class PluginCache {
 public:
  // `folder` "": nothing is kept. `abi`: what the host offers.
  PluginCache(std::string folder, const std::string& abi);

  std::optional<KnownPlugin> find(const core::FoundPlugin&) const;
  // False when it cannot be written, which is no error.
  bool keep(const core::FoundPlugin&, const KnownPlugin&) const;
  // False when nothing was known.
  bool forget(const core::FoundPlugin&) const;

 private:
  std::string folder_, host_;
};

// $XDG_CACHE_HOME/mo-host/plugins, or the same below ~/.cache; "" in a privileged run.
std::string plugin_cache_folder();

// Version and identity of the program that this code is in.
std::string host_identity();

}  // namespace mo::app
