// Finding and loading plugins. Libraries stay mapped until the process ends.
#pragma once

#include "core/host/first_contact.hpp"
#include "core/isolate/isolate.hpp"

namespace mo::core {

struct Manifest;

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
  // How plugins that are not built in are met; without, they are loaded at once.
  std::optional<FirstContact> first_contact;
  // What is named or searched has to be in the lock file of its folder, as it is now: see lock.hpp.
  bool locked = false;
  // Ids of plugins whose registrations are used where several claim one thing, the most preferred first.
  std::vector<std::string> prefer;
  Isolation isolation;
};

// Loads everything of the request into the session: what is built in, what is named, what is searched, each
// in an order that does not depend on the file system, each file once (device and inode). Files below
// front/<framework>/ are loaded for that framework only: Plugin::framework. Throws Failure (Exit::plugin)
// with all that is wrong.
LoadReport load_plugins(Session&, const LoadRequest&);

// Loads one plugin that is linked in or whose entry is already known: tests and the loader itself, which asks
// that the manifest beside it, if there is one, says what it registers.
const Plugin& load_plugin(Session&, const mo_plugin* (*entry)(), const std::string& path, bool built_in,
                          const std::string& framework, bool as_its_manifest = false);

// One whose operations were promised when it was met; it is in the session already. Throws Failure when it
// does not register what it has registered then.
void load_promised(Session&, Plugin&, const FoundPlugin&, const Manifest&);

}  // namespace mo::core
