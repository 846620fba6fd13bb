#include "apps/audit/system_libraries.hpp"

#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/support/failure.hpp"
#include "core/support/split.hpp"

namespace mo::app {

namespace {

namespace fs = std::filesystem;

// Includes of /etc/ld.so.conf may include again.
void read_loader_configuration(const std::string& path, int depth, std::vector<std::string>& folders) {
  std::ifstream file(path);
  for (std::string line; depth < 8 && std::getline(file, line);) {
    line = line.substr(0, line.find('#'));
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.pop_back();
    if (line.starts_with("include ")) {
      glob_t found{};
      if (glob(line.substr(8).c_str(), 0, nullptr, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; ++i)
          read_loader_configuration(found.gl_pathv[i], depth + 1, folders);
      globfree(&found);
    } else if (line.starts_with('/')) {
      folders.push_back(line);
    }
  }
}

const std::vector<std::string>& system_folders() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> folders;
    read_loader_configuration("/etc/ld.so.conf", 0, folders);
    for (const char* folder : {"/lib64", "/usr/lib64", "/lib", "/usr/lib"}) folders.emplace_back(folder);
    return folders;
  }();
  return all;
}

std::vector<std::string> run_path_of(const std::string& path, const ElfFile& file) {
  const std::string origin = fs::path(path).parent_path().string();
  std::vector<std::string> folders = core::split(file.runpath.empty() ? file.rpath : file.runpath, ':');
  for (std::string& folder : folders)
    for (const std::string_view word : {std::string_view("${ORIGIN}"), std::string_view("$ORIGIN")})
      for (size_t w = folder.find(word); w != std::string::npos; w = folder.find(word, w + origin.size()))
        folder.replace(w, word.size(), origin);
  return folders;
}

// The first of this name that is a library for this machine.
std::optional<std::pair<std::string, ElfFile>> find_library(const std::string& name,
                                                            const std::vector<std::string>& run_path) {
  std::vector<std::string> candidates;
  if (name.find('/') != std::string::npos) {
    candidates.push_back(name);
  } else {
    for (const auto* folders : {&run_path, &system_folders()})
      for (const std::string& folder : *folders) candidates.push_back(folder + "/" + name);
  }
  for (const std::string& candidate : candidates) {
    std::error_code error;
    if (!fs::is_regular_file(candidate, error)) continue;
    try {
      return std::pair(candidate, read_elf(candidate));
    } catch (const core::Failure&) {  // the loader passes over it, too
      continue;
    }
  }
  return std::nullopt;
}

std::string with_version(const ElfSymbol& s) { return s.version.empty() ? s.name : s.name + "@" + s.version; }

}  // namespace

Resolution resolve_symbols(const std::string& path, const ElfFile& file) {
  constexpr size_t most_libraries = 1024;
  Resolution out;
  std::set<std::string> defined, seen;
  std::vector<std::pair<std::string, std::vector<std::string>>> wanted;  // and the run path of who wants it
  const auto take = [&](const std::string& from, const ElfFile& library) {
    for (const ElfSymbol& s : library.exports) {
      defined.insert(s.name);
      defined.insert(with_version(s));
    }
    const std::vector<std::string> folders = run_path_of(from, library);
    for (const std::string& name : library.needed)
      if (seen.insert(name).second) wanted.emplace_back(name, folders);
  };
  take(path, file);
  for (size_t i = 0; i < wanted.size() && i < most_libraries; ++i) {
    const auto found = find_library(wanted[i].first, wanted[i].second);
    if (found)
      take(found->first, found->second);
    else
      out.missing.push_back(wanted[i].first);
  }
  for (const ElfSymbol& s : file.imports)
    if (!s.weak && !defined.contains(with_version(s))) out.undefined.push_back(with_version(s));
  return out;
}

}  // namespace mo::app
