#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/isolate/isolate.hpp"

namespace mo::app {

// What has to be known before the plugins are loaded, and with them the rest of the options.
struct EarlyOptions {
  std::optional<std::vector<std::string>> extensions;  // resolved
  std::string log_level = "WARNING";
  bool silent = false;
  bool allow_writable_folders = false;
  bool locked = false;
  Isolation isolation;
  std::string simulate_abi;
  std::optional<std::vector<std::string>> prefer;  // ids of plugins
  double probe_timeout = 10;                       // seconds
};
EarlyOptions scan_early(const std::vector<std::string>& words);

}  // namespace mo::app
