#pragma once

#include <optional>
#include <string>

namespace mo::app {

// The library of the runtime's C interface that is meant: that file, one that the system finds by this name, or the one in
// this folder of an installation, of a package or an environment of Python. Nothing when it is neither a folder nor
// called like a library. Failure when there is none.
std::optional<std::string> find_runtime_library(const std::string& named);

}  // namespace mo::app
