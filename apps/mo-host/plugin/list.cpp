// `plugin list`: the plugins that are found, judged by their manifests and notes, without running any of
// them.
#include <fmt/format.h>

#include "apps/known_plugins/elf_file.hpp"
#include "apps/known_plugins/manifest.hpp"
#include "apps/mo-host/plugin/answer.hpp"
#include "apps/mo-host/plugin/found.hpp"
#include "apps/mo-host/plugin/words.hpp"
#include "apps/mo-host/table.hpp"
#include "core/registry/refusal.hpp"

namespace mo::app {

namespace {

using Row = std::vector<std::string>;  // plugin, version, ABI, offers, from, file

std::string for_only(const core::FoundPlugin& f) {
  return f.framework.empty() ? "" : " (for " + f.framework + " only)";
}

Row row_of(const core::FoundPlugin& f) {
  try {
    if (const auto m = core::read_manifest(f.path)) {
      core::check_manifest(f.path);
      return {m->id,
              m->version,
              fmt::format("{}.{}", m->abi_major, m->abi_minor),
              core::counts(*m) + for_only(f),
              "manifest",
              f.path};
    }
  } catch (const core::Failure& e) {
    return {"refused", "", "", core::in_one_line(e), "manifest", f.path};
  }
  if (const auto n = core::read_plugin_note(f.path))
    return {n->id,
            n->version,
            fmt::format("{}.{}", n->abi_major, n->abi_minor),
            "no manifest tells" + for_only(f),
            "note",
            f.path};
  return {"not known", "", "", "neither manifest nor note tells" + for_only(f), "nothing", f.path};
}

}  // namespace

void list_word(Run& run, const Arguments& arguments, const std::vector<std::string>& operands) {
  Table t{"Plugins",
          {"plugin", "version", "ABI", "offers", "from", "file"},
          {},
          "no plugin is found where mo-host looks for them"};
  for (const core::Discovery& found : find_plugins(run, arguments, operands)) {
    for (const core::FoundPlugin& f : found.plugins) t.rows.push_back(row_of(f));
    for (const auto& [path, why] : found.refused)
      t.rows.push_back({"refused", "", "", core::in_one_line(why), "the file", path});
  }
  answer(arguments, arguments.text("format") == "json" ? as_json(t) : as_text(t));
}

}  // namespace mo::app
