// Rows of operations with constants, the weights in front of them, and those behind them.
#pragma once

#include "support/scaled_weights.hpp"

#include <mo/sdk.hpp>

namespace mo::builtin_passes {

// Each row becomes at most one Multiply and one Add; what is multiplied goes into weights in front. `behind`:
// or into weights behind the row, and what is added goes behind these, unless padding makes a difference.
// Only where this leaves fewer operations.
void fuse_linear_chains(const Graph&, bool behind);
// Only the rows with these nodes, and weights in front. Who asks for one node after the other keeps what is
// known of the constants.
void fuse_linear_chains(const Graph&, const std::vector<Node>&, SharedWeights&);

}  // namespace mo::builtin_passes
