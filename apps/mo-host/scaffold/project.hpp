// What `mo-host new` has to know of the project it adds to: kit.json, written when the project was made.
#pragma once

#include <optional>
#include <string>

namespace mo::app {

struct Project {
  std::string folder;
  std::string name;       // of the plugin: "acme_layers"
  std::string domain;     // of its operations: "com.acme"
  std::string language;   // "cpp" or "c"
  std::string framework;  // of the models in its tests
};

// Of the folder or the nearest one above it. Failure (Exit::usage) when its kit.json cannot be used.
std::optional<Project> find_project(const std::string& folder);

// The folder, or the nearest one above it, with the sources of mo-host; empty when there is none.
std::string find_source_tree(const std::string& folder);

}  // namespace mo::app
