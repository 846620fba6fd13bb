// Nodes that compute shapes, and must not lose digits.
#pragma once

#include <mo/sdk.hpp>

#include <set>

namespace mo::builtin_passes {

// The in-port takes a shape, a size or a position.
bool takes_shape(const InPort&);

// Nodes from which such in-ports are computed, as far as they depend on constants and shapes alone, not on
// data.
std::set<mo_node> shape_arithmetic(const Graph&);

}  // namespace mo::builtin_passes
