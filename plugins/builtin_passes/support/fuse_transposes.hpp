// Transposes that stand behind one another, and the names of those that go.
#pragma once

#include "support/dimension_order.hpp"

namespace mo::builtin_passes {

// One for two, none where the dimensions stand as before, one where several do the same.
void fuse_transposes(const Graph&);

// Tensor names of what is gone, or is read from elsewhere now.
void give_tensor_names(const OutPort& from, const OutPort& to);
// The name of an operator that became several nodes goes to the next of these.
void give_node_name(const Node& gone, const Node& heir);

}  // namespace mo::builtin_passes
