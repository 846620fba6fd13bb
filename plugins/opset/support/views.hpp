// Operations that give the same elements another shape.
#pragma once

#include "support/inference.hpp"

namespace mo::opset {

// Output 0 of the type of input 0, with its bounds: their order does not change.
inline void output_view(const InferContext& c, const Shape& shape) {
  if (may_have_bounds(c.type(0), shape) && bounds_wanted(c, {0}))
    return output_intervals(c, 0, c.type(0), shape, *intervals(c, 0));
  c.output(0, c.type(0), shape);
}

}  // namespace mo::opset
