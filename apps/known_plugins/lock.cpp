#include "apps/known_plugins/lock.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "apps/known_plugins/companions.hpp"
#include "apps/known_plugins/elf_file.hpp"
#include "apps/known_plugins/manifest.hpp"
#include "apps/known_plugins/sha256.hpp"
#include "apps/plugin_search/trust.hpp"
#include "core/registry/refusal.hpp"

namespace mo::app {

namespace {

namespace fs = std::filesystem;
using LockJson = nlohmann::ordered_json;

constexpr int lock_form = 2;
constexpr uintmax_t largest_lock = 16U << 20U;

std::string below(const std::string& folder, const std::string& path) {
  return fs::path(path).lexically_relative(folder).string();
}

core::Failure lock_refusal(core::Rule rule, const std::string& lock, const std::string& folder,
                           const std::string& message) {
  core::Failure f = refusal(rule, message);
  f.with("lock", lock);
  return std::move(f.with("hint", text("when these plugins are wanted: mo-host plugin lock ", folder,
                                       "; else put back the file that was locked")));
}

std::string text_of(const LockJson& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end() || !it->is_string()) throw std::runtime_error(text("'", key, "' is not a string"));
  return it->get<std::string>();
}

Lock lock_from(const LockJson& j) {
  if (!j.is_object() || j.value("mo_lock", LockJson()) != LockJson(lock_form))
    throw std::runtime_error(text("expected an object with mo_lock ", lock_form));
  Lock lock;
  const auto list = j.find("plugins");
  if (list == j.end() || !list->is_array()) throw std::runtime_error("'plugins' is not a list");
  for (const LockJson& p : *list) {
    if (!p.is_object()) throw std::runtime_error("'plugins' has what is not an object");
    lock.plugins.push_back(
        {text_of(p, "file"), text_of(p, "sha256"), text_of(p, "id"), text_of(p, "version"), {}});
    const auto libraries = p.find("libraries");
    if (libraries == p.end()) continue;
    if (!libraries->is_array()) throw std::runtime_error("'libraries' is not a list");
    for (const LockJson& l : *libraries) {
      if (!l.is_object()) throw std::runtime_error("'libraries' has what is not an object");
      lock.plugins.back().libraries.push_back({text_of(l, "file"), text_of(l, "sha256")});
    }
  }
  return lock;
}

// Nothing in a lock file is deep; a parser that calls itself must not be led to the end of the stack.
bool is_flat(int depth, LockJson::parse_event_t, LockJson&) {
  if (depth > 6) throw std::runtime_error("it is nested too deeply");
  return true;
}

// What the digest was taken of.
struct Opened {
  core::Descriptor file;
  // It names libraries beside it, which are found by its path only. Its folder is one that nobody else writes
  // to, unless the user said otherwise.
  bool wants_its_folder = false;
};

Opened open_and_digest(const core::FoundPlugin& found, std::string& digest) {
  const auto fail = [&](std::string_view why) {
    return refusal(core::Rule::no_such_path, text("cannot read '", found.canonical, "': ", why));
  };
  Opened opened{
      core::Descriptor(open(found.canonical.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)), false};
  struct stat s {};
  if (!opened.file || fstat(opened.file.get(), &s) != 0) throw fail(std::strerror(errno));
  if (s.st_dev != found.device || s.st_ino != found.inode) throw fail("another file has taken its place");
  constexpr std::string_view origin = "$ORIGIN";
  Sha256 hash;
  std::string piece(size_t{1} << 16, '\0');
  size_t kept = 0;  // of the piece before, so that no word is cut
  for (;;) {
    const ssize_t n = read(opened.file.get(), piece.data() + kept, piece.size() - kept);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw fail(std::strerror(errno));
    if (n == 0) break;
    const std::string_view all(piece.data(), kept + static_cast<size_t>(n));
    hash.add(all.substr(kept));
    opened.wants_its_folder = opened.wants_its_folder || all.find(origin) != std::string_view::npos;
    const size_t end = std::min(all.size(), origin.size() - 1);
    std::memmove(piece.data(), all.data() + all.size() - end, end);
    kept = end;
  }
  digest = hash.hex();
  return opened;
}

std::vector<LockedLibrary> libraries_of(const std::string& folder, const core::FoundPlugin& plugin) {
  std::error_code error;
  const fs::path own = fs::canonical(folder, error);
  std::vector<LockedLibrary> list;
  for (const std::string& path : companion_libraries(plugin.canonical)) {
    const std::string relative = below(own.string(), path);
    std::string digest = sha256_of_file(path);
    if (digest.empty())
      throw refusal(core::Rule::no_such_path, text("cannot read '", path, "', a library of a plugin"));
    list.push_back({relative.starts_with("..") ? path : relative, std::move(digest)});
  }
  return list;
}

// "" or how what a plugin brings along differs from what was locked.
std::string other_libraries(const LockedPlugin& locked, const std::vector<LockedLibrary>& now) {
  for (const LockedLibrary& l : now) {
    const auto was = std::find_if(locked.libraries.begin(), locked.libraries.end(),
                                  [&](const LockedLibrary& other) { return other.file == l.file; });
    if (was == locked.libraries.end())
      return text("brings '", l.file, "' along, which was not locked with it");
    if (was->digest != l.digest)
      return text("brings '", l.file, "' along, which is not the file that was locked: its digest is ",
                  l.digest, "; expected ", was->digest);
  }
  for (const LockedLibrary& l : locked.libraries)
    if (std::none_of(now.begin(), now.end(),
                     [&](const LockedLibrary& other) { return other.file == l.file; }))
      return text("lacks '", l.file, "', which was locked with it");
  return {};
}

}  // namespace

