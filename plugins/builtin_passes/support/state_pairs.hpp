// Which inputs are the next values of which outputs: caches by their names, others as --state says.
#pragma once

#include <mo/sdk.hpp>

namespace mo::builtin_passes {

struct StatePair {
  Node input, output;  // a Parameter and a Result
  std::string input_name, output_name;
  bool is_cache = false;  // of keys and values, or named as one: rows of it are chosen anew in a beam search
};

// Inputs and outputs that the front-end calls a cache, in the attribute "cache_pairs" of the graph (names of
// an input and an output by turns), and those whose names are those of a cache: past_key_values.* with
// present.*, and the like.
std::vector<StatePair> cache_pairs(const Graph&);

// Whether options and release let such a cache become state.
bool keeps_caches(const Context&);
// Releases up to the first one compute no state whose size changes from run to run.
inline constexpr std::string_view last_without_growing_state = "2023.2", first_with_growing_state = "2023.3";

// Inputs that the model joins with more behind them and gives back, whatever they are called: keys and values
// of three dimensions or more.
std::vector<StatePair> grown_pairs(const Graph&);

// Those of --state. Fails when a name is none of an input or output, when two say different things, or when
// type or shape of both do not fit together.
std::vector<StatePair> given_pairs(const Graph&, const std::vector<std::string>& given);

// The dimension along which the output is the input with more behind it; nothing when it is made otherwise.
std::optional<size_t> growing_axis(const StatePair&);

}  // namespace mo::builtin_passes
