#include "core/support/paths.hpp"

#include <dlfcn.h>
#include <link.h>
#include <pwd.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace mo::core {

namespace {

std::string home() {
  if (const char* h = std::getenv("HOME"); h != nullptr && *h != 0 && !is_privileged_run()) return h;
  const passwd* entry = getpwuid(getuid());
  return entry != nullptr && entry->pw_dir != nullptr ? entry->pw_dir : "";
}

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

bool is_privileged_run() {
  return getauxval(AT_SECURE) != 0 || getuid() != geteuid() || getgid() != getegid();
}

std::string program_path() {
  if (const std::string library = own_library(); !library.empty()) return program_beside(library);
  std::error_code error;
  const std::filesystem::path linked = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) return linked.string();
  // Without /proc: what was started, which whoever starts a privileged run could choose.
  const auto* started = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  if (started == nullptr || is_privileged_run()) return {};
  const std::filesystem::path path = std::filesystem::canonical(started, error);
  return error ? std::string() : path.string();
}

std::string resolve_path(std::string_view path) {
  if (path.empty()) return {};
  std::string p(path);
  if (p == "~" || p.starts_with("~/"))
    if (const std::string h = home(); !h.empty()) p.replace(0, 1, h);
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(p, error);
  if (error) return p;  // the working directory is gone
  std::string out = absolute.lexically_normal().string();
  if (out.size() > 1 && out.back() == '/') out.pop_back();
  return out;
}

}  // namespace mo::core
