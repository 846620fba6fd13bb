// Keys and values that are kept in few bits: GroupQueryAttention of com.microsoft with k_quant_type and
// v_quant_type.
#pragma once

#include "support/microsoft.hpp"

namespace mo::onnx::ms {

class QuantizedCache {
 public:
  // `what` is "k" or "v"; input `cache` is the past, input `scale` its scale.
  QuantizedCache(const Build& b, const SourceNode& n, std::string_view what, size_t cache, size_t scale,
                 int64_t heads);
  // Without quantization both give x back. [batch, heads, length, size] as the cache keeps it, and as numbers
  // of the type of `like`.
  OutPort stored(const OutPort& x) const;
  OutPort read(const OutPort& x, const OutPort& like) const;
  // So many numbers in an element.
  int64_t numbers() const { return bits_ == 4 ? 2 : 1; }

 private:
  const Build& b_;
  OutPort scale_;  // null: not quantized
  int64_t bits_ = 0;
  ElementType type_ = ElementType::unknown;
};

}  // namespace mo::onnx::ms
