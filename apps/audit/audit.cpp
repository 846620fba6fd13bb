#include "apps/audit/audit.hpp"

#include <algorithm>

#include "apps/audit/abi_releases.hpp"
#include "apps/audit/system_libraries.hpp"
#include "core/host/descriptor.hpp"
#include "core/registry/refusal.hpp"
#include "core/support/split.hpp"

namespace mo::app {

namespace {

constexpr std::string_view entry_symbol = "mo_plugin_entry";
// What a runtime looks for in a library of extensions, and the library of the runtime.
constexpr std::string_view runtime_entry = "create_extensions", runtime_library = "libopenvino.so.";
constexpr size_t most_shown = 8;

std::string first_of_all(const std::vector<std::string>& list) {
  std::string out;
  for (size_t i = 0; i < std::min(list.size(), most_shown); ++i) out += text(i == 0 ? "" : ", ", list[i]);
  if (list.size() > most_shown) out += text(" and ", list.size() - most_shown, " more");
  return out;
}

class Auditing {
 public:
  explicit Auditing(Audit& audit) : audit_(audit), file_(audit.file) {}

  void all() {
    for (const std::string& n : file_.needed)
      if (n.starts_with(runtime_library)) runtime_ = n;
    const auto is_entry = [](std::string_view name) {
      return [name](const ElfSymbol& s) { return s.name == name && s.function; };
    };
    serves_runtime_ =
        !runtime_.empty() && std::any_of(file_.exports.begin(), file_.exports.end(), is_entry(runtime_entry));
    if (serves_runtime_) extension();
    // The one is no plugin, and is no worse for that.
    if (serves_runtime_ && std::none_of(file_.exports.begin(), file_.exports.end(), is_entry(entry_symbol))) {
      needs();
      memory();
      run_path();
      copies();
      return;
    }
    note();
    exports();
    needs();
    memory();
    run_path();
    copies();
    for (const AbiRelease& r : abi_releases()) audit_.verdicts.push_back(verdict(r));
    if (!audit_.verdicts.empty() && audit_.verdicts.back().is_known && !audit_.verdicts.back().loads)
      fault("abi", audit_.verdicts.back().why);
  }

 private:
  void fault(std::string_view about, std::string sentence) {
    audit_.findings.push_back({true, std::string(about), std::move(sentence)});
  }
  void remark(std::string_view about, std::string sentence) {
    audit_.findings.push_back({false, std::string(about), std::move(sentence)});
  }

  // "2025.4.1" of "libopenvino.so.2541".
  void extension() {
    const std::string number = runtime_.substr(runtime_library.size());
    const bool is_known = number.size() >= 4 && number.find_first_not_of("0123456789") == std::string::npos;
    const std::string release =
        is_known ? text(" 20", number.substr(0, 2), ".", number.substr(2, 1), ".", number.substr(3)) : "";
    const bool new_strings = std::any_of(file_.imports.begin(), file_.imports.end(), [](const ElfSymbol& s) {
      return s.name.find("__cxx11") != std::string::npos;
    });
    remark("runtime", text("a library of extensions for OpenVINO", release, " (", runtime_,
                           ", _GLIBCXX_USE_CXX11_ABI=", new_strings ? 1 : 0,
                           "): Core::add_extension and benchmark_app -extensions of that release take it"));
  }

  void note() {
    if (!file_.note_problem.empty())
      fault("note", file_.note_problem);
    else if (!file_.note)
      fault("note",
            "there is no note of the ABI it needs; expected MO_PLUGIN (C++) or MO_PLUGIN_NOTE (C) in one "
            "source");
  }

  void exports() {
    std::vector<std::string> others, unique;
    has_entry_ = false;
    for (const ElfSymbol& s : file_.exports) {
      if (s.name == entry_symbol && s.function)
        has_entry_ = true;
      else if (!serves_runtime_ || s.name != runtime_entry)
        others.push_back(s.name);
      if (s.unique) unique.push_back(s.name);
    }
    if (!has_entry_)
      fault("exports", text(rule_name(core::Rule::entry_missing), " it exports no function ", entry_symbol));
    if (!others.empty())
      fault("exports",
            text("it exports ", others.size(), others.size() == 1 ? " symbol" : " symbols", " besides ",
                 entry_symbol, ", which may clash with others: ", first_of_all(others)));
    if (!unique.empty())
      fault("unique", text("GNU-unique symbols are shared by the whole process: ", first_of_all(unique),
                           "; build with -fno-gnu-unique"));
  }

