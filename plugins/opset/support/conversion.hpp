// Conversion of elements from one type to another.
#pragma once

#include "support/movement.hpp"

namespace mo::opset {

Tensor converted(const EvalContext& c, const Tensor& in, ElementType type);
// Output 0 of `type`, with the bounds of input 0.
void output_converted(const InferContext& c, ElementType type);

}  // namespace mo::opset
