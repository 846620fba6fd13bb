// A broken file may give as many warnings as it has bytes for: of the host, and of each plugin, the first
// ones are shown and the others counted.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/registry/session.hpp"

namespace mo::app {

class WarningLimit {
 public:
  static constexpr size_t most = 50;
  // False: it is one too many. Messages of other levels are always taken.
  bool takes(const core::LogLine&);
  // Whose warnings were too many (nullptr: the host's), and a line that says how many.
  std::vector<std::pair<const core::Plugin*, std::string>> left_out() const;

 private:
  std::vector<std::pair<const core::Plugin*, size_t>> counts_;  // in the order of their first warnings
};

}  // namespace mo::app
