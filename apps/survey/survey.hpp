// What would become of a model, without converting it: who takes each of its operations, and what it needs.
#pragma once

#include "core/convert/convert.hpp"

#include <set>
#include <unordered_set>

namespace mo::app {

// All nodes of one operation, bodies included.
struct SurveyedOperation {
  std::string domain, op;
  int32_t version = 0;
  size_t nodes = 0;
  size_t open = 0;             // nodes that nobody converts
  std::set<std::string> by;    // "extractor of PLUGIN", "TRANSFORMATION of PLUGIN", "nothing reads it"
  std::set<std::string> why;   // reasons, of open nodes
  std::set<std::string> near;  // what comes close, of open nodes
  std::vector<std::string> open_examples;  // names of open nodes, the first few
};

struct SurveyedPort {
  std::string name;
  ElementType type = ElementType::unknown;
  Shape shape;
  std::vector<std::string> dim_names;  // as many as dimensions, or none
};

struct ModelSurvey {
  std::string framework;
  std::vector<std::string> imports;  // what the front-end says the model is written in
  std::vector<SurveyedOperation> operations;
  std::vector<SurveyedPort> inputs, outputs;
  std::vector<std::string> missing_files;
  // Failures on nodes that are not the model's own: what transformations made of it.
  std::vector<std::string> problems;
  // Names of nodes as they were loaded, for configurations that name some.
  std::unordered_set<std::string> nodes;
  std::set<std::string> applied;  // transformations that changed something
  bool all_convertible() const;
};

// Loads, extracts and runs the front phase; what fails on the way is part of the result. Failure when the
// model cannot be read, or the command line or a plugin is wrong. No weights are read.
ModelSurvey survey_model(core::Session&, const core::ConvertOptions&);

}  // namespace mo::app
