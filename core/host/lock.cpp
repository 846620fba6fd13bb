#include "core/host/lock.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/host/digest.hpp"
#include "core/host/elf.hpp"
#include "core/host/manifest.hpp"
#include "core/host/refusal.hpp"

namespace mo::core {

namespace {

namespace fs = std::filesystem;
using LockJson = nlohmann::ordered_json;

constexpr int lock_form = 1;
constexpr uintmax_t largest_lock = 16U << 20U;

std::string below(const std::string& folder, const std::string& path) {
  return fs::path(path).lexically_relative(folder).string();
}

Failure lock_refusal(Rule rule, const std::string& lock, const std::string& folder,
                     const std::string& message) {
  Failure f = refusal(rule, message);
  f.with("lock", lock);
  return std::move(f.with("hint", text("when these plugins are wanted: mo-host plugin lock ", folder,
                                       "; else put back the file that was locked")));
}

std::string text_of(const LockJson& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end() || !it->is_string()) throw std::runtime_error(text("'", key, "' is no string"));
  return it->get<std::string>();
}

Lock lock_from(const LockJson& j) {
  if (!j.is_object() || j.value("mo_lock", LockJson()) != LockJson(lock_form))
    throw std::runtime_error(text("expected an object with mo_lock ", lock_form));
  Lock lock;
  const auto list = j.find("plugins");
  if (list == j.end() || !list->is_array()) throw std::runtime_error("'plugins' is no list");
  for (const LockJson& p : *list) {
    if (!p.is_object()) throw std::runtime_error("'plugins' has what is no object");
    lock.plugins.push_back(
        {text_of(p, "file"), text_of(p, "xxh3_128"), text_of(p, "id"), text_of(p, "version")});
  }
  return lock;
}

// Nothing in a lock file is deep; a parser that calls itself must not be led to the end of the stack.
bool is_flat(int depth, LockJson::parse_event_t, LockJson&) {
  if (depth > 4) throw std::runtime_error("it is nested too deeply");
  return true;
}

}  // namespace

std::string lock_path(const std::string& folder) { return (fs::path(folder) / "mo-host.lock").string(); }

Lock make_lock(const std::string& folder, const std::vector<FoundPlugin>& plugins) {
  Lock lock{lock_path(folder), {}};
  for (const FoundPlugin& f : plugins) {
    LockedPlugin p{below(folder, f.path), file_digest(f.canonical), {}, {}};
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
  for (const LockedPlugin& p : lock.plugins)
    j["plugins"].push_back({{"file", p.file}, {"xxh3_128", p.digest}, {"id", p.id}, {"version", p.version}});
  return j.dump(1, ' ', false, LockJson::error_handler_t::replace) + "\n";
}

Lock read_lock(const std::string& folder) {
  const std::string path = lock_path(folder);
  const auto refuse = [&](const std::string& why) {
    return lock_refusal(Rule::lock_missing, path, folder, why);
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
    throw refuse(text("the lock file has not the form that `mo-host plugin lock` writes: ", e.what()));
  }
}

void check_locked(const Lock& lock, const std::string& folder, const FoundPlugin& found) {
  const std::string file = below(folder, found.path);
  const auto it = std::find_if(lock.plugins.begin(), lock.plugins.end(),
                               [&](const LockedPlugin& p) { return p.file == file; });
  const std::string digest = file_digest(found.canonical);
  if (it == lock.plugins.end())
    throw lock_refusal(
        Rule::not_locked, lock.path, folder,
        text("--locked: '", file, "' (digest ", digest, ") is not in the lock file of its folder"));
  if (it->digest != digest)
    throw lock_refusal(
        Rule::lock_differs, lock.path, folder,
        text("--locked: '", file, "' is not the file that was locked: its digest is ", digest, "; expected ",
             it->digest, it->id.empty() ? "" : text(", that of ", it->id, " ", it->version)));
}

}  // namespace mo::core
