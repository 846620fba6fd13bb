// `plugin inspect FILE`: everything there is to know of one plugin, and where each part of it comes from.
#include <fmt/format.h>

#include "apps/mo-host/plugin/inspect_report.hpp"
#include "apps/mo-host/plugin/load_one.hpp"
#include "apps/mo-host/plugin/words.hpp"
#include "apps/mo-host/print.hpp"
#include "core/host/digest.hpp"
#include "core/support/paths.hpp"

namespace mo::app {

void inspect_word(Run& run, const Arguments& arguments, const std::vector<std::string>& operands) {
  Inspected i;
  i.path = core::resolve_path(operands.front());
  i.binary = core::read_elf(i.path);
  i.digest = core::file_digest(i.path);
  i.loaded_digest = core::loaded_digest(i.path);
  i.manifest = core::read_manifest(i.path);
  i.source = i.manifest ? core::manifest_path(i.path) : "";
  if (arguments.flag("run")) {
    SideSession side(run);
    const core::Plugin& plugin = side.load(i.path);
    core::check_manifest(i.path, plugin, side.session());
    i.manifest = core::manifest_of(side.session(), plugin);
    i.source = "loading it";
  }
  print(arguments.text("format") == "json" ? inspect_json(i) : inspect_text(i));
  core::check_manifest(i.path);  // what was shown is of another file
}

}  // namespace mo::app
