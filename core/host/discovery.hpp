// Finding the files to load, without executing any of them.
//
// A folder is searched flat, and in the folders that the Model Optimizer's documents name: ops, front,
// front/<framework>, middle, back, load/<framework>. Files whose name ends in .so are looked into; one is a
// plugin when it exports mo_plugin_entry. Symbolic links are followed: permissions are those of what they
// lead to, and a file that is found twice, by whatever names, is loaded once.
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
  uint64_t device = 0, inode = 0;
  // With --locked: the file whose digest was compared. Whatever comes to have its name later is not loaded.
  std::shared_ptr<const Descriptor> locked = nullptr;
  // What the system is asked to load.
  std::string library() const;
};

struct Discovery {
  std::vector<FoundPlugin> plugins;  // sorted by path
  std::vector<std::pair<std::string, Failure>>
      refused;  // path and why: looked like a plugin, or cannot be read
  std::vector<std::pair<std::string, std::string>> skipped;  // path and why: is none
};

struct DiscoveryRules {
  bool any_owner = false;               // of files and folders, see why_not_trusted
  bool allow_writable_folders = false;  // trust is not asked at all
};

// `path` is a folder or a file.
Discovery discover(const std::string& path, const DiscoveryRules&);

}  // namespace mo::core
