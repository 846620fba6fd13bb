#include "apps/config_tools/config_file.hpp"

#include <re2/re2.h>

#include <cmath>
#include <filesystem>
#include <iterator>

#include <mo/text.hpp>
#include <nlohmann/json.hpp>

#include "apps/config_tools/shipped.hpp"
#include "apps/files/regular_file.hpp"
#include "core/support/contains.hpp"
#include "core/support/failure.hpp"
#include "core/support/nearest.hpp"

namespace mo::app {

namespace {

using Kind = LocatedJson::Kind;

const std::vector<std::string> known_keys = {"id",
                                             "match_kind",
                                             "op",
                                             "instances",
                                             "inputs",
                                             "outputs",
                                             "custom_attributes",
                                             "include_inputs_to_sub_graph",
                                             "include_outputs_to_sub_graph"};

nlohmann::ordered_json to_json(const LocatedJson& v) {
  switch (v.kind) {
    case Kind::boolean:
      return v.boolean;
    case Kind::number:
      // Integers stay integers; those above 2^53 were never exact in JSON.
      if (v.number == std::floor(v.number) && std::fabs(v.number) <= 9007199254740992.0)
        return static_cast<int64_t>(v.number);
      return v.number;
    case Kind::string:
      return v.string;
    case Kind::array: {
      auto list = nlohmann::ordered_json::array();
      for (const LocatedJson& i : v.items) list.push_back(to_json(i));
      return list;
    }
    case Kind::object: {
      auto object = nlohmann::ordered_json::object();
      for (const auto& m : v.members) object[m.key] = to_json(m.value);
      return object;
    }
    default:
      return nullptr;
  }
}

// Reads one entry; problems of all entries are gathered.
class EntryReader {
 public:
  EntryReader(const std::string& path, std::string& problems) : path_(path), problems_(problems) {}

  core::ConfigEntry read(const LocatedJson& v) {
    core::ConfigEntry e;
    e.file = path_;
    e.line = v.line;
    if (!is(v, Kind::object, "the entry")) return e;
    unknown_keys(v);
    e.id = required_text(v, "id");
    read_kind(v, e);
    if (const LocatedJson* a = v.find("custom_attributes");
        a != nullptr && is(*a, Kind::object, "\"custom_attributes\""))
      e.custom_attributes = to_json(*a).dump();
    if (const LocatedJson* op = v.find("op"); op != nullptr) e.op = required_text(v, "op");
    if (e.kind == core::ConfigEntry::Kind::general) {
      if (!e.op.empty()) problem(v.find("op")->line, "\"op\" needs \"match_kind\" \"scope\" or \"points\"");
      return e;
    }
    read_instances(v, e);
    if (const LocatedJson* in = v.find("inputs")) read_inputs(*in, e);
    if (const LocatedJson* out = v.find("outputs")) e.outputs = ports(*out, "\"outputs\"");
    return e;
  }

 private:
  void problem(size_t line, const std::string& what) {
    problems_ += text("\n  ", path_, ":", line, ": ", what);
  }

  bool is(const LocatedJson& v, Kind kind, const std::string& what) {
    if (v.kind == kind) return true;
    problem(v.line, text(what, " is ", name(v.kind), ", expected ", name(kind)));
    return false;
  }

  // What is near a known key is misspelt; anything else is the author's own, and ignored.
  void unknown_keys(const LocatedJson& v) {
    for (const auto& m : v.members) {
      if (core::contains(known_keys, m.key)) continue;
      if (const std::string guess = core::did_you_mean(m.key, known_keys); !guess.empty())
        problem(m.line, text("there is no key \"", m.key, "\": ", guess));
    }
  }

  std::string required_text(const LocatedJson& v, const std::string& key) {
    const LocatedJson* found = v.find(key);
    if (found == nullptr) {
      problem(v.line, text("the entry has no \"", key, "\""));
      return {};
    }
    if (!is(*found, Kind::string, text('"', key, '"'))) return {};
    if (found->string.empty()) problem(found->line, text('"', key, "\" is empty"));
    return found->string;
  }

  void read_kind(const LocatedJson& v, core::ConfigEntry& e) {
    const std::string kind = required_text(v, "match_kind");
    if (kind == "scope")
      e.kind = core::ConfigEntry::Kind::scope;
    else if (kind == "points")
      e.kind = core::ConfigEntry::Kind::points;
    else if (!kind.empty() && kind != "general")
      problem(v.find("match_kind")->line,
              text("\"match_kind\" is \"", kind, "\", expected \"scope\", \"points\" or \"general\""));
  }

