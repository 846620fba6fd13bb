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
