#include "apps/mo-host/runtimes/find_library.hpp"

#include <glob.h>

#include <filesystem>

#include "core/support/failure.hpp"
#include "core/support/paths.hpp"

namespace mo::app {

namespace {

namespace fs = std::filesystem;
using core::Exit;
using core::Failure;

constexpr const char* c_library = "libopenvino_c.so";

// Of an archive and of a system, of a package of Python, and of an environment that has it.
constexpr const char* library_places[] = {
    "",       "runtime/lib/*/", "lib/",           "lib/*/",
    "lib64/", "libs/",          "openvino/libs/", "lib/python3*/site-packages/openvino/libs/"};

std::string quoted_for_glob(const std::string& path) {
  std::string out;
  for (const char c : path) {
    if (c == '*' || c == '?' || c == '[' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

// The shortest of those that fit, which a link to the newest has.
std::string first_that_fits(const std::string& pattern) {
  glob_t found{};
  std::string best;
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0)
    for (size_t i = 0; i < found.gl_pathc; ++i) {
      const std::string path = found.gl_pathv[i];
      if (best.empty() || path.size() < best.size()) best = path;
    }
  globfree(&found);
  return best;
}

bool is_called_like_a_library(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.ends_with(".so") || name.find(".so.") != std::string::npos;
}

Failure no_library(const std::string& what) {
  return Failure(Exit::usage, "MO0104", what)
      .with("hint",
            "OpenVINO's archives and Debian packages (from 2022.3 on) and its wheels (from 2024.3 on) have "
            "it; where there "
            "is none, give a Python that can import OpenVINO");
}

}  // namespace

std::optional<std::string> find_runtime_library(const std::string& named) {
  const std::string path = core::resolve_path(named);
  std::error_code error;
  if (fs::is_directory(path, error)) {
    for (const char* place : library_places)
      if (std::string at = first_that_fits(quoted_for_glob(path) + "/" + place + c_library + "*");
          !at.empty())
        return at;
    throw no_library("--runtime: there is no " + std::string(c_library) + " in the folder '" + path + "'");
  }
  if (!is_called_like_a_library(named)) return std::nullopt;
  if (fs::exists(path, error)) return path;
  if (named.find('/') == std::string::npos) return named;
  throw no_library("--runtime: there is no file '" + path + "'");
}

}  // namespace mo::app
