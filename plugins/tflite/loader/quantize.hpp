// Quantized tensors are what they stand for: constants become Multiply(Subtract(Convert)), results of
// operators pass a FakeQuantize, and integers stand only at inputs and outputs of the model.
#pragma once

#include "loader/tensors.hpp"

#include <mo/graph.hpp>

namespace mo::tflite {

struct QuantizedTensor {
  const Quantization& q;
  const TensorType& type;
  size_t rank;
};

// What integers stand for. Weights of few bits are `packed`: they stay integers in the IR.
OutPort dequantize(const Graph& g, const std::string& name, const OutPort& integers, const QuantizedTensor& t,
                   bool packed);
// Whether there are few enough integers for x to be rounded.
bool has_levels(const TensorType& t);
// The nearest of what the integers can stand for; x itself where it has_levels not. The node has this name.
OutPort fake_quantize(const Graph& g, const std::string& name, const OutPort& x, const QuantizedTensor& t);
// The integers that stand for x, which is what dequantize or fake_quantize gave. The node has this name.
OutPort quantize(const Graph& g, const std::string& name, const OutPort& x, const QuantizedTensor& t);

// Scales along blocks of the last dimension: [scales of the block], one for each, behind the dimensions
// before.
OutPort dequantize_blocks(const Graph& g, const std::string& name, const OutPort& integers, const Ints& dims,
                          int64_t block, const Tensor& scales, const std::optional<Tensor>& zeros);

}  // namespace mo::tflite
