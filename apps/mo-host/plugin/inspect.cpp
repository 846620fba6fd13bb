// `plugin inspect FILE`: everything there is to know of one plugin, and where each part of it comes from.
#include <fmt/format.h>

#include "apps/known_plugins/digest.hpp"
#include "apps/known_plugins/sha256.hpp"
#include "apps/mo-host/plugin/answer.hpp"
#include "apps/mo-host/plugin/inspect_report.hpp"
#include "apps/mo-host/plugin/load_one.hpp"
#include "apps/mo-host/plugin/words.hpp"
#include "core/support/paths.hpp"

namespace mo::app {

void inspect_word(Program& program, const Arguments& arguments, const std::vector<std::string>& operands) {
  Inspected i;
  i.path = core::resolve_path(operands.front());
  i.binary = read_elf(i.path);
  i.digest = sha256_of_file(i.path);
  i.loaded_digest = loaded_digest(i.path);
  i.manifest = read_manifest(i.path);
  i.source = i.manifest ? manifest_path(i.path) : "";
  if (arguments.flag("run")) {
    i.manifest = manifest_from_json(i.path, probed_manifest(program, i.path));
    check_registered(i.path, *i.manifest);
    i.source = "loading it";
  }
  answer(arguments, arguments.text("format") == "json" ? inspect_json(i) : inspect_text(i));
  check_manifest(i.path);  // what was shown is of another file
}

}  // namespace mo::app
