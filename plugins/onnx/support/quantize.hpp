// Arithmetic of quantized tensors: x is about (q - zero point) * scale.
#pragma once

#include "support/build.hpp"

namespace mo::onnx {

// A parameter with one number for each entry of dimension `axis` of x, for broadcasting; a single number is
// one for all of x.
OutPort along_axis(const Build& b, const OutPort& parameter, const OutPort& x, int64_t axis);
// Rounded half to even, moved by the zero point (none: 0) and cut off at the ends of `type`.
OutPort saturated(const Build& b, const OutPort& quotient, const OutPort& zero_point, ElementType type);
// q - zero point as i32, exact for all types of up to 16 bits.
OutPort centred(const Build& b, const OutPort& q, const OutPort& zero_point);

}  // namespace mo::onnx
