#include "apps/isolate/isolate.hpp"

#include <algorithm>
#include <system_error>

#include "apps/isolate/isolated.hpp"
#include "core/registry/refusal.hpp"
#include "core/support/contains.hpp"

namespace mo::app {

namespace {

// The one that is being loaded by this thread: an entry and a load function have no self.
std::shared_ptr<isolate::Isolated>& starting() {
  static thread_local std::shared_ptr<isolate::Isolated> one;
  return one;
}

mo_status load_isolated(mo_context* c) {
  const std::shared_ptr<isolate::Isolated> plugin = std::move(starting());
  return plugin->ask(
      static_cast<uint32_t>(isolate::Extra::load), 0, c, [](isolate::Shared&, isolate::Writer&) {},
      [](isolate::Shared&, isolate::Reader&) {});
}

const mo_plugin* descriptor_of_isolated() {
  static thread_local mo_plugin descriptor;
  const mo_plugin* theirs = starting()->descriptor();
  if (theirs == nullptr) return nullptr;
  descriptor = *theirs;
  descriptor.load = theirs->load == nullptr ? nullptr : &load_isolated;
  return &descriptor;
}

std::shared_ptr<isolate::Isolated> started(const core::Session& session, const core::FoundPlugin& found,
                                           const Isolation& isolation) {
  try {
    return std::make_shared<isolate::Isolated>(session, found, isolation.seconds);
  } catch (const std::system_error& e) {
    throw refusal(core::Rule::probe_not_started,
                  text("the process that the plugin is to run in cannot be started: ", e.what()));
  }
}

bool names(const Isolation& isolation, std::string_view id) { return core::contains(isolation.ids, id); }

}  // namespace

std::shared_ptr<isolate::Isolated> start_isolated(const core::Session& session,
                                                  const core::FoundPlugin& found, const Isolation& isolation,
                                                  bool built_in, const std::string& id) {
  const bool for_sure = !built_in && names(isolation, "all");
  const bool perhaps = id.empty() ? std::any_of(isolation.ids.begin(), isolation.ids.end(),
                                                [](const auto& named) { return named != "all"; })
                                  : names(isolation, id);
  if (!for_sure && !perhaps) return nullptr;
  auto plugin = started(session, found, isolation);
  plugin->start();
  return for_sure || names(isolation, plugin->id()) ? plugin : nullptr;
}

core::PluginEntry entry_of(std::shared_ptr<isolate::Isolated> plugin) {
  starting() = std::move(plugin);
  return &descriptor_of_isolated;
}

void check_isolation(const core::Session& session, const Isolation& isolation) {
  for (const std::string& id : isolation.ids) {
    std::string loaded;
    bool found = id == "all";
    for (const core::Plugin& p : session.plugins()) {
      found |= p.id == id;
      loaded += (loaded.empty() ? "" : ", ") + p.id;
    }
    if (!found)
      throw core::Failure(core::Exit::usage, "MO0125", text("--isolate: no plugin '", id, "' is loaded"))
          .with("plugins", loaded);
  }
}

}  // namespace mo::app
