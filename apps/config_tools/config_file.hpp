// Transformations configuration files: JSON arrays of entries.
#pragma once

#include "apps/config_tools/located_json.hpp"
#include "core/config/config_entry.hpp"

namespace mo::app {

// All entries of all files, in order. Failure (Exit::usage) with every problem at once: file, line, key, what
// was expected.
core::Configuration read_configuration(const std::vector<std::string>& paths);
// The file that a user means: one that comes with the host when there is none of that path.
std::string configuration_file(const std::string& given);
core::Configuration parse_configuration(const std::string& path, std::string_view text);
core::Configuration read_entries(const std::string& path, const LocatedJson& root);

// The text of a whole file. Failure names it.
std::string read_text_file(const std::string& path);

}  // namespace mo::app
