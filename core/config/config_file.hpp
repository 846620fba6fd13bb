// Transformations configuration files: a JSON array of entries that say which transformation is applied to
// which part of a model, by names of its nodes.
//
// https://docs.openvino.ai/2021.4 "Model Optimizer Extensibility", "Sub-Graph Replacement"; what differs is
// in packaging/docs/differences.md.
#pragma once

#include "core/config/located_json.hpp"

#include <memory>
#include <optional>

namespace mo::core {

struct ConfigEntry {
  enum class Kind { scope, points, general };
  struct Port {
    std::string node;  // a regular expression
    uint32_t port = 0;
    size_t line = 0;
  };
  struct Instance {
    std::string pattern;  // a regular expression for the beginning of names; for points the exact name
    size_t line = 0;
  };

  std::string file;
  size_t line = 0;  // of the entry
  std::string id;
  Kind kind = Kind::general;
  std::string custom_attributes = "{}";  // JSON, keys in the order of the file
  std::string op;  // the sub-graph becomes one operation of this type; "" = a plugin's code decides
  std::vector<Instance> instances;  // scope
  std::vector<Instance> start_points, end_points;
  bool include_inputs = true, include_outputs = true;
  std::optional<std::vector<std::vector<Port>>> inputs;
  std::optional<std::vector<Port>> outputs;

  std::string place() const;  // "file:line"
};

std::string_view name(ConfigEntry::Kind);

using Configuration = std::vector<ConfigEntry>;

// All entries of all files, in order. Failure (Exit::usage) with every problem at once: file, line, key, what
// was expected.
Configuration read_configuration(const std::vector<std::string>& paths);
// The file that a user means: one that comes with the host when there is none of that path.
std::string configuration_file(const std::string& given);
Configuration parse_configuration(const std::string& path, std::string_view text);
Configuration read_entries(const std::string& path, const LocatedJson& root);

// The text of a whole file. Failure names it.
std::string read_text_file(const std::string& path);

}  // namespace mo::core
