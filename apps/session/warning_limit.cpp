#include "apps/session/warning_limit.hpp"

#include <mo/plugin.h>

#include <algorithm>

namespace mo::app {

bool WarningLimit::takes(const core::LogLine& line) {
  if (line.level != MO_LOG_WARNING) return true;
  const auto own = [&](const auto& entry) { return entry.first == line.plugin; };
  auto found = std::find_if(counts_.begin(), counts_.end(), own);
  if (found == counts_.end()) found = counts_.insert(counts_.end(), {line.plugin, 0});
  return ++found->second <= most;
}

std::vector<std::pair<const core::Plugin*, std::string>> WarningLimit::left_out() const {
  std::vector<std::pair<const core::Plugin*, std::string>> list;
  for (const auto& [plugin, count] : counts_)
    if (count > most)
      list.emplace_back(plugin, "warnings that are not shown: " + std::to_string(count - most) +
                                    "; --log_level INFO shows all");
  return list;
}

}  // namespace mo::app
