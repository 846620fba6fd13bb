// Finding plugins and loading them.
#pragma once

#include "core/host/loader.hpp"

namespace mo::app {

struct LoadRequest {
  // Folders or single files named by the user: a failure there is an error.
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

// Everything of the request, as load_places: what is built in, what is named, what is searched, each in an
// order that does not depend on the file system.
core::LoadReport load_plugins(core::Session&, const LoadRequest&, core::Gate&);
core::LoadReport load_plugins(core::Session&, const LoadRequest&);

}  // namespace mo::app
