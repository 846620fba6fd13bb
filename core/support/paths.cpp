#include "core/support/paths.hpp"

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

}  // namespace

bool is_privileged_run() {
  return getauxval(AT_SECURE) != 0 || getuid() != geteuid() || getgid() != getegid();
}

std::string program_path() {
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
