#include "core/host/descriptor.hpp"
#include "core/host/library.hpp"
#include "core/host/loader.hpp"
#include "core/registry/at_work.hpp"
#include "core/registry/contain.hpp"
#include "core/registry/refusal.hpp"
#include "core/registry/registration.hpp"

namespace mo::core {

namespace {

const mo_plugin* call_entry(Session& session, const Plugin& plugin, PluginEntry entry) {
  Call call(session);
  call->plugin = &plugin;
  const mo_plugin* descriptor = nullptr;
  const mo_status status = contain(*call, "mo_plugin_entry", [&] {
    descriptor = entry();
    return mo_status{MO_OK};
  });
  if (status != MO_OK) throw refusal_from_text(call->error, Rule::exception_left);
  return descriptor;
}

void refuse_second(const Session& session, const Plugin& plugin) {
  for (const Plugin& other : session.plugins())
    if (&other != &plugin && other.id == plugin.id)
      throw refusal(Rule::loaded_twice, text("plugin id '", plugin.id, "' is loaded already: version ",
                                             other.version, " from ", other.path, "; expected once"));
}

}  // namespace

void register_plugin(Session& session, Plugin& plugin, PluginEntry entry, Gate* gate) {
  try {
    const mo_plugin descriptor = read_descriptor(call_entry(session, plugin, entry), *session.host(), plugin);
    refuse_second(session, plugin);
    run_registration(session, plugin, "load", descriptor.load);
    // Of others all is looked at before anything of them is used.
    if (!session.opens_contents_late || !plugin.built_in) session.registry().open_contents_of(plugin);
    if (gate != nullptr) gate->registered(session, plugin);
    if (descriptor.shutdown != nullptr) shut_down_at_exit(descriptor.shutdown, plugin);
  } catch (Failure& f) {
    session.registry().remove_all_of(plugin);
    throw told_of(std::move(f), plugin);
  }
}

const Plugin& load_plugin(Session& session, PluginEntry entry, const std::string& path, bool built_in,
                          const std::string& framework, Gate* gate) {
  Plugin& plugin = session.plugins().emplace_back();
  plugin.path = path;
  plugin.built_in = built_in;
  plugin.framework = framework;
  plugin.index = session.plugins().size() - 1;
  try {
    register_plugin(session, plugin, entry, gate);
  } catch (const Failure&) {
    session.plugins().pop_back();
    throw;
  }
  return plugin;
}

}  // namespace mo::core
