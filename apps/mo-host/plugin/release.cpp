// Forgets what first contact with plugins gave.
#include "apps/known_plugins/plugin_cache.hpp"
#include "apps/mo-host/output/print.hpp"
#include "apps/mo-host/plugin/words.hpp"
#include "apps/mo-host/program/program.hpp"
#include "apps/plugin_search/discovery.hpp"
#include "core/support/paths.hpp"

namespace mo::app {

void release_word(Program&, const Arguments&, const std::vector<std::string>& operands) {
  const PluginCache cache(plugin_cache_folder(), "");
  std::string out;
  for (const std::string& path : operands) {
    const std::string resolved = core::resolve_path(path);
    // Whoever owns them: nothing is run.
    const core::Discovery found = discover(resolved, {.any_owner = true, .allow_writable_folders = true});
    if (found.plugins.empty())
      throw core::Failure(core::Exit::usage, "MO0120",
                          "'" + resolved + "' has no plugin that could be released");
    for (const core::FoundPlugin& f : found.plugins)
      out += f.path +
             (cache.forget(f) ? ": is loaded as if for the first time\n" : ": nothing was known of it\n");
  }
  print(out);
}

}  // namespace mo::app
