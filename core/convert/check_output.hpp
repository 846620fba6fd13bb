#pragma once

#include <string>

namespace mo::core {

// A folder that can neither be made nor written to is known before a long conversion, not after it. Failure
// (Exit::output). What the file system says in the end still counts.
void check_output_folder(const std::string& path);

}  // namespace mo::core
