#include "support/microsoft_quantized.hpp"

#include "support/quantize.hpp"

namespace mo::onnx::ms {

OutPort converted_packed(const Build& b, const OutPort& q, ElementType type) {
  const OutPort c = b.convert(q, type);
  const auto value = q.value();
  if (c != q && value && value->rank() >= 2) c.node().set("stop_value_propagation", true);
  return c;
}

OutPort dequantized(const Build& b, const OutPort& q, const OutPort& scale, const OutPort& zero_point,
                    ElementType type) {
  OutPort x = converted_packed(b, q, type);
  if (zero_point) x = subtract(b, x, b.convert(zero_point, type));
  return multiply(b, x, b.convert(scale, type));
}

OutPort dequantized(const Build& b, size_t i) {
  const auto number = [&](size_t k) { return b.has(k) ? as_scalar(b, b.in(k)) : OutPort(); };
  return dequantized(b, b.in(i), as_scalar(b, b.in(i + 1)), number(i + 2));
}

OutPort requantized(const Build& b, const OutPort& y, size_t i, size_t like) {
  const OutPort zero_point = b.has(i + 1) ? as_scalar(b, b.in(i + 1)) : OutPort();
  const ElementType type = zero_point ? zero_point.type() : b.in(like).type();
  require(type != ElementType::unknown, "the type of its zero point cannot be told from the model");
  return saturated(b, divide(b, y, as_scalar(b, b.in(i))), zero_point, type);
}

}  // namespace mo::onnx::ms
