#include "apps/known_plugins/load_on_demand.hpp"

#include <algorithm>
#include <map>

#include "apps/known_plugins/manifest.hpp"
#include "core/registry/refusal.hpp"

namespace mo::app {

namespace {

struct Deferred {
  core::Plugin* plugin;
  core::FoundPlugin found;
  Manifest manifest;
};

bool is_taken(const core::Session& session, const Manifest& m) {
  const auto has_id = [&](const core::Plugin& p) { return p.id == m.id; };
  const auto has_operation = [&](const auto& o) {
    return session.registry().is_deferred(o.second, o.first) ||
           session.registry().operation(o.second, o.first) != nullptr;
  };
  return std::any_of(session.plugins().begin(), session.plugins().end(), has_id) ||
         std::any_of(m.operations.begin(), m.operations.end(), has_operation);
}

std::string operations_in(const Manifest& m) {
  std::string list;
  size_t n = 0;
  for (const auto& [opset, op] : m.operations)
    if (n++ < 5) list += text(list.empty() ? "" : ", ", opset, "::", op);
  return text(counts(m), list.empty() ? "" : " (", list, n > 5 ? ", …" : "", list.empty() ? "" : ")");
}

core::PluginEntry open_deferred(core::Session& session, const Deferred& p) {
  core::Call call(session);
  call->plugin = p.plugin;
  try {
    check_manifest(p.found.path, p.manifest.digest);
    return core::Gate().open(session, p.found, false);  // its digest is known
  } catch (core::Failure& f) {
    throw told_of(std::move(f), *p.plugin);
  }
}

// Throws Failure when it does not register what it registered when it was met.
void load_deferred(core::Session& session, const Deferred& p) {
  core::Plugin& plugin = *p.plugin;
  plugin.on_demand = false;
  plugin.operations = 0;
  ManifestGate gate;
  register_plugin(session, plugin, open_deferred(session, p), &gate);
  const Manifest now = contents_of(session, plugin);
  if (now.id == p.manifest.id && now.operations == p.manifest.operations && now.has_only_operations()) return;
  session.registry().remove_all_of(plugin);
  throw told_of(
      refusal(core::Rule::differs_from_probe,
              text("the plugin registers ", operations_in(now),
                   " now; expected what it registered when it was met: ", operations_in(p.manifest))),
      plugin);
}

}  // namespace

const core::Plugin* defer(core::Session& session, const core::FoundPlugin& found,
                          const std::string& manifest) {
  Manifest m = manifest_from_json(found.path, manifest);
  if (is_taken(session, m)) return nullptr;
  core::Plugin& plugin = session.plugins().emplace_back();
  plugin.path = found.path;
  plugin.framework = found.framework;
  plugin.index = session.plugins().size() - 1;
  static_cast<core::PluginFacts&>(plugin) = m;
  plugin.operations = m.operations.size();
  plugin.on_demand = true;
  for (const auto& [opset, op] : m.operations) session.registry().defer(op, opset, plugin);
  // Behind whatever was deferred before.
  session.registry().open = [&session, earlier = std::move(session.registry().open),
                             it = Deferred{&plugin, found, std::move(m)}](const core::Plugin& wanted) {
    if (&wanted == it.plugin) return load_deferred(session, it);
    earlier(wanted);
  };
  return &plugin;
}

}  // namespace mo::app
