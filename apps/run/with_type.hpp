// Elements of one type as those of another.
#pragma once

#include "core/graph/tensor.hpp"

namespace mo::app {

// The same numbers in another type: between floats, rounded; between integers and booleans as long as each
// fits. Throws mo::Error when one does not, and for other pairs of types.
core::TensorRef with_type(const core::TensorRef&, ElementType);

}  // namespace mo::app
