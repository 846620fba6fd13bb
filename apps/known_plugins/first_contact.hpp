// What is known of a plugin before this process opens it: from the cache, or from a probe.
#pragma once

#include "apps/known_plugins/plugin_cache.hpp"
#include "apps/known_plugins/probe.hpp"

namespace mo::app {

struct FirstContact {
  ProbeRules probe;
  std::string cache_folder;  // "": nothing is kept
};

// Meets the plugin once per file and host. Throws Failure when it is refused: MOX-130 to MOX-133 or a rule of
// loading; one that was set aside earlier is not run again, and the Failure says since when.
KnownPlugin first_contact(const core::Session&, const core::FoundPlugin&, const FirstContact&);

// What the last meeting gave, if it is still what this host would see. Nothing is run.
std::optional<KnownPlugin> met_before(const core::Session&, const core::FoundPlugin&,
                                      const std::string& cache_folder);

}  // namespace mo::app
