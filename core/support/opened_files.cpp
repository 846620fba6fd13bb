#include "core/support/opened_files.hpp"

#include <link.h>

#include <filesystem>
#include <mutex>
#include <set>

#include "core/support/paths.hpp"

namespace mo::core {

namespace {

struct Opened {
  std::mutex mutex;
  std::set<std::string> paths;
};
Opened& opened() {
  static auto& all = *new Opened;  // files are opened until the very end
  return all;
}

// What the package manager of the system looks after, and what tells no file.
bool is_of_system(const std::filesystem::path& path) {
  if (!path.is_absolute()) return true;
  for (const char* folder : {"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/lib32", "/usr/lib32"})
    if (path.string().starts_with(std::string(folder) + "/")) return true;
  return false;
}

}  // namespace

void note_opened_file(const std::string& path) {
  const std::lock_guard lock(opened().mutex);
  opened().paths.insert(resolve_path(path));
}

void forget_opened_files() {
  const std::lock_guard lock(opened().mutex);
  opened().paths.clear();
}

std::vector<std::string> opened_files() {
  const std::lock_guard lock(opened().mutex);
  return {opened().paths.begin(), opened().paths.end()};
}

std::vector<std::string> loaded_libraries() {
  std::set<std::string> paths;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* to) {
        const std::filesystem::path path(info->dlpi_name == nullptr ? "" : info->dlpi_name);
        if (!is_of_system(path)) static_cast<std::set<std::string>*>(to)->insert(resolve_path(path.string()));
        return 0;
      },
      &paths);
  return {paths.begin(), paths.end()};
}

}  // namespace mo::core
