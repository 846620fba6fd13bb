#include "apps/mo-host/crash/current_work.hpp"

#include <atomic>
#include <cstring>

#include "core/registry/at_work.hpp"

namespace mo::app {

namespace {

// A handler can only reach what lies at a fixed place.
std::atomic<const core::Session*> watched{nullptr};
char last_foreign[256];
char model_path[4096];

}  // namespace

CurrentWork current_work() {
  CurrentWork found;
  const core::Session* session = watched.load();
  for (size_t depth = session == nullptr ? 0 : session->call_depth(); depth-- > 0;) {
    const core::CallContext& c = session->call_at(depth);
    if (found.plugin == nullptr) found.plugin = c.plugin;
    if (found.transformation == nullptr) found.transformation = c.transformation;
    if (found.graph == nullptr && c.graph != nullptr && c.graph->alive(c.node)) {
      found.graph = c.graph;
      found.node = c.node;
    }
  }
  if (found.plugin == nullptr) found.plugin = core::at_work.plugin.load();
  return found;
}

void describe(SignalText& out, const CurrentWork& a) {
  if (a.graph != nullptr)
    (out << "  node    ").quote(a.graph->name(a.node)) << " (" << a.graph->op(a.node) << ")\n";
  if (a.transformation != nullptr) out << "  pass    " << a.transformation->id << "\n";
  if (a.plugin != nullptr && !a.plugin->id.empty())
    out << "  plugin  " << a.plugin->id << " " << a.plugin->version << " (" << a.plugin->path << ")\n";
  if (a.plugin != nullptr && core::at_work.plugin.load() == a.plugin)
    out << "  during  " << core::at_work.callback.load() << "\n";
  if (a.plugin != nullptr && !a.plugin->support_url.empty())
    out << "  support " << a.plugin->support_url << "\n";
  if (model_path[0] != 0) out << "  model   " << model_path << "\n";
}

std::string_view name_of(const core::Plugin& p) { return p.id.empty() ? p.path : p.id; }

void note_foreign_call(const core::Plugin* p) {
  const std::string_view name = name_of(*p);
  const size_t n = std::min(name.size(), sizeof last_foreign - 1);
  std::memcpy(last_foreign, name.data(), n);
  last_foreign[n] = 0;
}

const char* last_foreign_call() { return last_foreign; }

const core::Session* watched_session() { return watched.load(); }

void watch_session(const core::Session* session) { watched.store(session); }

void watch_model(const std::string& path) {
  const size_t n = std::min(path.size(), sizeof model_path - 1);
  std::memcpy(model_path, path.data(), n);
  model_path[n] = 0;
}

}  // namespace mo::app
