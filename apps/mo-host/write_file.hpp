#pragma once

#include <string>
#include <string_view>

namespace mo::app {

// With the folders around it. Failure (Exit::output).
void make_folder(const std::string& folder);
// The file is there as a whole or not at all. Failure (Exit::output).
void write_file(const std::string& path, std::string_view text);

}  // namespace mo::app
