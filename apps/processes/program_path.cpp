#include "apps/processes/program_path.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/auxv.h>

#include <filesystem>

#include "core/support/paths.hpp"

namespace mo::app {

namespace {

// Where this code is part of a library; the system has no name for that of the program.
std::string own_library() {
  static const char here = 0;
  Dl_info info{};
  void* map = nullptr;
  if (dladdr1(&here, &info, &map, RTLD_DL_LINKMAP) == 0 || map == nullptr) return {};
  return static_cast<const link_map*>(map)->l_name;
}

// Folders of libraries lie at different depths below the prefix.
std::string program_beside(const std::filesystem::path& library) {
  std::error_code error;
  for (auto at = std::filesystem::canonical(library, error); at.has_relative_path();) {
    at = at.parent_path();
    if (std::filesystem::is_directory((at / "bin" / MO_PLUGIN_RELATIVE_DIR).lexically_normal(), error))
      return (at / "bin/mo-host").string();
  }
  return {};
}

}  // namespace

std::string program_path() {
  if (const std::string library = own_library(); !library.empty()) return program_beside(library);
  std::error_code error;
  const std::filesystem::path linked = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) return linked.string();
  // Without /proc: what was started, which whoever starts a privileged run could choose.
  const auto* started = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  if (started == nullptr || core::is_privileged_run()) return {};
  const std::filesystem::path path = std::filesystem::canonical(started, error);
  return error ? std::string() : path.string();
}

}  // namespace mo::app
