// Complex numbers are pairs along one more dimension, which few operators know of.
#pragma once

#include "loader/model.hpp"

namespace mo::tensorflow {

// Whether a node works on complex numbers, and is not one of those that are right for pairs as well.
bool needs_complex_arithmetic(TensorflowModel&, const NodeDef&, const Scope&);

}  // namespace mo::tensorflow
