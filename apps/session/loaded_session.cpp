#include "apps/session/loaded_session.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "apps/audit/abi_releases.hpp"
#include "apps/known_plugins/manifest.hpp"
#include "apps/session/options.hpp"
#include "apps/session/own_search_path.hpp"
#include "core/schedule/schedule.hpp"
#include "core/support/contains.hpp"
#include "core/support/nearest.hpp"
#include "core/support/paths.hpp"
#include "core/support/split.hpp"

namespace mo::app {

namespace {

const AbiRelease& release_named(const std::string& name) {
  if (const AbiRelease* r = find_abi_release(name)) return *r;
  std::string known;
  for (const AbiRelease& r : abi_releases()) known += (known.empty() ? "" : ", ") + name_of(r);
  throw core::Failure(core::Exit::usage, "MO0104", "--simulate_abi: no ABI '" + name + "' was released")
      .with("hint", "one of " + known);
}

}  // namespace

void LoadedSession::open(const EarlyOptions& early, bool load_plugins, bool for_one_framework) {
  early_ = early;
  session_.opens_contents_late = for_one_framework;
  if (!early.simulate_abi.empty()) session_.offer(*host_of(release_named(early.simulate_abi)));
  if (load_plugins) load();
}

FirstContact LoadedSession::first_contact() const {
  FirstContact rules;
  rules.probe.limit =
      std::chrono::milliseconds(std::max<int64_t>(1, std::llround(early_.probe_timeout * 1000)));
  for (const OptionRow& o : host_options()) rules.probe.host_options.emplace_back(o.name);
  rules.cache_folder = plugin_cache_folder();
  return rules;
}

std::vector<std::string> LoadedSession::preferred() const {
  if (early_.prefer) return *early_.prefer;
  const char* variable = core::is_privileged_run() ? nullptr : std::getenv("MO_PREFER");
  return variable == nullptr ? std::vector<std::string>{} : core::split(variable);
}

CarefulRequest LoadedSession::load_request(const SearchPath& path) const {
  CarefulRequest request;
  request.built_in = path.built_in;
  request.allow_writable_folders = early_.allow_writable_folders;
  request.first_contact = first_contact();
  request.locked = early_.locked;
  request.prefer = preferred();
  return request;
}

void LoadedSession::load() {
  for (const OptionRow& o : host_options()) session_.registry().reserve_option(o.name);
  const SearchPath path = own_search_path();
  if (!path.note.empty()) session_.log(MO_LOG_WARNING, path.note);
  CarefulRequest request = load_request(path);
  request.isolation = early_.isolation;
  if (early_.extensions) request.named = *early_.extensions;
  // An empty --extensions asks for the host's own plugins and nothing else.
  if (!early_.extensions || !early_.extensions->empty()) request.searched = path.searched;
  plugins_ = load_carefully(session_, request);
  check_isolation(session_, request.isolation);
  check_preferred(request.prefer, early_.prefer.has_value());
  leave_out_disorder(path.searched);
}

// A plugin that happens to lie in a folder must not stop every conversion: one that is searched for, and
// whose transformations have no place in the order, is left out. One that is named is an error when something
// is converted.
void LoadedSession::leave_out_disorder(const std::vector<std::string>& searched) {
  const auto is_searched = [&](const core::Plugin& p) {
    return !p.built_in && std::any_of(searched.begin(), searched.end(), [&](const std::string& folder) {
      return p.path.starts_with(core::resolve_path(folder) + "/");
    });
  };
  const auto concerned = [&](const core::Plugin* p) { return p->transformations != 0 && is_searched(*p); };
  while (std::any_of(plugins_.loaded.begin(), plugins_.loaded.end(), concerned)) {
    try {
      (void)core::make_schedule(session_, {{}, {}, {}, false});
      return;
    } catch (core::Failure& f) {
      const std::string order = f.context_of("order");
      const auto last =
          std::find_if(plugins_.loaded.rbegin(), plugins_.loaded.rend(), [&](const core::Plugin* p) {
            return concerned(p) && order.find("(plugin " + p->id + ")") != std::string::npos;
          });
      if (last == plugins_.loaded.rend()) return;
      const core::Plugin& culprit = **last;
      session_.log(MO_LOG_WARNING, "a plugin is left out\n" +
                                       f.with("plugin", culprit.id).with("file", culprit.path).render());
      plugins_.skipped.push_back({culprit.path, f.message(), true});
      session_.registry().remove_all_of(culprit);
      plugins_.loaded.erase(std::next(last).base());
    }
  }
}

// A misspelt id would change nothing and be noticed by nobody. A variable is there for every run, also for
// those without the plugin.
void LoadedSession::check_preferred(const std::vector<std::string>& ids, bool asked_for) const {
  std::vector<std::string> known;
  for (const core::Plugin* p : plugins_.loaded) known.push_back(p->id);
  for (const std::string& id : ids) {
    if (core::contains(known, id)) continue;
    core::Failure f(core::Exit::usage, "MO0121",
                    (asked_for ? "--prefer: no plugin '" : "MO_PREFER: no plugin '") + id + "' is loaded");
    const std::string guess = core::did_you_mean(id, known);
    f.with("hint", guess.empty() ? "`mo-host list plugins` shows the plugins that are loaded" : guess);
    f.with("refused", skipped_plugins());
    if (asked_for) throw std::move(f);
    session_.log(MO_LOG_WARNING, f.message() + (guess.empty() ? "" : "; " + guess));
  }
}

void LoadedSession::load_kernels() {
  const auto folder = std::filesystem::path(own_search_path().built_in).parent_path() / "kernels";
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) return;
  LoadRequest request;
  request.built_in = folder.string();
  ManifestGate gate;
  load_plugins(session_, request, gate);
}

std::string LoadedSession::skipped_plugins() const {
  std::string out;
  for (const core::SkippedFile& s : plugins_.skipped)
    if (s.refused) out += (out.empty() ? "" : "\n") + s.path + ": " + s.reason;
  return out;
}

}  // namespace mo::app
