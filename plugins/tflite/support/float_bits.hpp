// The bits of computed floats, which no operation of the IR looks at, by arithmetic.
#pragma once

#include "support/build.hpp"

namespace mo::tflite {

// Floats as signed integers of as many bits, and the way back. Numbers, infinities and both zeros are exact;
// each NaN is the one without a sign and payload. Runtimes that take denormal numbers for zero see zeros
// here, too.
OutPort bits_of_floats(const Build& b, const OutPort& x);
OutPort floats_of_bits(const Build& b, const OutPort& x, ElementType type);

// Whether they know the type.
bool has_known_bits(ElementType type);

}  // namespace mo::tflite
