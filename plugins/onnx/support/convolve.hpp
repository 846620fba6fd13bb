// The part of a convolution that Conv, ConvInteger and QLinearConv have in common.
#pragma once

#include "support/build.hpp"

namespace mo::onnx {

// Number of spatial dimensions, by the inputs with these numbers or else by the attributes.
size_t conv_spatial_rank(const Build& b, const SourceNode& n, size_t data, size_t weights);
OutPort convolve(const Build& b, const SourceNode& n, const OutPort& x, OutPort weights, size_t spatial);
// One number for each channel of the result.
OutPort conv_bias(const Build& b, const OutPort& bias, size_t spatial);

}  // namespace mo::onnx
