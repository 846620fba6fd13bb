// A result that keeps from run to run what its source gets as inputs and gives as outputs: both are run step
// by step, as a language model is.
#pragma once

#include "apps/run/inputs.hpp"
#include "apps/run/runnable.hpp"
#include "apps/run/verify.hpp"

namespace mo::app {

struct SteppedGraph {
  core::Session& session;
  core::Graph& graph;
};

struct Stepped {
  std::vector<RunInput> inputs;  // of the first step, without what is kept
  // Per output of the source that of the step which differs most, and what the result has for it. For what
  // the source gives to its next run, it is what the result keeps.
  std::vector<Output> source, result;
  std::vector<core::Failure> missing;
  size_t steps = 0;
  bool by_runtime = false;
};

// Names of variables that the graph reads.
std::vector<std::string> variables_read(const core::Session&, const core::Graph&);

// Nothing when no variable of the result is called as an input and an output of the source, one name behind
// the other. The source begins with what the result begins with, and then gets its own outputs.
//
// Sizes that nothing says are 1, in the first step 4 where they have a name; what the model calls as it calls
// the length of an output that is kept, is as long as that, and full of ones when it is of integers. An input
// that only the result has, a list of integers, is 0, 1, 2, …
// With a `runtime` that computes the result's outputs as well, and they are what is given, without what is kept, unless those of
// inference differ by more than `tolerance` already.
std::optional<Stepped> run_steps(const SteppedGraph& source, const SteppedGraph& result,
                                 std::span<const GivenInput>, uint64_t seed, double tolerance,
                                 const AskedForRuntime& runtime);
}  // namespace mo::app