  void read_instances(const LocatedJson& v, core::ConfigEntry& e) {
    const LocatedJson* instances = v.find("instances");
    if (instances == nullptr) return problem(v.line, "the entry has no \"instances\"");
    if (e.kind == core::ConfigEntry::Kind::scope) {
      if (!is(*instances, Kind::array, "\"instances\" of a scope")) return;
      e.instances = texts(*instances, "\"instances\"");
      for (const auto& i : e.instances) check_expression(i.pattern, i.line);
      return;
    }
    if (!is(*instances, Kind::object, "\"instances\" of points")) return;
    for (const auto& [key, list] :
         {std::pair{"start_points", &e.start_points}, std::pair{"end_points", &e.end_points}}) {
      if (const LocatedJson* points = instances->find(key))
        *list = texts(*points, text('"', key, '"'));
      else
        problem(instances->line, text("\"instances\" has no \"", key, "\""));
    }
    e.include_inputs = flag(v, "include_inputs_to_sub_graph");
    e.include_outputs = flag(v, "include_outputs_to_sub_graph");
  }

  bool flag(const LocatedJson& v, const std::string& key) {
    const LocatedJson* found = v.find(key);
    return found == nullptr || !is(*found, Kind::boolean, text('"', key, '"')) || found->boolean;
  }

  std::vector<core::ConfigEntry::Instance> texts(const LocatedJson& v, const std::string& what) {
    std::vector<core::ConfigEntry::Instance> list;
    if (!is(v, Kind::array, what)) return list;
    if (v.items.empty()) problem(v.line, text(what, " is empty"));
    for (const LocatedJson& i : v.items) {
      if (!is(i, Kind::string, text("an item of ", what))) continue;
      if (i.string.empty()) problem(i.line, text("an item of ", what, " is empty"));
      list.push_back({i.string, i.line});
    }
    return list;
  }

  void read_inputs(const LocatedJson& v, core::ConfigEntry& e) {
    e.inputs.emplace();
    if (!is(v, Kind::array, "\"inputs\"")) return;
    for (const LocatedJson& i : v.items) {
      e.inputs->push_back(ports(i, "an item of \"inputs\""));
      if (i.kind == Kind::array && i.items.empty()) problem(i.line, "an item of \"inputs\" is empty");
    }
  }

  std::vector<core::ConfigEntry::Port> ports(const LocatedJson& v, const std::string& what) {
    std::vector<core::ConfigEntry::Port> list;
    if (!is(v, Kind::array, what)) return list;
    for (const LocatedJson& i : v.items)
      if (is(i, Kind::object, text("an item of ", what))) list.push_back(port(i));
    return list;
  }

  core::ConfigEntry::Port port(const LocatedJson& v) {
    core::ConfigEntry::Port p;
    p.line = v.line;
    p.node = required_text(v, "node");
    check_expression(p.node, v.line);
    const LocatedJson* number = v.find("port");
    if (number == nullptr)
      problem(v.line, "the entry has no \"port\"");
    else if (is(*number, Kind::number, "\"port\"")) {
      if (number->number >= 0 && number->number <= 65535 && number->number == std::floor(number->number))
        p.port = static_cast<uint32_t>(number->number);
      else
        problem(number->line, text("\"port\" is ", number->number, ", expected the number of a port"));
    }
    return p;
  }

  void check_expression(const std::string& pattern, size_t line) {
    const re2::RE2 expression(pattern, re2::RE2::Quiet);
    if (!expression.ok())
      problem(line, text("'", pattern, "' is not a regular expression: ", expression.error()));
  }

  const std::string& path_;
  std::string& problems_;
};

}  // namespace

std::string read_text_file(const std::string& path) {
  std::string problem;
  if (auto content = read_regular_file(path, &problem)) return *std::move(content);
  throw core::Failure(core::Exit::usage, "MO0611",
                      text("cannot read the configuration '", path, "': ", problem));
}

core::Configuration parse_configuration(const std::string& path, std::string_view content) {
  return read_entries(path, parse_located_json(path, content));
}

core::Configuration read_entries(const std::string& path, const LocatedJson& root) {
  core::Configuration list;
  std::string problems;
  if (root.kind != Kind::array) {
    problems = text("\n  ", path, ":", root.line, ": the file holds ", name(root.kind),
                    ", expected an array of entries");
  } else {
    EntryReader reader(path, problems);
    for (const LocatedJson& v : root.items) list.push_back(reader.read(v));
  }
  if (!problems.empty())
    throw core::Failure(core::Exit::usage, "MO0612", text("the configuration cannot be used:", problems));
  return list;
}

std::string configuration_file(const std::string& given) {
  std::error_code error;
  if (std::filesystem::exists(given, error)) return given;
  const std::string shipped = shipped_configuration(given);
  return shipped.empty() ? given : shipped;
}

core::Configuration read_configuration(const std::vector<std::string>& paths) {
  core::Configuration all;
  for (const std::string& given : paths) {
    const std::string path = configuration_file(given);
    for (core::ConfigEntry& e : parse_configuration(path, read_text_file(path))) all.push_back(std::move(e));
  }
  return all;
}

}  // namespace mo::app
