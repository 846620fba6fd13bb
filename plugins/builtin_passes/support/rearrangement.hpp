// Reshape - Transpose - Reshape: dimensions are split, change places and are joined again.
#pragma once

#include "support/expressions.hpp"
#include "support/relative_extents.hpp"

namespace mo::builtin_passes {

struct Rearrangement {
  OutPort x;
  RelativeExtents from, split, to;  // of x, of what is transposed, of the result
  std::vector<size_t> order;
  Nodes inside;  // the first Reshape and the Transpose
};

// With `last`, the second Reshape, at its end. What stands inside is read by nothing else.
std::optional<Rearrangement> rearrangement_at(const Node& last, SymbolsOf& symbols);

}  // namespace mo::builtin_passes
