#pragma once

#include <string>
#include <string_view>

namespace mo::app {

// With the folders around it. Failure (Exit::output).
void make_folder(const std::string& folder);
// A regular file, or nothing yet: not a device, a pipe, a socket or a folder.
bool is_replaceable(const std::string& path);
// A file that is replaceable is there as a whole or not at all; anything else is written to. Failure
// (Exit::output).
void write_file(const std::string& path, std::string_view text);

}  // namespace mo::app
