// A dry run of the configuration: what each entry would be applied to, and why not.
#pragma once

#include "core/config/match_config.hpp"

namespace mo::app {

struct ConfigReport {
  std::string text;
  size_t instances = 0, matched = 0;
};

// Nothing is changed. Failures of single instances are part of the text.
ConfigReport explain_configuration(const core::Session&, core::Graph&);

}  // namespace mo::app
