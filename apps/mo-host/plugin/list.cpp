// `plugin list`: the plugins that are found, judged by their manifests and notes, without running any of
// them.
#include <fmt/format.h>

#include "apps/known_plugins/elf_file.hpp"
#include "apps/known_plugins/first_contact.hpp"
#include "apps/known_plugins/manifest.hpp"
#include "apps/mo-host/output/table.hpp"
#include "apps/mo-host/plugin/answer.hpp"
#include "apps/mo-host/plugin/found.hpp"
#include "apps/mo-host/plugin/words.hpp"
#include "apps/mo-host/program/program.hpp"
#include "core/registry/refusal.hpp"

namespace mo::app {

namespace {

using Row = std::vector<std::string>;  // plugin, version, ABI, state, offers, from, file, why
constexpr size_t why_column = 7;

std::string for_only(const core::FoundPlugin& f) {
  return f.framework.empty() ? "" : " (for " + f.framework + " only)";
}

Row row_of(const core::FoundPlugin& f) {
  try {
    if (const auto m = read_manifest(f.path)) {
      check_manifest(f.path);
      return {m->id,
              m->version,
              fmt::format("{}.{}", m->abi_major, m->abi_minor),
              "",
              counts(*m) + for_only(f),
              "manifest",
              f.path,
              ""};
    }
  } catch (const core::Failure& e) {
    return {"", "", "", "refused", "", "manifest", f.path, core::in_one_line(e)};
  }
  if (const auto n = read_plugin_note(f.path))
    return {n->id,
            n->version,
            fmt::format("{}.{}", n->abi_major, n->abi_minor),
            "",
            "no manifest tells" + for_only(f),
            "note",
            f.path,
            ""};
  return {"not known", "", "", "", "neither manifest nor note tells" + for_only(f), "nothing", f.path, ""};
}

// What has crashed once is not loaded again, whatever its files say.
void mark_set_aside(const Program& program, const core::FoundPlugin& f, Row& row) {
  const auto known = met_before(program.session(), f, plugin_cache_folder());
  if (!known || !known->refused) return;
  row[3] = "set aside";
  row[why_column] = fmt::format("{}; since {}, `mo-host plugin release {}` has it tried again",
                                core::in_one_line(*known->refused), known->since, f.path);
}

// The reasons are sentences: they stand below the table.
std::string text_of(Table t) {
  std::string reasons;
  for (Row& row : t.rows) {
    if (!row[why_column].empty()) reasons += fmt::format("\n{}: {}\n  {}\n", row[6], row[3], row[why_column]);
    row.pop_back();
  }
  t.columns.pop_back();
  return as_text(t) + reasons;
}

}  // namespace

void list_word(Program& program, const Arguments& arguments, const std::vector<std::string>& operands) {
  Table t{"Plugins",
          {"plugin", "version", "ABI", "state", "offers", "from", "file", "why"},
          {},
          "no plugin is found where mo-host looks for them"};
  for (const core::Discovery& found : find_plugins(program, arguments, operands)) {
    for (const core::FoundPlugin& f : found.plugins) {
      t.rows.push_back(row_of(f));
      mark_set_aside(program, f, t.rows.back());
    }
    for (const auto& [path, why] : found.refused)
      t.rows.push_back({"", "", "", "refused", "", "the file", path, core::in_one_line(why)});
  }
  answer(arguments, arguments.text("format") == "json" ? as_json(t) : text_of(t));
}

}  // namespace mo::app