  void needs() {
    Resolution r = resolve_symbols(audit_.path, file_);
    // Whoever loads it has the runtime, wherever that is.
    if (serves_runtime_ && std::erase(r.missing, runtime_) != 0) r.undefined.clear();
    if (!r.missing.empty())
      fault("libraries", text(rule_name(core::Rule::library_missing),
                              " libraries that this system does not have: ", first_of_all(r.missing)));
    if (!r.undefined.empty())
      fault("symbols", text(rule_name(core::Rule::symbol_missing),
                            " symbols that no library it names defines here: ", first_of_all(r.undefined)));
    for (const ElfNeededVersion& v : file_.versions)
      if (v.version.ends_with("_PRIVATE"))
        fault("symbols",
              text("it uses internals of ", v.library, " (", v.version, "), which change at any time"));
    if (audit_.systems.empty())
      remark(
          "systems",
          "it needs newer C or C++ libraries than any release of Debian and Ubuntu has that is known here");
  }

  void memory() {
    if (file_.executable_stack)
      fault("stack",
            "it asks for an executable stack; link with -z noexecstack, and say so in assembly sources");
    if (file_.text_relocations)
      fault("code", "its code has to be changed when it is loaded (text relocations); compile with -fPIC");
  }

  void run_path() {
    for (const std::string& path : {file_.rpath, file_.runpath}) {
      if (path.empty()) continue;
      bool fixed = false;
      core::each_part(path, ':', [&](std::string_view part) {
        fixed |= !part.starts_with("$ORIGIN") && !part.starts_with("${ORIGIN}");
      });
      if (fixed)
        fault("runpath", text("libraries are looked for in '", path,
                              "', as on the machine where it was built; expected none, or $ORIGIN/…"));
      else
        remark("runpath", text("libraries are looked for beside it: '", path, "'"));
    }
  }

  void copies() {
    for (const EmbeddedLibrary& e : audit_.embedded) {
      const std::string what = text("it has a copy of ", e.name, " inside, ",
                                    e.is_certain ? "certainly" : "probably", ": ", e.evidence);
      if (e.is_exported)
        fault("copies", what + "; its symbols are exported and clash with the library itself");
      else
        remark("copies", what + "; it is not visible from outside");
    }
  }

  AuditVerdict verdict(const AbiRelease& r) const {
    AuditVerdict v{name_of(r), true, false, {}};
    if (!has_entry_) {
      v.why = text(rule_name(core::Rule::entry_missing), " it exports no function ", entry_symbol);
    } else if (!file_.note) {
      v.is_known = false;
      v.why = "the file does not say which ABI it needs";
    } else if (file_.note->abi_major != MO_ABI_MAJOR) {
      v.why = text(rule_name(core::Rule::other_major), " it is for ABI ", file_.note->abi_major, ".",
                   file_.note->abi_minor, "; between majors there is no compatibility");
    } else if (file_.note->abi_candidate != MO_ABI_CANDIDATE) {
      v.why =
          text(rule_name(core::Rule::other_major), " ", core::candidate_advice(file_.note->abi_candidate));
    } else if (file_.note->abi_lowest_minor > r.minor) {
      v.why = text(rule_name(core::Rule::needs_newer_host), " it needs ABI ", file_.note->abi_major, ".",
                   file_.note->abi_lowest_minor, " or newer");
    } else {
      v.loads = true;
    }
    return v;
  }

  Audit& audit_;
  const ElfFile& file_;
  bool has_entry_ = false;
  std::string runtime_;  // the library of a runtime that it needs; "": none
  bool serves_runtime_ = false;
};

}  // namespace

bool Audit::has_faults() const {
  return std::any_of(findings.begin(), findings.end(), [](const AuditFinding& f) { return f.is_fault; });
}

Audit audit_plugin(const std::string& path) {
  Audit audit;
  audit.path = path;
  try {
    audit.file = read_elf(path);
  } catch (const core::Failure& f) {
    audit.findings.push_back({true, "file", text(f.code(), " ", f.message())});
    return audit;
  }
  audit.is_library = true;
  audit.floor = floor_of(audit.file);
  audit.systems = oldest_with(audit.floor);
  audit.embedded = embedded_libraries(path, audit.file);
  Auditing(audit).all();
  return audit;
}

}  // namespace mo::app
