#include "apps/known_plugins/search_path.hpp"

#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "core/support/paths.hpp"
#include "core/support/split.hpp"

namespace mo::app {

namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

void add_if_there(std::vector<std::string>& list, const fs::path& folder) {
  std::error_code error;
  if (fs::is_directory(folder, error)) list.push_back(folder.lexically_normal().string());
}

}  // namespace

SearchPath default_search_path(const std::string& executable) {
  SearchPath path;
  const fs::path built_in = fs::path(executable).parent_path() / MO_PLUGIN_RELATIVE_DIR;
  path.built_in = built_in.lexically_normal().string();

  const std::string listed = variable("MO_EXTENSIONS_PATH");
  if (core::is_privileged_run()) {
    if (!listed.empty())
      path.note = "MO_EXTENSIONS_PATH and the user's folder are not searched: this is a privileged run";
  } else {
    for (const std::string& folder : core::split(listed, ':'))
      path.searched.push_back(core::resolve_path(folder));
    const std::string data = variable("XDG_DATA_HOME");
    add_if_there(
        path.searched,
        fs::path(data.starts_with('/') ? data : core::resolve_path("~/.local/share")) / "mo-host/extensions");
  }
  add_if_there(path.searched, fs::path(path.built_in).parent_path() / "extensions");
  return path;
}

}  // namespace mo::app
