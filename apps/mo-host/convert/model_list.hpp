// --manifest: many models and how each is converted.
//
//   {"options": {"target": "2022.3", "output_dir": "out"},
//    "models": [{"model": "a.model"}, {"model": "b.model", "options": {"input_shape": "[1,3,224,224]",
//    "silent": true}}]}
//
// Options are those of the command line, by their long names. Those of a model come before those of the
// manifest, and these before those of the command line.
#pragma once

#include "apps/session/arguments.hpp"
#include "core/registry/session.hpp"

namespace mo::app {

struct ListedModel {
  std::string model;  // as it is written there; "" when an option of a plugin names it
  Arguments arguments;
};

// Failure (Exit::usage): no such file, no JSON, an unknown key or option, two models with one result.
std::vector<ListedModel> read_model_list(const std::string& path, const Arguments& from_command_line,
                                         const core::Registry&);

}  // namespace mo::app
