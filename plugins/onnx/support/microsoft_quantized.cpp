#include "support/microsoft_quantized.hpp"

namespace mo::onnx::ms {

OutPort dequantized(const Build& b, size_t i) {
  const auto number = [&](size_t k) { return b.has(k) ? as_scalar(b, b.in(k)) : OutPort(); };
  return dequantized(b, b.in(i), as_scalar(b, b.in(i + 1)), number(i + 2));
}

OutPort requantized(const Build& b, const OutPort& y, size_t i, size_t like) {
  const OutPort zero_point = b.has(i + 1) ? as_scalar(b, b.in(i + 1)) : OutPort();
  const ElementType type = zero_point ? zero_point.type() : b.in(like).type();
  return requantized(b, y, as_scalar(b, b.in(i)), zero_point, type);
}

}  // namespace mo::onnx::ms
