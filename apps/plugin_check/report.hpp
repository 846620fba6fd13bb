// What was found, for people, for scripts and for servers that build.
#pragma once

#include "apps/plugin_check/check_plugin.hpp"

namespace mo::app::checks {

// What each report has to say how it came about.
struct ReportHead {
  Level level = Level::strict;
  uint64_t seed = 1;
};

std::string text_report(const std::vector<PluginReport>&, const ReportHead&);
std::string json_report(const std::vector<PluginReport>&, const ReportHead&);
std::string junit_report(const std::vector<PluginReport>&, const ReportHead&);
// The last line of each check.
std::string summary(const std::vector<PluginReport>&, const ReportHead&);

}  // namespace mo::app::checks
