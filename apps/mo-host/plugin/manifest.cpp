// `plugin manifest FILE`: what the build runs behind each plugin.
#include "core/host/manifest.hpp"

#include "apps/mo-host/plugin/answer.hpp"
#include "apps/mo-host/plugin/load_one.hpp"
#include "apps/mo-host/plugin/words.hpp"

namespace mo::app {

void manifest_word(Run& run, const Arguments& arguments, const std::vector<std::string>& operands) {
  SideSession side(run);
  const core::Plugin& plugin = side.load(operands.front());
  answer(arguments, core::to_json(core::manifest_of(side.session(), plugin)));
}

}  // namespace mo::app
