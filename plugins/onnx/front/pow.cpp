// From version 12 on base and exponent may have different types; before 7 see front/legacy_broadcast.cpp.
#include "support/build.hpp"

namespace mo::onnx {

static Ports pow(Build& b, const SourceNode&) {
  const OutPort x = b.in(0), y = b.in(1);
  const auto power = [&](const OutPort& base, const OutPort& exponent) {
    return b.op("Power", "opset1", {base, exponent});
  };
  const ElementType tx = x.type(), ty = y.type();
  if (tx == ElementType::unknown || ty == ElementType::unknown)
    return {power(x, b.op("ConvertLike", "opset1", {y, x}))};
  if (tx == ty) return {power(x, y)};
  if (is_float(tx)) return {power(x, b.convert(y, tx))};
  // An integer to a fractional power is computed as it says and then cut off.
  return {b.convert(power(b.convert(x, ty), y), tx)};
}

void register_pow(Registry& r) { replace<pow>(r, {"Pow", "Pow(x, y)", "Power(x, Convert(y))"}); }

}  // namespace mo::onnx
