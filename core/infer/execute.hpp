// Running a graph: every operation's value inference, producers first.
#pragma once

#include "core/infer/variables.hpp"

#include <functional>
#include <span>

namespace mo::core {

// The values of the Results, in their order, from one value for each Parameter. The graph must have been
// inferred; it stays as it is, and what the values of one run say about shapes is not kept. Values are
// dropped with their last reader. Throws Failure naming the node: MO0207 for a Result that reads nothing,
// MO0504 where an operation has no values, MO0505 where a value does not fit its Parameter.
//
// With `missing`, operations without values are noted there, and Results that need them have none. With
// `variables`, what the model keeps from run to run is read there and set anew; without, each run is a first
// one. MO0505, too, where a kept value does not fit. `computed` gets the outputs of each operation as soon as
// they are there.
using Computed = std::function<void(NodeId, std::span<const TensorState> outputs)>;
std::vector<TensorRef> execute(Session&, Graph&, std::span<const TensorRef> parameters,
                               std::vector<Failure>* missing = nullptr, Variables* variables = nullptr,
                               const Computed& computed = {});

}  // namespace mo::core
