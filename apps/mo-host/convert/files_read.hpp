// What the result of a conversion depends on, beside the program and its plugins. Absolute paths.
#pragma once

#include "apps/mo-host/program/program.hpp"

#include <set>
#include <string>

namespace mo::app {

// Models, what lies beside them, configurations, and loaded_libraries().
std::set<std::string> files_read(const Program&);
// Shared libraries in this process that do not belong to the system.
std::set<std::string> loaded_libraries();

}  // namespace mo::app
