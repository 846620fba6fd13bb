#include "apps/mo-host/plugin/load_one.hpp"

#include "apps/mo-host/crash/current_work.hpp"
#include "apps/plugin_search/discovery.hpp"
#include "apps/session/options.hpp"
#include "core/registry/refusal.hpp"
#include "core/support/paths.hpp"

namespace mo::app {

SideSession::SideSession(Program& program) : program_(program), session_(*program.session().host()) {
  session_.log_sink = program.session().log_sink;
  for (const OptionRow& o : host_options()) session_.registry().reserve_option(o.name);
  watch_session(&session_);
}

SideSession::~SideSession() { watch_session(&program_.session()); }

std::string probed_manifest(Program& program, const std::string& path) {
  const std::string resolved = core::resolve_path(path);
  const core::Discovery found = discover(
      resolved, {.any_owner = true, .allow_writable_folders = program.early().allow_writable_folders});
  const auto told = [&](core::Failure f) {
    return core::with_advice(std::move(f.with("file", resolved)), nullptr);
  };
  if (!found.refused.empty()) throw told(found.refused.front().second);
  if (found.plugins.size() != 1)
    throw told(core::refusal(core::Rule::nothing_registered, text("'", path, "' has ", found.plugins.size(),
                                                                  " plugins; expected the file of one")));
  ProbeRules rules = program.first_contact().probe;
  rules.ignore_manifest = true;
  Probed probed = probe_plugin(program.session(), found.plugins.front(), rules);
  if (probed.refused) throw told(std::move(*probed.refused));
  return std::move(probed.manifest);
}

}  // namespace mo::app