std::string lock_path(const std::string& folder) { return (fs::path(folder) / "mo-host.lock").string(); }

Lock make_lock(const std::string& folder, const std::vector<core::FoundPlugin>& plugins) {
  Lock lock{lock_path(folder), {}};
  for (const core::FoundPlugin& f : plugins) {
    LockedPlugin p{below(folder, f.path), {}, {}, {}, libraries_of(folder, f)};
    (void)open_and_digest(f, p.digest);
    if (const auto m = read_manifest(f.path)) {
      p.id = m->id;
      p.version = m->version;
    } else if (const auto n = read_plugin_note(f.canonical)) {
      p.id = n->id;
      p.version = n->version;
    }
    lock.plugins.push_back(std::move(p));
  }
  return lock;
}

std::string to_json(const Lock& lock) {
  LockJson j;
  j["mo_lock"] = lock_form;
  j["plugins"] = LockJson::array();
  for (const LockedPlugin& p : lock.plugins) {
    LockJson entry{{"file", p.file}, {"sha256", p.digest}, {"id", p.id}, {"version", p.version}};
    for (const LockedLibrary& l : p.libraries)
      entry["libraries"].push_back({{"file", l.file}, {"sha256", l.digest}});
    j["plugins"].push_back(std::move(entry));
  }
  return j.dump(1, ' ', false, LockJson::error_handler_t::replace) + "\n";
}

Lock read_lock(const std::string& folder) {
  const std::string path = lock_path(folder);
  const auto refuse = [&](const std::string& why) {
    return lock_refusal(core::Rule::lock_missing, path, folder, why);
  };
  std::error_code error;
  const uintmax_t size = fs::file_size(path, error);
  if (error)
    throw refuse(
        text("--locked: the folder '", folder, "' has no lock file that can be read: ", error.message()));
  if (size > largest_lock)
    throw refuse(text("the lock file has ", size, " bytes; expected at most ", largest_lock));
  std::ifstream file(path, std::ios::binary);
  const std::string json{std::istreambuf_iterator<char>(file), {}};
  try {
    Lock lock = lock_from(LockJson::parse(json, is_flat));
    lock.path = path;
    return lock;
  } catch (const std::exception& e) {  // of the parser, or ours
    throw refuse(
        text("the lock file has not the form that `mo-host plugin lock` writes: ", core::reason_of(e)));
  }
}

void check_lock_is_own(const Lock& lock) {
  std::error_code error;
  const std::string path = fs::canonical(lock.path, error).string();
  const std::string why = why_not_trusted(error ? lock.path : path, false);
  if (why.empty()) return;
  throw lock_refusal(core::Rule::lock_missing, lock.path, fs::path(lock.path).parent_path().string(),
                     text("--locked: the lock file can be written by others: ", why));
}

void check_locked(const Lock& lock, const std::string& folder, core::FoundPlugin& found) {
  const std::string file = below(folder, found.path);
  const auto it = std::find_if(lock.plugins.begin(), lock.plugins.end(),
                               [&](const LockedPlugin& p) { return p.file == file; });
  std::string digest;
  Opened opened = open_and_digest(found, digest);
  if (it == lock.plugins.end())
    throw lock_refusal(
        core::Rule::not_locked, lock.path, folder,
        text("--locked: '", file, "' (digest ", digest, ") is not in the lock file of its folder"));
  if (it->digest != digest)
    throw lock_refusal(
        core::Rule::lock_differs, lock.path, folder,
        text("--locked: '", file, "' is not the file that was locked: its digest is ", digest, "; expected ",
             it->digest, it->id.empty() ? "" : text(", that of ", it->id, " ", it->version)));
  if (const std::string why = other_libraries(*it, libraries_of(folder, found)); !why.empty())
    throw lock_refusal(core::Rule::lock_differs, lock.path, folder, text("--locked: '", file, "' ", why));
  if (!opened.wants_its_folder)
    found.locked = std::make_shared<const core::Descriptor>(std::move(opened.file));
}

}  // namespace mo::app
