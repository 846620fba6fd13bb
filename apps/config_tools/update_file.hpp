// Update mode: writes what a scope reads and gives into the file that names it.
#pragma once

#include "apps/config_tools/config_file.hpp"
#include "core/graph/graph.hpp"

namespace mo::app {

// The text of a configuration with "inputs" and "outputs" added to the scopes that lack them, found at their
// first instance; everything else stays as it is. What cannot be done is told through `notes`.
std::string updated_configuration(const std::string& path, std::string_view text, core::Graph&,
                                  std::vector<std::string>& notes);

// The same in place; the file is replaced as a whole, or not at all.
void update_configuration(const std::string& path, core::Graph&, std::vector<std::string>& notes);

}  // namespace mo::app
