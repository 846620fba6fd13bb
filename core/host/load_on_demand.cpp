#include "core/host/load_on_demand.hpp"

#include <algorithm>
#include <map>

#include "core/host/loader.hpp"
#include "core/host/manifest.hpp"

namespace mo::core {

namespace {

struct Promised {
  Plugin* plugin;
  FoundPlugin found;
  Manifest manifest;
};

bool is_taken(const Session& session, const Manifest& m) {
  const auto has_id = [&](const Plugin& p) { return p.id == m.id; };
  const auto has_operation = [&](const auto& o) {
    return session.registry().is_promised(o.second, o.first) ||
           session.registry().operation(o.second, o.first) != nullptr;
  };
  return std::any_of(session.plugins().begin(), session.plugins().end(), has_id) ||
         std::any_of(m.operations.begin(), m.operations.end(), has_operation);
}

}  // namespace

const Plugin* promise(Session& session, const FoundPlugin& found, const std::string& manifest) {
  Manifest m = manifest_from_json(found.path, manifest);
  if (is_taken(session, m)) return nullptr;
  Plugin& plugin = session.plugins().emplace_back();
  plugin.path = found.path;
  plugin.framework = found.framework;
  plugin.index = session.plugins().size() - 1;
  static_cast<PluginFacts&>(plugin) = m;
  plugin.operations = m.operations.size();
  plugin.on_demand = true;
  for (const auto& [opset, op] : m.operations) session.registry().promise(op, opset, plugin);
  // Behind whatever was promised before.
  session.registry().open = [&session, earlier = std::move(session.registry().open),
                             it = Promised{&plugin, found, std::move(m)}](const Plugin& wanted) {
    if (&wanted == it.plugin) return load_promised(session, *it.plugin, it.found, it.manifest);
    earlier(wanted);
  };
  return &plugin;
}

}  // namespace mo::core
