// Legal calls of operations: tried out, or taken from examples.
#pragma once

#include <map>

#include "apps/plugin_check/call.hpp"
#include "apps/run/random.hpp"

namespace mo::app::checks {

// Nodes alone in the text form; the one of the operation is the last.
std::string sample_text(const Sample&);
Sample read_sample(core::Session&, const std::string& text);

// A node of the operation with sources of its own that have the states and attributes of `n`.
Sample cut_out(core::Session&, const core::Graph&, core::NodeId n);

// A tensor whose elements are small numbers; strings are words.
core::TensorRef random_value(Random&, ElementType, const std::vector<int64_t>& dims);
// One that makes sense for an attribute of this kind; monostate when there is none.
core::Attribute random_attribute(Random&, const core::AttributeDef&);

struct SampleSearch {
  std::vector<Sample> found;
  std::string last_refusal;  // when nothing was found
};
// Calls that infer takes, different ones first. `examples`: graphs in the text form whose nodes are taken as
// they are.
SampleSearch find_samples(core::Session&, const core::Operation&, uint64_t seed, size_t most, size_t tries,
                          const std::string& examples);

// Every input has a value: what has none yet gets a random one. False when that cannot be.
bool give_values(const Sample&, Random&);

}  // namespace mo::app::checks
