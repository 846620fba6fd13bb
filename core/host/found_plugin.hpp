// Files of plugins as they were found, before any of them is opened.
#pragma once

#include "core/support/descriptor.hpp"
#include "core/support/failure.hpp"

#include <memory>
#include <vector>

namespace mo::core {

struct FoundPlugin {
  std::string path;       // as found below the path that was asked for
  std::string canonical;  // without links: what is loaded
  std::string framework;  // of front/<framework>; empty: any
  std::string
      folder;  // that has the files of another kind which this plugin loads; empty: it was found itself
  uint64_t device = 0, inode = 0;
  // With --locked: the file whose digest was compared. Whatever comes to have its name later is not loaded.
  std::shared_ptr<const Descriptor> locked = nullptr;
  // What the system is asked to load.
  std::string library() const;
};

// What one path holds.
struct Discovery {
  std::vector<FoundPlugin> plugins;  // sorted by path
  std::vector<std::pair<std::string, Failure>>
      refused;  // path and why: looked like a plugin, or cannot be read
  std::vector<std::pair<std::string, std::string>> skipped;  // path and why: is none
};

// What one folder or file that was asked for holds.
struct PluginPlace {
  enum class Origin : uint8_t { built_in, named, searched } origin;
  std::string asked;  // as in the request
  std::string path;   // resolved
  Discovery found;
};

}  // namespace mo::core
