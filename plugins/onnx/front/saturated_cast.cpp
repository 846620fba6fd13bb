// Casts to 8-bit floats: what is too large becomes the largest value, unless saturate=0 asks for NaN or
// infinity.
#include "loader/schema.hpp"
#include "support/build.hpp"

#include <limits>

namespace mo::onnx {

namespace saturating {

// f8e8m0 has powers of two only, of which a conversion takes the nearest: of two those with an even exponent
// in OpenVINO, the greater one in ONNX. So what it took is compared with x.
static OutPort power_of_two(const Build& b, const SourceNode& n, const OutPort& given) {
  const auto mode = n.native("round_mode", "up");
  const auto op = [&](std::string_view type, const OutPort& l, const OutPort& r) {
    return b.op(type, "opset1", {l, r});
  };
  const auto number = [&](double v) {
    return b.constant(Tensor::filled(b.context(), ElementType::f32, {v}, {}));
  };
  const auto times = [&](const OutPort& y, double factor) { return op("Multiply", y, number(factor)); };
  constexpr double most = 0x1p127;
  const OutPort x = op("Minimum", given, number(most));
  const OutPort taken = b.convert(b.convert(x, ElementType::f8e8m0), ElementType::f32);
  OutPort y, beyond;
  if (mode == "up") {
    y = b.select(op("Less", taken, x), times(taken, 2), taken);
    beyond = op("Greater", given, number(most));
  } else if (mode == "nearest") {
    y = b.select(op("Equal", times(taken, 1.5), x), times(taken, 2), taken);
    beyond = op("GreaterEqual", given, number(1.5 * most));
  } else {
    require(mode == "down", "attribute 'round_mode' is '", mode, "', expected 'up', 'down' or 'nearest'");
    return b.select(op("Greater", taken, x), times(taken, 0.5), taken);
  }
  if (n.native("saturate", 1) != 0) return y;
  return b.select(beyond, number(std::numeric_limits<double>::quiet_NaN()), y);
}

static OutPort cast(const Build& b, const SourceNode& n, ElementType type) {
  OutPort x = b.in(0);
  if (n.native("saturate", 1) != 0 && (type == ElementType::f8e4m3 || type == ElementType::f8e5m2)) {
    const double most = type == ElementType::f8e4m3 ? 448 : 57344;
    const Node cut = b.node("Clamp", "opset1", {x});
    cut.set("min", -most).set("max", most);
    x = cut.out_port();
  }
  if (type == ElementType::f8e8m0) x = power_of_two(b, n, b.convert(x, ElementType::f32));
  return b.convert(x, type);
}

}  // namespace saturating

static Ports saturated_cast(Build& b, const SourceNode& n) {
  return {saturating::cast(b, n, element_type_of_onnx(n.native<int64_t>("to")))};
}

static Ports saturated_cast_like(Build& b, const SourceNode& n) {
  const ElementType type = b.in(1).type();
  if (type == ElementType::f8e4m3 || type == ElementType::f8e5m2 || type == ElementType::f8e8m0)
    return {saturating::cast(b, n, type)};
  return {b.op("ConvertLike", "opset1", {b.in(0), b.in(1)})};
}

void register_saturated_cast(Registry& r) {
  replace<saturated_cast>(r, {"Cast", "Cast(x) to 8-bit floats", "Convert(Clamp(x))"});
  replace<saturated_cast_like>(r, {"CastLike", "CastLike(x, y)", "ConvertLike(x, y), or Convert(Clamp(x))"});
}

}  // namespace mo::onnx
