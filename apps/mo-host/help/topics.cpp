#include "apps/mo-host/help/topics.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "apps/mo-host/program/shared_folder.hpp"
#include "core/support/contains.hpp"

namespace mo::app {

namespace fs = std::filesystem;

namespace {

// Rules and tables that pages refer to lie beside the manual; what the build has made is in a folder of its own.
std::vector<fs::path> page_folders() {
  const fs::path docs = shared_folder("docs");
  return {docs, docs / "manual", shared_folder("pages")};
}

}  // namespace

std::vector<std::string> help_topics() {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::path& folder : page_folders())
    for (const auto& e : fs::directory_iterator(folder, error))
      if (e.path().extension() == ".md") names.push_back(e.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string help_page(const std::string& topic) {
  std::string name = topic;
  std::replace(name.begin(), name.end(), '-', '_');
  const auto known = help_topics();
  if (!core::contains(known, name)) return {};
  for (const fs::path& folder : page_folders()) {
    std::ifstream in(folder / (name + ".md"), std::ios::binary);
    if (in) return {std::istreambuf_iterator<char>(in), {}};
  }
  return {};
}

}  // namespace mo::app
