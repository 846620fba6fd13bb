// Parts of tensors, and tensors with room between their elements.
#pragma once

#include "support/build.hpp"

namespace mo::tflite {

// x with y in the place that starts at `begin`, which is moved so that y fits.
OutPort updated(const Build& b, const OutPort& x, const OutPort& y, const OutPort& begin);
// x but for so many elements at the beginning and the end of each dimension, and of these one in each step.
OutPort without_ends(const Build& b, const OutPort& x, const Ints& before, const Ints& after,
                     const Ints& steps);
// x with so many copies of `value` between the elements of each dimension.
OutPort spread_out(const Build& b, OutPort x, const Ints& holes, const OutPort& value);

}  // namespace mo::tflite
