#include "core/host/loader.hpp"

#include <filesystem>
#include <map>

#include "core/host/at_work.hpp"
#include "core/host/counts.hpp"
#include "core/host/discovery.hpp"
#include "core/host/elf.hpp"
#include "core/host/library.hpp"
#include "core/host/load_on_demand.hpp"
#include "core/host/lock.hpp"
#include "core/host/manifest.hpp"
#include "core/host/refusal.hpp"
#include "core/support/paths.hpp"

namespace mo::core {

namespace {

Failure all_of(const std::vector<Failure>& failures) {
  if (failures.size() == 1) return failures.front();
  Failure f(Exit::plugin, failures.front().code(), text(failures.size(), " plugins cannot be used"));
  for (size_t i = 0; i < failures.size(); ++i) f.with(text("no. ", i + 1), failures[i].render());
  return f;
}

class Loading {
 public:
  Loading(Session& session, const LoadRequest& request) : session_(session), request_(request) {}

  // Before anything is opened here, as their processes begin as copies of this one.
  void start_isolated_ones() {
    if (request_.isolation.ids.empty()) return;
    const bool writable = request_.allow_writable_folders;
    if (!request_.built_in.empty())
      for (const FoundPlugin& f :
           discover(request_.built_in, {.any_owner = true, .allow_writable_folders = true}).plugins)
        start_isolated_one(f, true);
    const auto from = [&](const std::string& path, bool any_owner) {
      const std::string resolved = resolve_path(path);
      const Discovery found =
          discover(resolved, {.any_owner = any_owner, .allow_writable_folders = writable});
      lock(resolved, found);
      for (const FoundPlugin& f : found.plugins) start_isolated_one(f, false);
    };
    for (const std::string& path : request_.named) from(path, true);
    for (const std::string& path : request_.searched) from(path, false);
  }

  void built_in(const std::string& folder) {
    const Discovery found = discover(folder, {.any_owner = true, .allow_writable_folders = true});
    take(found, true);
    throw_failures();
  }

  void named(const std::string& path) {
    const std::string resolved = resolve_path(path);
    const Discovery found =
        discover(resolved, {.any_owner = true, .allow_writable_folders = request_.allow_writable_folders});
    lock(resolved, found);
    const size_t failures_before = failures_.size();
    const auto used = take(found, false);
    const auto registers = [](const Plugin* p) { return p->total() + p->withdrawn != 0; };
    if (failures_.size() == failures_before && std::none_of(used.begin(), used.end(), registers))
      failures_.push_back(nothing_from(path, resolved, found, used));
  }

  void searched(const std::string& path) {
    const std::string resolved = resolve_path(path);
    const Discovery found =
        discover(resolved, {.any_owner = false, .allow_writable_folders = request_.allow_writable_folders});
    lock(resolved, found);
    take(found, false);
    for (const Failure& f : failures_)
      session_.log(MO_LOG_WARNING, text("a plugin is left out\n", f.render()));
    failures_.clear();
  }

  // Before anything of them is run. Who asks for locked plugins wants no others, wherever they come from.
  void lock(const std::string& path, const Discovery& found) {
    if (!request_.locked || found.plugins.empty()) return;
    std::error_code error;
    const std::string folder = std::filesystem::is_directory(path, error)
                                   ? path
                                   : std::filesystem::path(path).parent_path().string();
    const Lock locked = read_lock(folder);
    for (const FoundPlugin& f : found.plugins) check_locked(locked, folder, f);
  }

  void throw_failures() const {
    if (!failures_.empty()) throw all_of(failures_);
  }
  LoadReport take_report() { return std::move(report_); }

 private:
  // The plugins behind what was found, those that were loaded before included.
  std::vector<const Plugin*> take(const Discovery& found, bool built_in) {
    for (const auto& [path, reason] : found.skipped) report_.skipped.push_back({path, reason, false});
    for (const auto& [path, why] : found.refused) {
      Failure f = why;
      refuse(path, with_advice(std::move(f.with("file", path)), nullptr));
    }
    std::vector<const Plugin*> used;
    for (const FoundPlugin& f : found.plugins)
      if (const Plugin* p = load(f, built_in)) used.push_back(p);
    return used;
  }

  const Plugin* load(const FoundPlugin& found, bool built_in) {
    const auto [it, is_new] = by_file_.try_emplace({found.device, found.inode}, nullptr, found.path);
    if (!is_new) {
      report_.skipped.push_back({found.path, text("the same file as ", it->second.second), false});
      return it->second.first;
    }
    try {
      const Plugin& p = first_contact(found, built_in);
      it->second.first = &p;
      report_.loaded.push_back(&p);
      session_.log(MO_LOG_INFO,
                   text(p.on_demand ? "known " : "loaded ", p.id, " ", p.version, " from ", p.path, ": ",
                        in_words(p, p.withdrawn), p.on_demand ? "; opened when one is needed" : ""),
                   &p);
      for (const std::string& note : p.notes) session_.log(MO_LOG_INFO, note, &p);
      return &p;
    } catch (Failure& f) {
      refuse(found.path, with_advice(std::move(f.with("file", found.path)), nullptr));
      return nullptr;
    }
  }

