#include "apps/plugin_search/trust.hpp"

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <mo/text.hpp>
#include <string_view>

#include "core/support/paths.hpp"

namespace mo::app {

namespace {

// Where every user has a group of their own, files are often group-writable and nobody else gains by it.
bool is_private_group(uid_t owner, gid_t group) {
  if (owner != geteuid()) return false;
  std::array<char, 4096> user_text{}, group_text{};
  passwd user{};
  passwd* user_found = nullptr;
  ::group entry{};
  ::group* entry_found = nullptr;
  if (getpwuid_r(owner, &user, user_text.data(), user_text.size(), &user_found) != 0 || user_found == nullptr)
    return false;
  if (getgrgid_r(group, &entry, group_text.data(), group_text.size(), &entry_found) != 0 ||
      entry_found == nullptr)
    return false;
  const std::string_view name = user.pw_name;
  if (name != entry.gr_name) return false;
  for (char** member = entry.gr_mem; *member != nullptr; ++member)
    if (name != *member) return false;
  return true;
}

std::string who_else_writes(const std::string& path, const struct stat& s) {
  if ((s.st_mode & S_IWOTH) != 0) return text("everyone may write to '", path, "'");
  if ((s.st_mode & S_IWGRP) != 0 && s.st_gid != 0 && !is_private_group(s.st_uid, s.st_gid))
    return text("a group (id ", s.st_gid, ") may write to '", path, "'");
  return {};
}

}  // namespace

std::string why_not_trusted(const std::string& path, bool any_owner) {
  struct stat s {};
  if (stat(path.c_str(), &s) != 0) return {};  // opening it will tell
  if (!any_owner && s.st_uid != 0 && s.st_uid != geteuid())
    return text("'", path, "' belongs to another user (id ", s.st_uid, ")");
  if (std::string why = who_else_writes(path, s); !why.empty()) return why;
  for (std::filesystem::path at = std::filesystem::path(path).parent_path();; at = at.parent_path()) {
    // In a sticky folder only the owner of an entry can put another one in its place.
    const bool is_there = stat(at.c_str(), &s) == 0;
    if (is_there && (s.st_mode & S_IWOTH) != 0 && (s.st_mode & S_ISVTX) == 0)
      return text("everyone may replace what is in '", at.string(), "'");
    if (is_there && core::is_privileged_run() && s.st_uid != 0 && s.st_uid != geteuid())
      return text("another user (id ", s.st_uid, ") may replace what is in '", at.string(), "'");
    if (!at.has_relative_path()) return {};
  }
}

}  // namespace mo::app
