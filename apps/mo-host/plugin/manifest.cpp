// `plugin manifest FILE`: what the build runs behind each plugin.
#include "apps/mo-host/plugin/answer.hpp"
#include "apps/mo-host/plugin/load_one.hpp"
#include "apps/mo-host/plugin/words.hpp"

namespace mo::app {

void manifest_word(Program& program, const Arguments& arguments, const std::vector<std::string>& operands) {
  answer(arguments, probed_manifest(program, operands.front()));
}

}  // namespace mo::app
