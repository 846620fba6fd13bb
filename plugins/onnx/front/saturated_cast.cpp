// Casts to 8-bit floats: what is too large becomes the largest value, unless saturate=0 asks for NaN or
// infinity.
#include "loader/schema.hpp"
#include "support/build.hpp"

namespace mo::onnx {

namespace saturating {

static OutPort cast(const Build& b, const SourceNode& n, ElementType type) {
  OutPort x = b.in(0);
  if (n.native("saturate", 1) != 0 && (type == ElementType::f8e4m3 || type == ElementType::f8e5m2)) {
    const double most = type == ElementType::f8e4m3 ? 448 : 57344;
    const Node cut = b.node("Clamp", "opset1", {x});
    cut.set("min", -most).set("max", most);
    x = cut.out_port();
  }
  if (type == ElementType::f8e8m0) {
    // It has powers of two only, and a conversion takes the nearest: above 1.5 the next one. A factor makes
    // that what is asked for.
    const auto mode = n.native("round_mode", "up");
    require(mode == "up" || mode == "down" || mode == "nearest", "attribute 'round_mode' is '", mode,
            "', expected 'up', 'down' or 'nearest'");
    constexpr double digit = 0x1p-23;
    x = b.convert(x, ElementType::f32);
    if (mode != "nearest")
      x = b.op("Multiply", "opset1", {x, b.like(x, mode == "up" ? 1.5 - digit : 0.75 + digit / 2)});
  }
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
