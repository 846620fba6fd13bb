// Parts of tensors, and tensors with room between their elements.
#pragma once

#include "support/build.hpp"

namespace mo::tflite {

// x with y in the place that starts at `begin`, which is moved so that y fits.
OutPort updated(const Build& b, const OutPort& x, const OutPort& y, const OutPort& begin);
// x with so many copies of `value` between the elements of each dimension.
OutPort spread_out(const Build& b, OutPort x, const Ints& holes, const OutPort& value);

}  // namespace mo::tflite
