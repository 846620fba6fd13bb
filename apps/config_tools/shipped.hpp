// Configurations that come with the program, lib/mo-host/configurations/FRAMEWORK/NAME.json, and such below the folders
// of MO_CONFIGURATIONS_PATH.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mo::app {

struct ShippedConfiguration {
  std::string name;  // "FRAMEWORK/NAME.json"
  std::string path;
};

// In the order of their names; of one framework, or of all.
std::vector<ShippedConfiguration> shipped_configurations(std::string_view framework = {});

// The file that is meant by `path` when it is not there itself: the one of that name, with or without
// ".json", its last folder the framework where several have the name. "": none.
std::string shipped_configuration(const std::string& path);

}  // namespace mo::app
