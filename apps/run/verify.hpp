// Does a converted model compute what its source computes?
#pragma once

#include "apps/run/compare.hpp"
#include "apps/run/inputs.hpp"
#include "apps/run/layers.hpp"
#include "apps/run/runnable.hpp"

namespace mo::app {

// A runtime of the user's own, which has read the IR that this graph is of. Values are in the order of its Parameters and
// Results, whose types the graph knows; state is kept from call to call. Throws Failure when the runtime does.
class Runtime {
 public:
  virtual ~Runtime() = default;
  virtual std::vector<core::TensorRef> infer(const core::Graph&, std::span<const core::TensorRef> inputs) = 0;
};

using AskedForRuntime = std::function<Runtime&()>;

struct VerifyOptions {
  core::ConvertOptions source;  // the model, and how it is converted
  std::string ir;               // a finished IR; empty: the source is converted now, in memory
  std::vector<GivenInput> inputs;
  uint64_t seed = 0;
  std::optional<double> tolerance;  // nothing: by the types in which the source computes
  bool layers = false;              // compare what is computed on the way, too
  // With `ir`: computes it, too, and is asked for once inference of values has found it right.
  AskedForRuntime runtime;
};

struct ComparedOutput {
  std::string name;
  core::TensorRef value;  // of the source; none when it cannot be computed
  Difference difference;
  std::string missing;  // why it was not compared
};

struct Verdict {
  std::vector<RunInput> inputs;
  std::vector<ComparedOutput> outputs;
  size_t compared = 0;
  double tolerance = 0;
  bool equal = true;  // all that was compared is within the tolerance
  // When not: the first transformation after which an output differs. "" when there is none: then the IR was
  // made in another way than the source is converted now.
  std::string first_transformation;
  // With VerifyOptions::layers, and in the order they are computed: tensors of the result that the source has
  // by the same name.
  std::vector<ComparedLayer> layers;
  bool by_runtime = false;  // the result that was compared is what the runtime computes
  // Operations without values, each with the first node that has it and its plugin.
  std::vector<std::string> without_values;
  // More than one: the result keeps state that is inputs and outputs of the source. Per output the worst
  // step.
  size_t steps = 1;
};

// The source is run as soon as all its operations are known ones, with the same inputs as the result. `fresh`
// gives sessions with the plugins and options of the command. Throws Failure when either cannot be loaded.
Verdict verify(const std::function<core::Session&()>& fresh, const VerifyOptions&);

}  // namespace mo::app
