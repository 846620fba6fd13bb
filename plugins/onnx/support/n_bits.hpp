// Weights of 2, 4 or 8 bits in blocks with a scale each. They stay packed:
//
//   Constant(u4) -> Convert -> Subtract -> Multiply -> Reshape
//
// which runtimes take for compressed weights.
#pragma once

#include "support/microsoft_quantized.hpp"

namespace mo::onnx::ms::n_bits {

struct Blocks {
  int64_t rows, blocks, size, bits;
};

// A constant input, or an error that says what it is.
Tensor known(const Build& b, size_t i, std::string_view what);
// Rows of `count` numbers whose bytes are filled up at the end become dense.
Tensor dense(const Build& b, const Tensor& packed, int64_t rows, int64_t count, int64_t width);
// [rows, blocks * size] as numbers of the type of the scales, which are input `scales`; zero points are input
// `points`.
OutPort weights(const Build& b, const Tensor& bytes, size_t scales, size_t points, const Blocks& d);
// Attribute 'block_size', checked.
int64_t block_size(const SourceNode& n);
// `count` columns of `have`.
OutPort first_columns(const Build& b, const OutPort& x, int64_t count, int64_t have);

}  // namespace mo::onnx::ms::n_bits
