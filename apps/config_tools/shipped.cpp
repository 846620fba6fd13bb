#include "apps/config_tools/shipped.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "apps/processes/program_path.hpp"
#include "core/support/failure.hpp"
#include "core/support/paths.hpp"
#include "core/support/split.hpp"

namespace mo::app {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> shipped_folders() {
  std::vector<fs::path> folders;
  if (const fs::path program = program_path(); !program.empty())
    folders.push_back((program.parent_path() / MO_PLUGIN_RELATIVE_DIR).lexically_normal().parent_path() /
                      "configurations");
  const char* listed = core::is_privileged_run() ? nullptr : std::getenv("MO_CONFIGURATIONS_PATH");
  if (listed != nullptr)
    for (const std::string& folder : core::split(listed, ':')) folders.emplace_back(folder);
  return folders;
}

void add_of(const fs::path& folder, std::string_view framework, std::vector<ShippedConfiguration>& list) {
  std::error_code error;
  for (const fs::directory_entry& of : fs::directory_iterator(folder, error)) {
    const std::string name = of.path().filename().string();
    if (!framework.empty() && name != framework) continue;
    for (const fs::directory_entry& file : fs::directory_iterator(of.path(), error))
      if (file.path().extension() == ".json")
        list.push_back({name + "/" + file.path().filename().string(), file.path().string()});
  }
}

}  // namespace

std::vector<ShippedConfiguration> shipped_configurations(std::string_view framework) {
  std::vector<ShippedConfiguration> list;
  for (const fs::path& folder : shipped_folders()) add_of(folder, framework, list);
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return list;
}

std::string shipped_configuration(const std::string& path) {
  const fs::path wanted(path);
  std::string file = wanted.filename().string();
  if (!file.ends_with(".json")) file += ".json";
  const std::string parent = wanted.parent_path().filename().string();
  std::vector<ShippedConfiguration> found;
  for (ShippedConfiguration& c : shipped_configurations()) {
    if (c.name == parent + "/" + file) return c.path;
    if (c.name.ends_with("/" + file)) found.push_back(std::move(c));
  }
  if (found.size() == 1) return found.front().path;
  if (found.empty()) return {};
  std::string names;
  for (const ShippedConfiguration& c : found) names += (names.empty() ? "" : ", ") + c.name;
  throw core::Failure(core::Exit::usage, "MO0611", "several configurations are named '" + file + "'")
      .with("hint", "one of " + names);
}

}  // namespace mo::app
