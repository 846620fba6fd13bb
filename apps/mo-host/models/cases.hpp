// --cases of the commands that compute: a JSON object per line.
#pragma once

#include "apps/run/inputs.hpp"
#include "core/support/failure.hpp"

namespace mo::app {

struct Case {
  size_t line = 0;
  std::string model, output_dir;  // "" where it names none
  bool reset = false;  // begins anew: what earlier cases left in the model's variables is forgotten
  std::vector<GivenInput> inputs;
};

// Empty lines are none. Failure (Exit::usage).
std::vector<Case> read_cases(const std::string& path);

core::Failure bad_case(const Case&, const std::string& what);

}  // namespace mo::app
