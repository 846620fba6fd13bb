#include "apps/isolate/careful_loading.hpp"

#include <unistd.h>

#include <filesystem>
#include <map>

#include "apps/known_plugins/elf_file.hpp"
#include "apps/known_plugins/load_on_demand.hpp"
#include "apps/known_plugins/lock.hpp"
#include "apps/known_plugins/manifest.hpp"
#include "core/support/paths.hpp"

namespace mo::app {

namespace {

class CarefulGate final : public core::Gate {
 public:
  explicit CarefulGate(const CarefulRequest& request) : request_(request) {}

  void before_all(core::Session& session, std::vector<core::PluginPlace>& places) override {
    for (core::PluginPlace& p : places) check_lock(p);
    if (request_.isolation.ids.empty()) return;
    // Before anything is opened here, as their processes begin as copies of this one.
    for (const core::PluginPlace& p : places)
      for (const core::FoundPlugin& f : p.found.plugins)
        start_isolated_one(session, f, p.origin == core::PluginPlace::Origin::built_in);
  }

  const core::Plugin* known(core::Session& session, const core::FoundPlugin& found, bool built_in) override {
    known_ = known_of(session, found, built_in);
    // Whoever is isolated or preferred is loaded at once: what that means is decided then.
    if (!known_.only_operations || !request_.prefer.empty() || !request_.isolation.ids.empty())
      return nullptr;
    return defer(session, found, known_.manifest);
  }

  core::PluginEntry open(core::Session& session, const core::FoundPlugin& found, bool built_in) override {
    check_manifest(found.path, std::move(known_.digest));
    const auto asked = started_.extract(key(found));
    auto isolated = asked.empty() ? start_isolated(session, found, request_.isolation, built_in, known_.id)
                                  : std::move(asked.mapped());
    return isolated != nullptr ? entry_of(std::move(isolated)) : core::Gate::open(session, found, built_in);
  }

  void registered(const core::Session& session, const core::Plugin& plugin) override {
    check_registered(session, plugin);
  }

 private:
  // Before the library is opened: a start with a warm cache reads none for its digest, and nobody is started
  // to be asked for an id. "" is not known.
  struct Known {
    std::string id, digest, manifest;
    bool only_operations = false;
  };

  static std::pair<uint64_t, uint64_t> key(const core::FoundPlugin& f) { return {f.device, f.inode}; }

  // Who asks for locked plugins wants no others, wherever they come from.
  void check_lock(core::PluginPlace& place) const {
    if (!request_.locked || place.origin == core::PluginPlace::Origin::built_in ||
        place.found.plugins.empty())
      return;
    std::error_code error;
    const std::string folder = std::filesystem::is_directory(place.path, error)
                                   ? place.path
                                   : std::filesystem::path(place.path).parent_path().string();
    const Lock lock = read_lock(folder);
    if (!request_.allow_writable_folders) check_lock_is_own(lock);
    for (core::FoundPlugin& f : place.found.plugins) check_locked(lock, folder, f);
  }

  Known known_of(const core::Session& session, const core::FoundPlugin& found, bool built_in) const {
    Known known;
    // What is open already has run here.
    if (request_.first_contact && !built_in && found.folder.empty() && !is_open(found)) {
      KnownPlugin met = first_contact(session, found, *request_.first_contact);
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

  void start_isolated_one(const core::Session& session, const core::FoundPlugin& found, bool built_in) {
    if (is_open(found)) return;
    try {
      const Known known = known_of(session, found, built_in);
      started_.try_emplace(key(found),
                           start_isolated(session, found, request_.isolation, built_in, known.id));
    } catch (const core::Failure&) {  // told when its turn comes
    }
  }

  const CarefulRequest& request_;
  Known known_;  // of the plugin whose turn it is
  // Those that were asked whether they are to be isolated; nullptr: not.
  std::map<std::pair<uint64_t, uint64_t>, std::shared_ptr<isolate::Isolated>> started_;
};

}  // namespace

core::LoadReport load_carefully(core::Session& session, CarefulRequest request) {
  // Who names a folder knows whose it is, but for root, whom it could be meant for, and where only what was
  // locked is wanted.
  request.only_own = request.only_own || request.locked || geteuid() == 0 || core::is_privileged_run();
  CarefulGate gate(request);
  return load_plugins(session, request, gate);
}

}  // namespace mo::app
