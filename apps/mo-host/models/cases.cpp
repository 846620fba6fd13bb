#include "apps/mo-host/models/cases.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "apps/files/regular_file.hpp"
#include "core/support/paths.hpp"

namespace mo::app {

using core::Exit;
using core::Failure;

Failure bad_case(const Case& c, const std::string& what) {
  return Failure(Exit::usage, "MO0507", fmt::format("line {} of --cases {}", c.line, what))
      .with("hint", R"(lines are like {"model": "m.xml", "inputs": {"x": "x.npy"}, "output_dir": "out"})");
}

namespace {

Case case_of(const std::string& line, size_t number) {
  Case c;
  c.line = number;
  const auto entry = nlohmann::json::parse(line, nullptr, false);
  if (entry.is_discarded() || !entry.is_object()) throw bad_case(c, "is not a JSON object");
  const auto path = [&](const nlohmann::json& value, const char* key) {
    if (!value.is_string()) throw bad_case(c, fmt::format("has no text for '{}'", key));
    return core::resolve_path(value.get<std::string>());
  };
  if (entry.contains("model")) c.model = path(entry["model"], "model");
  if (entry.contains("output_dir")) c.output_dir = path(entry["output_dir"], "output_dir");
  if (entry.contains("reset")) {
    if (!entry["reset"].is_boolean()) throw bad_case(c, "has a 'reset' that is neither true nor false");
    c.reset = entry["reset"].get<bool>();
  }
  if (entry.contains("inputs")) {
    if (!entry["inputs"].is_object()) throw bad_case(c, "has inputs that are not an object");
    for (const auto& [name, file] : entry["inputs"].items())
      c.inputs.push_back({name, path(file, name.c_str()), {}});
  }
  return c;
}

}  // namespace

std::vector<Case> read_cases(const std::string& path) {
  std::string problem;
  const auto content = read_regular_file(path, &problem);
  if (!content) throw Failure(Exit::usage, "MO0203", "cannot read '" + path + "': " + problem);
  std::istringstream file(*content);
  std::vector<Case> cases;
  size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") != std::string::npos) cases.push_back(case_of(line, number));
  }
  return cases;
}

}  // namespace mo::app
