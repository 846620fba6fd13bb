// Files that users and models name. What is no regular file may make its reader wait for ever, or never end.
#pragma once

#include "core/support/descriptor.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace mo::app {

// Opened for reading, or why it is not: "No such file or directory", "it is not a regular file".
struct RegularFile {
  explicit RegularFile(const std::string& path);
  core::Descriptor descriptor;
  std::string problem;
};

// Gives `take` what is read from there on, piece by piece, to its end or until it returns false. False, and errno says why:
// it cannot be read.
bool each_piece(int descriptor, const std::function<bool(std::string_view)>& take);

// The whole of a file with no more than `most` bytes. `problem`, when given, says why there is none.
std::optional<std::string> read_regular_file(const std::string& path, std::string* problem = nullptr,
                                             size_t most = std::string::npos);

}  // namespace mo::app
