#include "apps/mo-host/plugin/inspect_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "apps/mo-host/plugin/spelling.hpp"

namespace mo::app {

namespace {

using Json = nlohmann::ordered_json;

class Lines {
 public:
  void head(const std::string& s) { text_ += s + "\n"; }
  void add(std::string_view label, const std::string& value) {
    if (!value.empty()) text_ += fmt::format("  {:<16}{}\n", label, value);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

std::string extractor_text(const Manifest::Extractor& e) {
  return fmt::format("{} of {}{}, {}", e.op, e.framework.empty() ? "any framework" : e.framework,
                     e.domain.empty() ? "" : fmt::format(", domain '{}'", e.domain),
                     version_range(e.since, e.until));
}

void add_manifest(Lines& out, const Manifest& m) {
  out.add("plugin", m.id + " " + m.version);
  out.add("vendor", m.vendor);
  out.add("license", m.license);
  out.add("description", m.description);
  out.add("support", m.support_url);
  out.add("ABI", fmt::format("{}.{}", m.abi_major, m.abi_minor));
  out.add("registers", counts(m));
  for (const auto& f : m.frontends)
    out.add("front-end",
            fmt::format("{}{}{}", f.name,
                        f.aliases.empty() ? "" : fmt::format(", also {}", fmt::join(f.aliases, " ")),
                        f.extensions.empty() ? "" : fmt::format(", files {}", fmt::join(f.extensions, " "))));
  for (const auto& [opset, name] : m.operations) out.add("operation", opset + "::" + name);
  for (const auto& e : m.extractors) out.add("extractor", extractor_text(e));
  for (const auto& t : m.transformations) out.add("transformation", fmt::format("{} ({})", t.id, t.phase));
  for (const auto& o : m.options) out.add("option", "--" + o);
  for (const auto& c : m.converters) out.add("converter", c);
  for (const auto& i : m.interfaces) out.add("interface", fmt::format("{}, revision {}", i.name, i.revision));
}

std::string note_or_problem(const ElfFile& file) {
  if (file.note) return note_text(*file.note);
  return file.note_problem.empty() ? "none" : file.note_problem;
}

}  // namespace

std::string inspect_text(const Inspected& i) {
  Lines out;
  if (i.manifest) {
    out.head((i.source == "loading it" ? "by " : "from ") + i.source);
    add_manifest(out, *i.manifest);
  } else {
    out.head("there is no manifest " + manifest_path(i.path) +
             "\n  what the plugin registers is not known without running it: --run loads it and asks");
  }
  out.head("from " + i.path);
  out.add("machine", i.binary.machine);
  out.add("note", note_or_problem(i.binary));
  out.add("needs", fmt::format("{}", fmt::join(i.binary.needed, " ")));
  for (const auto& v : i.binary.versions)
    out.add("needs version", fmt::format("{} of {}", v.version, v.library));
  std::vector<std::string> exports;
  for (const auto& s : i.binary.exports) exports.push_back(s.name);
  out.add("exports", fmt::format("{}", fmt::join(exports, " ")));
  out.add("soname", i.binary.soname);
  out.add("runpath", i.binary.runpath);
  out.add("rpath", i.binary.rpath);
  out.add("build id", i.binary.build_id);
  out.add("sha-256", i.digest + " of the file: a lock has this");
  out.add("xxh3-128", i.loaded_digest + " of what is loaded: a manifest has this");
  return out.take();
}

std::string inspect_json(const Inspected& i) {
  Json j;
  j["file"] = i.path;
  j["registrations_from"] = i.source.empty() ? Json() : Json(i.source);
  j["registrations"] = i.manifest ? Json::parse(to_json(*i.manifest)) : Json();
  Json& b = j["binary"];
  b["machine"] = i.binary.machine;
  b["note"] = note_json(i.binary.note);
  if (!i.binary.note_problem.empty()) b["note_problem"] = i.binary.note_problem;
  b["needed"] = i.binary.needed;
  b["needed_versions"] = Json::array();
  for (const auto& v : i.binary.versions)
    b["needed_versions"].push_back({{"library", v.library}, {"version", v.version}});
  b["exports"] = Json::array();
  for (const auto& s : i.binary.exports) b["exports"].push_back(s.name);
  b["soname"] = i.binary.soname;
  b["runpath"] = i.binary.runpath;
  b["rpath"] = i.binary.rpath;
  b["build_id"] = i.binary.build_id;
  b["sha256"] = i.digest;
  b["loaded_xxh3_128"] = i.loaded_digest;
  // Texts of a binary need not be UTF-8.
  return j.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace mo::app
