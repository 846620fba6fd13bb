// Does a converted model compute what its source computes?
#pragma once

#include "core/run/compare.hpp"
#include "core/run/inputs.hpp"
#include "core/run/runnable.hpp"

namespace mo::core {

struct VerifyOptions {
  ConvertOptions source;  // the model, and how it is converted
  std::string ir;         // a finished IR; empty: the source is converted now, in memory
  std::vector<GivenInput> inputs;
  uint64_t seed = 0;
  double tolerance = 1e-3;
};

struct ComparedOutput {
  std::string name;
  TensorRef value;  // of the source; none when it cannot be computed
  Difference difference;
  std::string missing;  // why it was not compared
};

struct Verdict {
  std::vector<RunInput> inputs;
  std::vector<ComparedOutput> outputs;
  size_t compared = 0;
  bool equal = true;  // all that was compared is within the tolerance
  // When not: the first transformation after which an output differs. "" when there is none: then the IR was
  // made in another way than the source is converted now.
  std::string first_transformation;
  // Operations without values, each with the first node that has it and its plugin.
  std::vector<std::string> without_values;
};

// The source is run as soon as all its operations are known ones, with the same inputs as the result. `fresh`
// gives sessions with the plugins and options of the command. Throws Failure when either cannot be loaded.
Verdict verify(const std::function<Session&()>& fresh, const VerifyOptions&);

}  // namespace mo::core
