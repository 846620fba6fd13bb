// Entries of transformations configurations: which transformation is applied to which part of a model, by names
// of its nodes.
//
// https://docs.openvino.ai/2021.4 "Model Optimizer Extensibility", "Sub-Graph Replacement"; what differs is
// in packaging/docs/differences.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

}  // namespace mo::core
