// `plugin audit FILE...`: what the file alone tells of hosts and systems it loads on, and of what is wrong
// with it.
#include "apps/audit/audit.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "apps/mo-host/plugin/answer.hpp"
#include "apps/mo-host/plugin/spelling.hpp"
#include "apps/mo-host/plugin/words.hpp"
#include "core/support/failure.hpp"
#include "core/support/paths.hpp"

namespace mo::app {

namespace {

using Json = nlohmann::ordered_json;

std::string line(std::string_view label, const std::string& value) {
  return value.empty() ? "" : fmt::format("  {:<12}{}\n", label, value);
}

std::string family(std::string_view prefix, const std::string& version) {
  return version.empty() ? "" : fmt::format("{}{}", prefix, version);
}

std::string floor_text(const SystemFloor& f) {
  std::string out;
  for (const std::string& part :
       {family("GLIBC_", f.glibc), family("GLIBCXX_", f.glibcxx), family("CXXABI_", f.cxxabi)})
    if (!part.empty()) out += (out.empty() ? "" : ", ") + part;
  return out;
}

std::string audit_text(const Audit& a) {
  std::string out = a.path + "\n";
  if (a.file.note) out += line("plugin", note_text(*a.file.note));
  if (a.is_library) {
    out += line("machine", a.file.machine);
    out += line("needs", fmt::format("{}", fmt::join(a.file.needed, " ")));
    out += line("floor", floor_text(a.floor));
    out += line("systems", a.systems.empty() ? "" : fmt::format("{} and newer", fmt::join(a.systems, ", ")));
  }
  for (const AuditVerdict& v : a.verdicts)
    out += line("ABI " + v.abi, v.loads ? "loads" : (v.is_known ? "refused: " : "not known: ") + v.why);
  for (const AuditFinding& f : a.findings) out += line(f.is_fault ? "fault" : "remark", f.sentence);
  return out;
}

Json audit_json(const Audit& a) {
  Json j;
  j["file"] = a.path;
  j["is_library"] = a.is_library;
  j["faults"] = a.has_faults();
  j["machine"] = a.file.machine;
  j["note"] = note_json(a.file.note);
  j["needed"] = a.file.needed;
  j["floor"] = {{"glibc", a.floor.glibc}, {"glibcxx", a.floor.glibcxx}, {"cxxabi", a.floor.cxxabi}};
  j["systems"] = a.systems;
  for (const char* list : {"embedded", "verdicts", "findings"}) j[list] = Json::array();
  for (const auto& e : a.embedded)
    j["embedded"].push_back({{"library", e.name},
                             {"certain", e.is_certain},
                             {"exported", e.is_exported},
                             {"evidence", e.evidence}});
  for (const auto& v : a.verdicts)
    j["verdicts"].push_back({{"abi", v.abi},
                             {"verdict", v.loads      ? "loads"
                                         : v.is_known ? "refused"
                                                      : "not known"},
                             {"why", v.why}});
  for (const auto& f : a.findings)
    j["findings"].push_back({{"fault", f.is_fault}, {"about", f.about}, {"text", f.sentence}});
  return j;
}

}  // namespace

void audit_word(Program&, const Arguments& arguments, const std::vector<std::string>& operands) {
  const bool as_json = arguments.text("format") == "json";
  Json all = Json::array();
  std::string out;
  size_t with_faults = 0;
  for (const std::string& operand : operands) {
    const Audit a = audit_plugin(core::resolve_path(operand));
    with_faults += a.has_faults() ? 1 : 0;
    if (as_json)
      all.push_back(audit_json(a));
    else
      out += audit_text(a);
  }
  // Texts of a binary need not be UTF-8.
  answer(arguments, as_json ? all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n" : out);
  if (with_faults != 0)
    throw core::Failure(core::Exit::model, "MO0804",
                        fmt::format("{} of {} files {} faults", with_faults, operands.size(),
                                    with_faults == 1 ? "has" : "have"));
}

}  // namespace mo::app
