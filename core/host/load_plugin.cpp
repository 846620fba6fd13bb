#include "core/host/at_work.hpp"
#include "core/host/contain.hpp"
#include "core/host/descriptor.hpp"
#include "core/host/library.hpp"
#include "core/host/loader.hpp"
#include "core/host/manifest.hpp"
#include "core/host/refusal.hpp"

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

void introduce(Failure& f, const Plugin& p) {
  if (!p.path.empty()) f.with("file", p.path);
  if (!p.id.empty())
    f.with("plugin", text(p.id, " ", p.version, p.vendor.empty() ? "" : text(" (", p.vendor, ")")));
  if (p.rivals.empty()) return;
  std::string choice;
  for (const std::string& id : p.rivals) choice += text(choice.empty() ? "" : " or ", "--prefer ", id);
  f.with("hint", text(choice, " decides whose is used"));
}

std::string operations_in(const Manifest& m) {
  std::string list;
  size_t n = 0;
  for (const auto& [opset, op] : m.operations)
    if (n++ < 5) list += text(list.empty() ? "" : ", ", opset, "::", op);
  return text(counts(m), list.empty() ? "" : " (", list, n > 5 ? ", …" : "", list.empty() ? "" : ")");
}

// Throws what the user is told; nothing the plugin registered is left then.
void take_in(Session& session, Plugin& plugin, PluginEntry entry, bool as_its_manifest) {
  try {
    const mo_plugin descriptor = read_descriptor(call_entry(session, plugin, entry), *session.host(), plugin);
    refuse_second(session, plugin);
    call_load(session, plugin, descriptor.load);
    // What yields to a preferred plugin is in the manifest all the same.
    if (as_its_manifest && plugin.withdrawn == 0) check_manifest(plugin.path, plugin, session);
    if (descriptor.shutdown != nullptr) shut_down_at_exit(descriptor.shutdown, plugin);
  } catch (Failure& f) {
    session.registry().remove_all_of(plugin);
    introduce(f, plugin);
    throw with_advice(std::move(f), &plugin);
  }
}

PluginEntry open_promised(Session& session, const Plugin& plugin, const FoundPlugin& found,
                          const std::string& digest) {
  Call call(session);
  call->plugin = &plugin;
  try {
    check_manifest(found.path, digest);
    note_foreign(found.path);
    return open_plugin(found);
  } catch (Failure& f) {
    introduce(f, plugin);
    throw with_advice(std::move(f), &plugin);
  }
}

}  // namespace

const Plugin& load_plugin(Session& session, PluginEntry entry, const std::string& path, bool built_in,
                          const std::string& framework, bool as_its_manifest) {
  Plugin& plugin = session.plugins().emplace_back();
  plugin.path = path;
  plugin.built_in = built_in;
  plugin.framework = framework;
  plugin.index = session.plugins().size() - 1;
  try {
    take_in(session, plugin, entry, as_its_manifest);
  } catch (const Failure&) {
    session.plugins().pop_back();
    throw;
  }
  return plugin;
}

void load_promised(Session& session, Plugin& plugin, const FoundPlugin& found, const Manifest& promised) {
  plugin.on_demand = false;
  plugin.operations = 0;
  take_in(session, plugin, open_promised(session, plugin, found, promised.digest), true);
  const Manifest now = contents_of(session, plugin);
  if (now.id == promised.id && now.operations == promised.operations && now.has_only_operations()) return;
  session.registry().remove_all_of(plugin);
  Failure f = refusal(Rule::differs_from_probe,
                      text("the plugin registers ", operations_in(now),
                           " now; expected what it registered when it was met: ", operations_in(promised)));
  introduce(f, plugin);
  throw with_advice(std::move(f), &plugin);
}

}  // namespace mo::core
