// `plugin why OP`: who converts an operation, or why nobody does. `plugin why FILE`: what becomes of a
// plugin.
#include <fmt/format.h>

#include <filesystem>

#include "apps/mo-host/plugin/claims.hpp"
#include "apps/mo-host/plugin/found.hpp"
#include "apps/mo-host/plugin/load_one.hpp"
#include "apps/mo-host/plugin/words.hpp"
#include "apps/mo-host/print.hpp"
#include "core/host/elf.hpp"
#include "core/host/manifest.hpp"
#include "core/host/refusal.hpp"
#include "core/support/paths.hpp"

namespace mo::app {

namespace {

// What a conversion would load. When that fails as a whole, the reason is in `trouble`, and what --extensions
// names is left out.
core::LoadReport load_as_a_conversion(SideSession& side, const Run& run, bool with_named,
                                      const Arguments& arguments) {
  const core::SearchPath own = own_search_path();
  core::LoadRequest request;
  request.built_in = own.built_in;
  request.allow_writable_folders = run.early().allow_writable_folders;
  request.locked = run.early().locked;
  if (run.early().prefer) request.prefer = *run.early().prefer;
  if (with_named) request.named = arguments.paths("extensions");
  if (!arguments.has("extensions") || !arguments.paths("extensions").empty()) request.searched = own.searched;
  return core::load_plugins(side.session(), request);
}

void why_operation(Run& run, const Arguments& arguments, const std::string& name) {
  Claims claims;
  {
    SideSession side(run);
    try {
      const core::LoadReport report = load_as_a_conversion(side, run, true, arguments);
      claims = claims_of(side.session(), report, name);
    } catch (const core::Failure& f) {
      claims.trouble = f.render();
    }
  }
  if (!claims.trouble.empty()) {
    SideSession side(run);
    const std::string trouble = std::move(claims.trouble);
    claims = claims_of(side.session(), load_as_a_conversion(side, run, false, arguments), name);
    claims.trouble = trouble;
  }
  print(arguments.text("format") == "json" ? claims_json(claims) : claims_text(claims));
}

std::string known_before(const std::string& path) {
  std::string out;
  if (const auto n = core::read_plugin_note(path))
    out += fmt::format("  note      {} {}, for ABI {}.{}, runs on {}.{} or newer\n", n->id, n->version,
                       n->abi_major, n->abi_minor, n->abi_major, n->abi_lowest_minor);
  else
    out += "  note      none\n";
  try {
    const auto m = core::read_manifest(path);
    out += m ? fmt::format("  manifest  {} {}: {}\n", m->id, m->version, core::counts(*m))
             : "  manifest  none\n";
  } catch (const core::Failure& f) {
    out += "  manifest  " + core::in_one_line(f) + "\n";
  }
  return out;
}

// As --extensions FILE does; what is wrong ends the program with the rule that is broken.
void why_file(Run& run, const std::string& path) {
  print(path + "\n" + known_before(path));
  SideSession side(run);
  core::LoadRequest request;
  request.built_in = own_search_path().built_in;
  request.named = {path};
  request.locked = run.early().locked;
  if (run.early().prefer) request.prefer = *run.early().prefer;
  request.allow_writable_folders = run.early().allow_writable_folders;
  const core::LoadReport report = core::load_plugins(side.session(), request);
  for (const core::Plugin* p : report.loaded) {
    std::error_code error;
    if (!std::filesystem::equivalent(p->path, path, error)) continue;
    std::string out = fmt::format("  loads     {} {}: {}{}\n", p->id, p->version,
                                  core::counts(core::contents_of(side.session(), *p)),
                                  p->built_in ? ", one of the host's own" : "");
    for (const std::string& note : p->notes) out += "            " + note + "\n";
    print(out);
  }
}

}  // namespace

void why_word(Run& run, const Arguments& arguments, const std::vector<std::string>& operands) {
  const std::string& asked = operands.front();
  std::error_code error;
  const bool is_file = asked.ends_with(".so") || asked.find('/') != std::string::npos ||
                       std::filesystem::is_regular_file(asked, error);
  if (is_file) return why_file(run, core::resolve_path(asked));
  why_operation(run, arguments, asked);
}

}  // namespace mo::app
