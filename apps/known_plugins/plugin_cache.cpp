// Two kinds of files: FOLDER/<digest> has what is known of a content;
// FOLDER/at/<device>-<inode>-<size>-<times> is a link to it. Both are written aside and renamed. What cannot
// be read, or is of another host, is as if it were not there.
#include "apps/known_plugins/plugin_cache.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <mo/text.hpp>
#include <nlohmann/json.hpp>

#include "apps/files/regular_file.hpp"
#include "apps/known_plugins/digest.hpp"
#include "apps/known_plugins/failure_json.hpp"
#include "apps/known_plugins/manifest.hpp"
#include "core/support/paths.hpp"

namespace mo::app {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int cache_format = 2;
constexpr uintmax_t largest_entry = 64U << 20U;

std::string place_of(const core::FoundPlugin& found) { return text(found.device, "-", found.inode, "-"); }

// "" when there is no such file.
std::string mark_of(const std::string& path) {
  struct stat s {};
  if (stat(path.c_str(), &s) != 0) return {};
  return text(s.st_dev, "-", s.st_ino, "-", s.st_size, "-", s.st_mtim.tv_sec, ".", s.st_mtim.tv_nsec, "-",
              s.st_ctim.tv_sec, ".", s.st_ctim.tv_nsec);
}

// Others must not be able to say what a plugin is like.
bool is_private(const std::string& folder) {
  struct stat s {};
  return stat(folder.c_str(), &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == geteuid() &&
         (s.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool make_private(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    fs::create_directories(fs::path(folder).parent_path(), error);
    if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return false;
  }
  return is_private(folder);
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  char shown[32];
  gmtime_r(&now, &parts);
  return {shown, std::strftime(shown, sizeof shown, "%Y-%m-%d %H:%M:%S UTC", &parts)};
}

json written(const KnownPlugin& a, const std::string& host) {
  json entry{{"format", cache_format}, {"host", host}, {"files", json::array()}};
  for (const std::string& f : a.files) entry["files"].push_back({f, mark_of(f)});
  if (!a.refused) {
    entry["manifest"] = a.manifest;
    entry["loaded_xxh3_128"] = a.digest;
    entry["only_operations"] = a.only_operations;
    return entry;
  }
  entry["refused"] = failure_json(*a.refused);
  entry["since"] = utc_now();
  return entry;
}

std::optional<KnownPlugin> understood(const std::string& text, const std::string& host) {
  try {
    const json entry = json::parse(text);
    if (entry.at("format") != cache_format || entry.at("host") != host) return std::nullopt;
    KnownPlugin a;
    for (const json& f : entry.at("files")) {
      a.files.push_back(f.at(0).get<std::string>());
      if (mark_of(a.files.back()) != f.at(1).get<std::string>()) return std::nullopt;
    }
    if (!entry.contains("refused")) {
      a.manifest = entry.at("manifest").get<std::string>();
      a.digest = entry.at("loaded_xxh3_128").get<std::string>();
      a.only_operations = entry.at("only_operations").get<bool>();
      return a;
    }
    a.refused = failure_from(entry["refused"]);
    a.since = entry.at("since").get<std::string>();
    return a;
  } catch (const json::exception&) {
    return std::nullopt;
  }
}

// Aside first; a file of this name is always whole.
bool put(const std::string& path, const std::string& content) {
  const std::string aside = text(path, ".", getpid());
  const int fd = open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return false;
  size_t done = 0;
  while (done < content.size()) {
    const ssize_t n = write(fd, content.data() + done, content.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<size_t>(n);
  }
  close(fd);
  if (done == content.size() && rename(aside.c_str(), path.c_str()) == 0) return true;
  unlink(aside.c_str());
  return false;
}

void put_link(const std::string& path, const std::string& target) {
  const std::string aside = text(path, ".", getpid());
  unlink(aside.c_str());
  if (symlink(target.c_str(), aside.c_str()) != 0 || rename(aside.c_str(), path.c_str()) != 0)
    unlink(aside.c_str());
}

// Of what lay there before, so that the folder does not grow with every build of a plugin.
void remove_links(const std::string& folder, const std::string& place) {
  std::error_code error;
  std::vector<fs::path> old;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().filename().string().starts_with(place)) old.push_back(it->path());
  for (const fs::path& p : old) fs::remove(p, error);
}

}  // namespace

PluginCache::PluginCache(std::string folder, const std::string& abi)
    : folder_(std::move(folder)), host_(text(host_identity(), ", ABI ", abi)) {
  std::error_code error;
  if (fs::exists(folder_, error) && !is_private(folder_)) folder_.clear();
}

std::optional<KnownPlugin> PluginCache::find(const core::FoundPlugin& found) const {
  if (folder_.empty()) return std::nullopt;
  const std::string link = folder_ + "/at/" + mark_of(found.canonical);
  if (const auto entry = read_regular_file(link, nullptr, largest_entry)) return understood(*entry, host_);
  std::error_code error;
  if (!fs::is_directory(folder_, error)) return std::nullopt;
  const std::string digest = file_digest(found.canonical);
  const auto entry = read_regular_file(folder_ + "/" + digest, nullptr, largest_entry);
  if (!entry) return std::nullopt;
  remove_links(folder_ + "/at", place_of(found));
  put_link(link, "../" + digest);
  return understood(*entry, host_);
}

bool PluginCache::keep(const core::FoundPlugin& found, const KnownPlugin& a) const {
  if (folder_.empty()) return false;
  const std::string mark = mark_of(found.canonical), digest = file_digest(found.canonical);
  if (!make_private(folder_) || !make_private(folder_ + "/at")) return false;
  if (!put(folder_ + "/" + digest, written(a, host_).dump(-1, ' ', false, json::error_handler_t::replace)))
    return false;
  // It changed while it was looked at: the content is known, the place is not.
  if (mark != mark_of(found.canonical)) return true;
  remove_links(folder_ + "/at", place_of(found));
  put_link(folder_ + "/at/" + mark, "../" + digest);
  return true;
}

bool PluginCache::forget(const core::FoundPlugin& found) const {
  if (folder_.empty()) return false;
  remove_links(folder_ + "/at", place_of(found));
  return unlink((folder_ + "/" + file_digest(found.canonical)).c_str()) == 0;
}

std::string plugin_cache_folder() {
  if (core::is_privileged_run()) return {};
  const char* caches = std::getenv("XDG_CACHE_HOME");
  const std::string base = caches != nullptr && caches[0] == '/' ? caches : core::resolve_path("~/.cache");
  return base + "/mo-host/plugins";
}

}  // namespace mo::app
