// The inner side of a probe: what the process that meets a plugin does. Only probe.cpp needs this.
#pragma once

#include "apps/known_plugins/probe.hpp"

namespace mo::app {

// Loads the plugin and writes two texts to `answer`, each ended by a zero byte: what came with it, what
// became of it.
[[noreturn]] void run_probe(const core::Session& outer, const core::FoundPlugin&, const ProbeRules&,
                            int answer);

}  // namespace mo::app
