#pragma once

#include <string>
#include <string_view>

namespace mo::app {

// The file is there as a whole or not at all. Failure (Exit::output).
void write_file(const std::string& path, std::string_view text);

}  // namespace mo::app
