#include "apps/mo-host/scaffold/project.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/support/failure.hpp"

namespace mo::app {

namespace {

namespace fs = std::filesystem;

// The nearest folder that has `file` below it.
std::string nearest_with(const std::string& folder, const char* file) {
  std::error_code error;
  for (fs::path at = folder;; at = at.parent_path()) {
    if (fs::is_regular_file(at / file, error)) return at.string();
    if (at == at.root_path() || at.empty()) return {};
  }
}

}  // namespace

std::optional<Project> find_project(const std::string& folder) {
  const std::string at = nearest_with(folder, "kit.json");
  if (at.empty()) return std::nullopt;
  const std::string file = (fs::path(at) / "kit.json").string();
  std::ifstream in(file);
  const nlohmann::json json = nlohmann::json::parse(in, nullptr, false);
  Project p{at, {}, {}, {}, {}};
  for (const auto& [key, member] :
       {std::pair("name", &p.name), std::pair("domain", &p.domain), std::pair("language", &p.language),
        std::pair("framework", &p.framework)}) {
    if (!json.is_object() || !json.contains(key) || !json[key].is_string())
      throw core::Failure(core::Exit::usage, "MO0132", std::string("it has no text '") + key + "'")
          .with("file", file)
          .with("hint",
                "`mo-host new plugin` writes such a file; it has name, domain, language and framework");
    *member = json[key].get<std::string>();
  }
  return p;
}

std::string find_source_tree(const std::string& folder) {
  return nearest_with(folder, "plugin_api/include/mo/plugin.h");
}

}  // namespace mo::app
