// Inputs and outputs whose dimensions a transformation has put into another order.
//
// It says so with the attribute "dimension_order" (a list of integers) of the Parameter or Result: dimension
// i is dimension order[i] of what the model has.
#pragma once

#include "core/graph/graph.hpp"

#include <optional>

namespace mo::app {

using DimensionOrder = std::vector<int64_t>;

// Empty: as the model has them. An attribute that is no permutation counts as none.
DimensionOrder dimension_order(const core::Graph&, core::NodeId);
DimensionOrder inverse(const DimensionOrder&);
Shape reordered(const Shape&, const DimensionOrder&);
// Dimension i of the result is dimension order[i] of the value. Errors (mo::Error): another rank, elements
// without a size in whole bytes.
core::TensorRef reordered(const core::TensorRef&, const DimensionOrder&);

}  // namespace mo::app
