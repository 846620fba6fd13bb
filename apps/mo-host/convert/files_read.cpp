#include "apps/mo-host/convert/files_read.hpp"

#include <link.h>

#include <filesystem>

#include "core/support/paths.hpp"

namespace mo::app {

namespace {

// What the package manager of the system looks after, and what tells no file.
bool is_of_system(const std::filesystem::path& path) {
  if (!path.is_absolute()) return true;
  for (const char* folder : {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/", "/lib32/", "/usr/lib32/"})
    if (path.string().starts_with(folder)) return true;
  return false;
}

}  // namespace

std::set<std::string> files_read(const Program& program) {
  std::set<std::string> paths = program.session().read_files();
  paths.merge(loaded_libraries());
  return paths;
}

std::set<std::string> loaded_libraries() {
  std::set<std::string> paths;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* to) {
        const std::filesystem::path path(info->dlpi_name == nullptr ? "" : info->dlpi_name);
        if (!is_of_system(path))
          static_cast<std::set<std::string>*>(to)->insert(core::resolve_path(path.string()));
        return 0;
      },
      &paths);
  return paths;
}

}  // namespace mo::app
