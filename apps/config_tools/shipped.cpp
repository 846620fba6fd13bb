#include "apps/config_tools/shipped.hpp"

#include <algorithm>
#include <filesystem>

#include "apps/processes/program_path.hpp"
#include "core/support/failure.hpp"

namespace mo::app {

namespace {

namespace fs = std::filesystem;

fs::path shipped_folder() {
  const fs::path program = program_path();
  if (program.empty()) return {};
  return (program.parent_path() / MO_PLUGIN_RELATIVE_DIR).lexically_normal().parent_path() / "configurations";
}

}  // namespace

std::vector<ShippedConfiguration> shipped_configurations(std::string_view framework) {
  std::vector<ShippedConfiguration> list;
  std::error_code error;
  for (const fs::directory_entry& of : fs::directory_iterator(shipped_folder(), error)) {
    const std::string name = of.path().filename().string();
    if (!framework.empty() && name != framework) continue;
    for (const fs::directory_entry& file : fs::directory_iterator(of.path(), error))
      if (file.path().extension() == ".json")
        list.push_back({name + "/" + file.path().filename().string(), file.path().string()});
  }
  std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
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
