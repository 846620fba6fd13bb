// The one rule for paths from users: '~' is their home, relative ones start at the working directory, and
// messages show the result.
#pragma once

#include <string>
#include <string_view>

namespace mo::core {

// Absolute, without "." and ".."; links are not followed. An empty path stays empty.
std::string resolve_path(std::string_view path);

// Environment variables that name paths must not be trusted: set-user-id and the like.
bool is_privileged_run();

}  // namespace mo::core