  // Before the library is opened: a start with a warm cache reads none for its digest, and nobody is started
  // to be asked for an id. "" is not known.
  struct Known {
    std::string id, digest, manifest;
    bool only_operations = false;
  };

  Known known_of(const FoundPlugin& found, bool built_in) {
    Known known;
    // What is open already has run here.
    if (request_.first_contact && !built_in && !is_open(found)) {
      Acquaintance met = meet(session_, found, *request_.first_contact);
      if (!request_.isolation.ids.empty()) known.id = manifest_from_json(found.path, met.manifest).id;
      known.digest = std::move(met.digest);
      known.manifest = std::move(met.manifest);
      known.only_operations = met.only_operations;
    }
    // The note of a stranger's file may say anything.
    if (built_in && !request_.isolation.ids.empty())
      if (const auto note = read_plugin_note(found.canonical)) known.id = note->id;
    return known;
  }

  void start_isolated_one(const FoundPlugin& found, bool built_in) {
    if (is_open(found)) return;
    try {
      const Known known = known_of(found, built_in);
      started_.try_emplace({found.device, found.inode},
                           start_isolated(session_, found, request_.isolation, built_in, known.id));
    } catch (const Failure&) {  // told when its turn comes
    }
  }

  const Plugin& first_contact(const FoundPlugin& found, bool built_in) {
    Known known = known_of(found, built_in);
    // Whoever is isolated or preferred is loaded at once: what that means is decided then.
    if (known.only_operations && request_.prefer.empty() && request_.isolation.ids.empty())
      if (const Plugin* p = promise(session_, found, known.manifest)) return *p;
    return load_plugin(session_, open(found, built_in, std::move(known)), found.path, built_in,
                       found.framework, true);
  }

  // Libraries run code of their own while they are opened: a crash report has to name the file.
  PluginEntry open(const FoundPlugin& found, bool built_in, Known known) {
    Plugin unknown;
    unknown.path = found.path;
    Call call(session_);
    call->plugin = &unknown;
    check_manifest(found.path, std::move(known.digest));
    const auto asked = started_.extract({found.device, found.inode});
    auto isolated = asked.empty() ? start_isolated(session_, found, request_.isolation, built_in, known.id)
                                  : std::move(asked.mapped());
    if (isolated != nullptr) return entry_of(std::move(isolated));
    if (!built_in) note_foreign(found.path);
    return open_plugin(found);
  }

  void refuse(const std::string& path, Failure why) {
    report_.skipped.push_back({path, in_one_line(why), true});
    failures_.push_back(std::move(why));
  }

  static Failure nothing_from(const std::string& path, const std::string& resolved, const Discovery& found,
                              const std::vector<const Plugin*>& used) {
    std::string seen;
    const auto add = [&](std::string_view file, std::string_view why) {
      seen += text(seen.empty() ? "" : "\n", file, ": ", why);
    };
    for (const Plugin* p : used) add(p->path, text("plugin ", p->id, " ", p->version, " registers nothing"));
    for (const auto& [file, why] : found.skipped) add(file, why);
    Failure f =
        refusal(Rule::nothing_registered,
                text("'", path, "' gives nothing to this host; expected a plugin that registers something"));
    f.with("path", resolved).with("seen", seen.empty() ? "no file whose name ends in .so" : seen);
    return with_advice(std::move(f), nullptr);
  }

  Session& session_;
  const LoadRequest& request_;
  LoadReport report_;
  std::vector<Failure> failures_;
  // By device and inode.
  std::map<std::pair<uint64_t, uint64_t>, std::pair<const Plugin*, std::string>> by_file_;
  // Those that were asked whether they are to be isolated; nullptr: not.
  std::map<std::pair<uint64_t, uint64_t>, std::shared_ptr<isolate::Isolated>> started_;
};

}  // namespace

LoadReport load_plugins(Session& session, const LoadRequest& request) {
  if (!request.prefer.empty()) session.registry().prefer(request.prefer);
  Loading loading(session, request);
  loading.start_isolated_ones();
  if (!request.built_in.empty()) loading.built_in(request.built_in);
  for (const std::string& path : request.named) loading.named(path);
  loading.throw_failures();
  for (const std::string& path : request.searched) loading.searched(path);
  return loading.take_report();
}

}  // namespace mo::core
