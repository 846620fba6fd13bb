// `plugin why OP`: who converts an operation, or why nobody does. `plugin why FILE`: what becomes of a
// plugin.
#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "apps/known_plugins/elf_file.hpp"
#include "apps/known_plugins/manifest.hpp"
#include "apps/known_plugins/rule_texts.hpp"
#include "apps/mo-host/output/print.hpp"
#include "apps/mo-host/plugin/answer.hpp"
#include "apps/mo-host/plugin/claims.hpp"
#include "apps/mo-host/plugin/load_one.hpp"
#include "apps/mo-host/plugin/spelling.hpp"
#include "apps/mo-host/plugin/words.hpp"
#include "apps/session/own_search_path.hpp"
#include "core/registry/refusal.hpp"
#include "core/support/numbers.hpp"
#include "core/support/paths.hpp"
#include "core/support/split.hpp"

namespace mo::app {

namespace {

// What a conversion would load. When that fails as a whole, the reason is in `trouble`, and what --extensions
// names is left out.
core::LoadReport load_as_a_conversion(SideSession& side, const Program& program, bool with_named,
                                      const Arguments& arguments) {
  const SearchPath own = own_search_path();
  CarefulRequest request = program.load_request(own);
  if (with_named) request.named = arguments.paths("extensions");
  if (!arguments.has("extensions") || !arguments.paths("extensions").empty()) request.searched = own.searched;
  return load_carefully(side.session(), request);
}

void why_operation(Program& program, const Arguments& arguments, const std::string& name) {
  Claims claims;
  {
    SideSession side(program);
    try {
      const core::LoadReport report = load_as_a_conversion(side, program, true, arguments);
      claims = claims_of(side.session(), report, name);
    } catch (const core::Failure& f) {
      claims.trouble = f.render();
    }
  }
  if (!claims.trouble.empty()) {
    SideSession side(program);
    const std::string trouble = std::move(claims.trouble);
    claims = claims_of(side.session(), load_as_a_conversion(side, program, false, arguments), name);
    claims.trouble = trouble;
  }
  answer(arguments, arguments.text("format") == "json" ? claims_json(claims) : claims_text(claims));
  if (is_unknown(claims))
    throw core::Failure(core::Exit::model, "MO0144", "no plugin knows '" + name + "'")
        .with("hint", "`mo-host list operators` shows what is converted, `mo-host list ops` the operations");
}

std::string known_before(const std::string& path) {
  const auto note = read_plugin_note(path);
  std::string out = fmt::format("  note      {}\n", note ? note_text(*note) : "none");
  try {
    const auto m = read_manifest(path);
    out += m ? fmt::format("  manifest  {} {}: {}\n", m->id, m->version, counts(*m)) : "  manifest  none\n";
  } catch (const core::Failure& f) {
    out += "  manifest  " + core::in_one_line(f) + "\n";
  }
  return out;
}

// The rules that a failure names: its code, and the lines of a message that tells several faults at once.
std::set<int> rules_in(const core::Failure& f) {
  std::set<int> numbers;
  core::each_part(f.code() + " " + f.message(), '\n', [&](std::string_view line) {
    if (line.size() < 8 || !line.starts_with("MOX-") || line[7] != ' ') return;
    if (const auto number = core::parse_number<int>(line.substr(4, 3))) numbers.insert(*number);
  });
  return numbers;
}

void add_line(std::string& lines, std::string_view line) {
  if (lines.find(line) == std::string::npos) lines += fmt::format("{}{}", lines.empty() ? "" : "\n", line);
}

// With the text of each broken rule, and what follows.
core::Failure explained(core::Failure f) {
  std::string texts, consequences;
  const std::set<int> broken = rules_in(f);
  for (const HostRule& r : host_rules()) {
    if (!broken.contains(static_cast<int>(r.rule))) continue;
    add_line(texts, fmt::format("{}: {}", core::rule_name(r.rule), r.text));
    add_line(consequences, consequence_of(r.rule));
  }
  if (texts.empty()) return f;
  return f.with("rule", texts).with("follows", consequences);
}

// As --extensions FILE does; what is wrong ends the program with the rule that is broken.
void why_file(Program& program, const std::string& path) {
  print(path + "\n" + known_before(path));
  SideSession side(program);
  CarefulRequest request = program.load_request(own_search_path());
  request.named = {path};
  core::LoadReport report;
  try {
    report = load_carefully(side.session(), request);
    (void)side.session().registry().operations();  // opens what is kept for when it is needed
  } catch (core::Failure& f) {
    throw explained(std::move(f));
  }
  for (const core::Plugin* p : report.loaded) {
    std::error_code error;
    if (!std::filesystem::equivalent(p->path, path, error)) continue;
    std::string out =
        fmt::format("  loads     {} {}: {}{}\n", p->id, p->version, counts(contents_of(side.session(), *p)),
                    p->built_in ? ", one of the host's own" : "");
    for (const std::string& note : p->notes) out += "            " + note + "\n";
    print(out);
  }
}

}  // namespace

void why_word(Program& program, const Arguments& arguments, const std::vector<std::string>& operands) {
  const std::string& asked = operands.front();
  std::error_code error;
  const bool is_file = asked.ends_with(".so") || asked.find('/') != std::string::npos ||
                       std::filesystem::is_regular_file(asked, error);
  if (is_file) return why_file(program, core::resolve_path(asked));
  why_operation(program, arguments, asked);
}

}  // namespace mo::app
