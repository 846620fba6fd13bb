// `plugin manifest FILE`: what the build runs behind each plugin.
#include "core/host/manifest.hpp"

#include "apps/mo-host/plugin/load_one.hpp"
#include "apps/mo-host/plugin/words.hpp"
#include "apps/mo-host/print.hpp"
#include "apps/mo-host/write_file.hpp"

namespace mo::app {

void manifest_word(Run& run, const Arguments& arguments, const std::vector<std::string>& operands) {
  SideSession side(run);
  const core::Plugin& plugin = side.load(operands.front());
  const std::string json = core::to_json(core::manifest_of(side.session(), plugin));
  const std::string to = arguments.path("output_file");
  if (to.empty()) return print(json);
  write_file(to, json);
}

}  // namespace mo::app
