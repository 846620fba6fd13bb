// First contact with a plugin: a process of its own loads it and says what came of it. Whatever happens
// there, this process goes on.
//
// The process is a copy of this one (fork without exec): it has what the host has loaded, needs no program to
// be found, and costs a millisecond. A copy has only the thread that asked for it, so this is for the time
// before there are others; the host loads plugins before it starts any.
#pragma once

#include "core/host/found_plugin.hpp"
#include "core/registry/session.hpp"

#include <chrono>

namespace mo::app {

struct ProbeRules {
  std::chrono::milliseconds limit{10'000};
  std::vector<std::string> host_options;  // which no plugin may register
  bool ignore_manifest = false;           // the one beside the plugin may be wrong: it is to be made anew
};

struct Probed {
  std::optional<core::Failure> refused;  // nothing: it loads
  std::string manifest;                  // then, as JSON: what it registers
  std::string digest;                    // then: loaded_digest of the library
  bool only_operations = false;          // then
  std::vector<std::string> libraries;    // files that came with it, also when it failed later
};

// Loads the plugin for the tables that `session` offers. Failures are MOX-130 to MOX-133, or those of
// loading.
Probed probe_plugin(const core::Session& session, const core::FoundPlugin&, const ProbeRules&);

}  // namespace mo::app
