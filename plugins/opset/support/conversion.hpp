// Conversion of elements from one type to another.
#pragma once

#include "support/movement.hpp"

namespace mo::opset {

Tensor converted(const EvalContext& c, const Tensor& in, ElementType type);
// An output of `type`, with the shape and bounds of the input of its number.
void output_converted(const InferContext& c, ElementType type, uint32_t port = 0);

}  // namespace mo::opset
