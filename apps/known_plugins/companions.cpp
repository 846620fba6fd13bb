#include "apps/known_plugins/companions.hpp"

#include <filesystem>
#include <set>

#include "apps/known_plugins/elf_file.hpp"
#include "core/support/failure.hpp"
#include "core/support/split.hpp"

namespace mo::app {

namespace {

namespace fs = std::filesystem;

// The folders of a run path that belong to the file itself.
std::vector<fs::path> own_folders(const ElfFile& elf, const fs::path& folder) {
  std::vector<fs::path> list;
  for (const std::string& entry : core::split(elf.runpath.empty() ? elf.rpath : elf.runpath, ':'))
    for (const std::string_view origin : {"$ORIGIN", "${ORIGIN}"})
      if (entry.starts_with(origin)) list.push_back(folder / ("." + entry.substr(origin.size())));
  return list;
}

void add_companions(const std::string& file, std::set<std::string>& found) {
  ElfFile elf;
  try {
    elf = read_elf(file);
  } catch (const core::Failure&) {  // whoever loads it will say so
    return;
  }
  for (const fs::path& folder : own_folders(elf, fs::path(file).parent_path()))
    for (const std::string& needed : elf.needed) {
      std::error_code error;
      const fs::path path = fs::canonical(folder / needed, error);
      if (!error && fs::is_regular_file(path, error) && found.insert(path.string()).second)
        add_companions(path.string(), found);
    }
}

}  // namespace

std::vector<std::string> companion_libraries(const std::string& plugin) {
  std::set<std::string> found;
  add_companions(plugin, found);
  return {found.begin(), found.end()};
}

}  // namespace mo::app
