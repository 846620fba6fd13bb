#include "core/convert/check_output.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mo/text.hpp>

#include "core/support/failure.hpp"

namespace mo::core {

void check_output_folder(const std::string& path) {
  namespace fs = std::filesystem;
  fs::path there = path.empty() ? "." : path;
  std::error_code error;
  while (!fs::exists(there, error) && there.has_relative_path()) there = there.parent_path();
  const auto fail = [&](std::string_view reason) {
    const bool made = there != fs::path(path);
    return Failure(Exit::output, "MO0711",
                   text(made ? "cannot make the folder '" : "cannot write to the folder '", path, "': '",
                        there.string(), "' ", reason))
        .with("hint", "--output_dir names the folder to write to");
  };
  if (!fs::is_directory(there, error)) throw fail("is not a folder");
  if (access(there.c_str(), W_OK | X_OK) != 0)
    throw fail(text("cannot be written to (", std::strerror(errno), ")"));
}

}  // namespace mo::core
