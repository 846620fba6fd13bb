// Loading as the program does it: locks and manifests are looked at, strangers are met in a process of their
// own first, and what is to be isolated runs there.
#pragma once

#include "apps/isolate/isolate.hpp"
#include "apps/known_plugins/first_contact.hpp"
#include "apps/plugin_search/load_plugins.hpp"

namespace mo::app {

struct CarefulRequest : LoadRequest {
  // How plugins that are not built in are met; without, they are loaded at once.
  std::optional<FirstContact> first_contact;
  // What is named or searched has to be in the lock file of its folder, as it is now: see lock.hpp.
  bool locked = false;
  Isolation isolation;
};

// As load_plugins.
core::LoadReport load_carefully(core::Session&, CarefulRequest);

}  // namespace mo::app
