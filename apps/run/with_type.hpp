// Elements of one type as those of another.
#pragma once

#include "core/graph/tensor.hpp"

namespace mo::core {

// The same numbers in another type: between floats, rounded; between integers and booleans as long as each
// fits. Throws mo::Error when one does not, and for other pairs of types.
TensorRef with_type(const TensorRef&, ElementType);

}  // namespace mo::core
