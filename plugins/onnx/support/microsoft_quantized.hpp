// Quantized tensors of com.microsoft: three inputs each, of which the zero point may be left out.
#pragma once

#include "support/microsoft.hpp"

namespace mo::onnx::ms {

// What quantized numbers stand for, as f32. Constants stay packed: the conversion of `q` is not computed
// ahead.
OutPort dequantized(const Build& b, const OutPort& q, const OutPort& scale, const OutPort& zero_point,
                    ElementType type = ElementType::f32);
// Inputs i (numbers), i + 1 (scale), i + 2 (zero point).
OutPort dequantized(const Build& b, size_t i);
// Output in the type of its zero point, or else in that of input `like`; scale is input i, zero point i + 1.
OutPort requantized(const Build& b, const OutPort& y, size_t i, size_t like);
// The conversion of a constant that is to stay as it is in the file.
OutPort converted_packed(const Build& b, const OutPort& q, ElementType type);

}  // namespace mo::onnx::ms
