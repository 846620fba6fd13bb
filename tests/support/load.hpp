// Plugins for a session of a test.
#pragma once

#include <string>
#include <vector>

#include "apps/plugin_search/load_plugins.hpp"
#include "built.hpp"

namespace mo::test {

// All of ours, as the program loads them: what front-ends have is registered when it is asked for, as all of it takes
// longer than most conversions.
inline void load_built_in(core::Session& session) {
  session.opens_contents_late = true;
  app::LoadRequest request;
  request.built_in = plugin_folder;
  app::load_plugins(session, request);
}

// For whoever looks at all that is registered.
inline void load_and_open_built_in(core::Session& session) {
  load_built_in(session);
  session.registry().open_contents();
}

// These and no others.
inline void load_only(core::Session& session, std::vector<std::string> files) {
  app::LoadRequest request;
  request.named = std::move(files);
  request.allow_writable_folders = true;
  app::load_plugins(session, request);
}

}  // namespace mo::test
