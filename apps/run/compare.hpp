// How far two tensors are apart.
#pragma once

#include "core/graph/tensor.hpp"

namespace mo::app {

struct Difference {
  double largest = 0;   // of |a - b|; infinite where only one of them is infinite or no number
  double relative = 0;  // the same to the largest finite |a|; for integers and booleans 1 when any differs
  size_t index = 0;     // where it is largest, in row-major order
  std::string problem;  // type or shape differs: nothing was compared
  bool within(double tolerance) const { return problem.empty() && relative <= tolerance; }
};

// `a` is what is right.
Difference compare(const core::TensorRef& a, const core::TensorRef& b);

}  // namespace mo::app
