// Quantized tensors of com.microsoft: three inputs each, of which the zero point may be left out.
#pragma once

#include "support/microsoft.hpp"
#include "support/quantize.hpp"

namespace mo::onnx::ms {

// What inputs i (numbers), i + 1 (scale), i + 2 (zero point) stand for, as f32.
OutPort dequantized(const Build& b, size_t i);
using mo::onnx::dequantized;
using mo::onnx::requantized;
// Output in the type of its zero point, or else in that of input `like`; scale is input i, zero point i + 1.
OutPort requantized(const Build& b, const OutPort& y, size_t i, size_t like);

}  // namespace mo::onnx::ms
