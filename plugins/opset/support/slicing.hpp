// One dimension of a slice [start : stop : step] by the rules of Python, for exact and for partly known
// numbers.
#pragma once

#include "support/inference.hpp"

namespace mo::opset {

struct SliceRange {
  Interval start, stop, step;
  bool from_end_of_axis = false;  // start is not given: the first element, or the last for a negative step
  bool to_end_of_axis = false;    // stop is not given
};

struct SliceRun {
  int64_t first, count;
};
// Of exact numbers; step is not 0.
SliceRun slice_run(int64_t size, const SliceRange& r);
// How many elements are taken. Error for a step of 0.
Dim sliced_dim(const Dim& size, const SliceRange& r);

}  // namespace mo::opset
