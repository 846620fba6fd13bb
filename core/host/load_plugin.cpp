#include "core/host/descriptor.hpp"
#include "core/host/library.hpp"
#include "core/host/loader.hpp"
#include "core/registry/at_work.hpp"
#include "core/registry/contain.hpp"
#include "core/registry/refusal.hpp"

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

// A registration that failed refuses the plugin even if load() made light of it.
void call_load(Session& session, Plugin& plugin, mo_status (*load)(mo_context*)) {
  Call call(session);
  call->plugin = &plugin;
  call->registering = &plugin;
  const mo_status status = contain(*call, "load", [&] { return load(call.get()); });
  std::string problems;
  for (const std::string& p : plugin.problems) problems += (problems.empty() ? "" : "\n") + p;
  if (!problems.empty()) throw refusal_from_text(problems, Rule::load_failed);
  if (status == MO_OK) return;
  if (call->error.empty())
    throw refusal(Rule::load_failed, text("load() failed with status ", status,
                                          " and no text; expected a text given to mo_host.fail"));
  throw refusal_from_text(call->error, Rule::load_failed);
}

}  // namespace

Failure told_of(Failure f, const Plugin& p) {
  if (!p.path.empty()) f.with("file", p.path);
  if (!p.id.empty())
    f.with("plugin", text(p.id, " ", p.version, p.vendor.empty() ? "" : text(" (", p.vendor, ")")));
  if (!p.rivals.empty()) {
    std::string choice;
    for (const std::string& id : p.rivals) choice += text(choice.empty() ? "" : " or ", "--prefer ", id);
    f.with("hint", text(choice, " decides whose is used"));
  }
  return with_advice(std::move(f), &p);
}

void register_plugin(Session& session, Plugin& plugin, PluginEntry entry, Gate* gate) {
  try {
    const mo_plugin descriptor = read_descriptor(call_entry(session, plugin, entry), *session.host(), plugin);
    refuse_second(session, plugin);
    call_load(session, plugin, descriptor.load);
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
