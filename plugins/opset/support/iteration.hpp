// A body that runs again and again: what its outputs are like, and what they are.
#pragma once

#include "support/bodies.hpp"

namespace mo::opset {

// How often: from `low` to `high` times, where the body does not stop it.
struct Repetitions {
  int64_t low = 0, high = Interval::highest;  // highest: no end
  bool may_be_none = true;                    // not even once, whatever low is
};

// Sets the outputs of the node.
void infer_iterations(const InferContext& c, const Body& body, std::vector<Known> parameters,
                      const Repetitions& times);
// What a Parameter has in the first iteration: an input, whole or its first slice, or what it declares.
Known first_value(const InferContext& c, const Body& body, size_t parameter);

// How many slices the entry makes of a dimension; error where that is none's length.
Dim slice_count(const PortMapEntry& e, const Dim& size);

// Runs the body and sets the outputs. `times` < 0: until the condition says stop.
void evaluate_iterations(const EvalContext& c, const Body& body, int64_t times, bool first);

}  // namespace mo::opset
