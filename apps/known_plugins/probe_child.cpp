#include "apps/known_plugins/probe_child.hpp"

#include <link.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>

#include "apps/known_plugins/failure_json.hpp"
#include "apps/known_plugins/manifest.hpp"
#include "apps/processes/run_in_copy.hpp"
#include "core/host/library.hpp"
#include "core/host/loader.hpp"
#include "core/registry/refusal.hpp"

namespace mo::app {

namespace {

using nlohmann::json;

void write_answer(int to, const json& answer) {
  const std::string text = answer.dump(-1, ' ', false, json::error_handler_t::replace);
  write_or_exit(to, {text.c_str(), text.size() + 1});  // with the zero byte
}

std::set<std::string> libraries_in_memory() {
  std::set<std::string> list;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* to) {
        if (info->dlpi_name != nullptr && info->dlpi_name[0] == '/')
          static_cast<std::set<std::string>*>(to)->insert(info->dlpi_name);
        return 0;
      },
      &list);
  return list;
}

}  // namespace

void run_probe(const core::Session& outer, const core::FoundPlugin& found, const ProbeRules& rules,
               int answer) {
  prctl(PR_SET_DUMPABLE, 0);
  // A plugin that calls exit() must not run what this process has to do at its end.
  on_exit(
      [](int status, void*) {
        std::fflush(nullptr);
        _exit(status);
      },
      nullptr);
  auto& session = *new core::Session(*outer.host());  // never taken apart
  session.log_sink = [](const core::LogLine& l) { (void)std::fprintf(stderr, "%s\n", l.text.c_str()); };
  for (const std::string& name : rules.host_options) session.registry().reserve_option(name);
  try {
    if (!rules.ignore_manifest) check_manifest(found.path);
    const std::set<std::string> before = libraries_in_memory();
    const core::PluginEntry entry = open_plugin(found);
    const std::string itself = found.library();
    json with_it = json::array();
    for (const std::string& path : libraries_in_memory())
      if (!before.contains(path) && path != itself) with_it.push_back(path);
    write_answer(answer, with_it);
    ManifestGate gate;
    const core::Plugin& plugin = load_plugin(session, entry, found.path, false, found.framework,
                                             rules.ignore_manifest ? nullptr : &gate);
    const Manifest manifest = manifest_of(session, plugin);
    write_answer(answer, {{"manifest", to_json(manifest)},
                          {"digest", manifest.digest},
                          {"only_operations", manifest.has_only_operations()}});
  } catch (const core::Failure& f) {
    write_answer(answer, failure_json(f));
  } catch (const std::exception& e) {
    write_answer(answer, failure_json(refusal(core::Rule::load_failed, e.what())));
  }
  std::fflush(nullptr);
  _exit(0);
}

}  // namespace mo::app
