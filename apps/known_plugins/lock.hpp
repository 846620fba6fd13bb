// mo-host.lock: the plugins of a folder with their digests. With --locked nothing else of that folder is
// loaded.
#pragma once

#include "core/host/found_plugin.hpp"

namespace mo::app {

// One that a plugin brings along.
struct LockedLibrary {
  std::string file;    // below the folder, or where it is when it lies elsewhere
  std::string digest;  // SHA-256 of all its bytes
};

struct LockedPlugin {
  std::string file;                      // below the folder
  std::string digest;                    // SHA-256 of all its bytes
  std::string id, version;               // as manifest or note tell them; "" when neither does
  std::vector<LockedLibrary> libraries;  // sorted
};

struct Lock {
  std::string path;
  std::vector<LockedPlugin> plugins;  // in the order of their files
};

std::string lock_path(const std::string& folder);
// Of the plugins that were found below `folder`; none of them is run. Throws Failure when one cannot be read.
Lock make_lock(const std::string& folder, const std::vector<core::FoundPlugin>&);
std::string to_json(const Lock&);
// Failure (Exit::plugin, MOX-123) when the folder has none, or one that cannot be read.
Lock read_lock(const std::string& folder);
// Failure (Exit::plugin, MOX-123) when somebody else can write what is in the lock file.
void check_lock_is_own(const Lock&);
// Opens the plugin's file, whose digest is compared, for loading; the libraries that it brings along are
// compared, too. Failure (Exit::plugin, MOX-121 or MOX-122) that names file, both digests and what to do.
void check_locked(const Lock&, const std::string& folder, core::FoundPlugin&);

}  // namespace mo::app
