#include "support/quantize.hpp"

namespace mo::onnx {

OutPort along_axis(const Build& b, const OutPort& parameter, const OutPort& x, int64_t axis) {
  const Shape p = parameter.shape(), s = x.shape();
  if (p.has_rank() && (p.empty() || (p.rank() == 1 && p[0] == Dim(1)))) return as_scalar(b, parameter);
  require(!p.has_rank() || p.rank() == 1, "a scale or zero point has shape ", p,
          ", expected one number or a list");
  // A list has no place in an x without this axis, and the parameter must be a single number.
  const bool fits = !s.has_rank() || (axis < s.rank() && axis >= -s.rank());
  if (!fits && !p.has_rank()) return as_scalar(b, parameter);
  if (s.has_rank()) axis = static_cast<int64_t>(normalize_axis(axis, s.size())) - s.rank();
  if (axis < 0 && p.has_rank()) {
    Ints shape(static_cast<size_t>(-axis), 1);
    shape[0] = -1;
    return b.reshape(parameter, shape);
  }
  // As many ones as there are dimensions behind the axis; a single number stays one.
  OutPort ones;
  if (axis < 0) {
    ones = b.list(Ints(static_cast<size_t>(-axis - 1), 1));
  } else {
    const OutPort behind = b.op("Subtract", "opset1", {b.rank(x), b.integer(axis + 1)});
    const Node list = b.node("Broadcast", "opset3", {b.integer(1), b.reshape(behind, Ints{1})});
    list.set("mode", "numpy");
    ones = list.out_port();
  }
  return b.reshape(parameter, b.concat({b.shape_of(parameter), ones}));
}

static std::pair<double, double> quantized_range(ElementType type) {
  switch (type) {
    case ElementType::u4:
      return {0, 15};
    case ElementType::i4:
      return {-8, 7};
    case ElementType::u8:
      return {0, 255};
    case ElementType::i8:
      return {-128, 127};
    case ElementType::u16:
      return {0, 65535};
    case ElementType::i16:
      return {-32768, 32767};
    default:
      fail("quantization to ", name(type), " is not supported");
  }
}

OutPort saturated(const Build& b, const OutPort& quotient, const OutPort& zero_point, ElementType type) {
  const auto [least, most] = quantized_range(type);
  const Node rounded = b.node("Round", "opset5", {quotient});
  rounded.set("mode", "half_to_even");
  OutPort y = rounded.out_port();
  if (zero_point) y = b.op("Add", "opset1", {y, b.convert(zero_point, ElementType::f32)});
  const Node cut = b.node("Clamp", "opset1", {y});
  cut.set("min", least).set("max", most);
  return b.convert(cut.out_port(), type);
}

OutPort centred(const Build& b, const OutPort& q, const OutPort& zero_point) {
  const OutPort x = b.convert(q, ElementType::i32);
  return zero_point ? b.op("Subtract", "opset1", {x, b.convert(zero_point, ElementType::i32)}) : x;
}

}  // namespace mo::onnx
