// Casts to floats of 8 and 4 bits: what is too large becomes the largest value, unless saturate=0 asks for
// NaN or infinity. Types that the IR does not have are computed in those that hold them.
#include "support/early_rank.hpp"
#include "support/quantize.hpp"

#include <limits>
#include <mo/small_floats.hpp>

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

// What has no number becomes -0, as in the node tests of ONNX.
static OutPort without_nan(const Build& b, const OutPort& x) {
  return b.select(b.op("NotEqual", "opset1", {x, x}), b.like(x, -0.0), x);
}

// The two lowest bits, of which the upper one is the sign.
static OutPort to_int2(const Build& b, const OutPort& x) {
  const auto op = [&](std::string_view type, const OutPort& l, int64_t r) {
    return b.op(type, "opset1", {l, b.integer(r)});
  };
  const OutPort lowest = op("FloorMod", b.convert(x, ElementType::i64), 4);
  return b.convert(op("Subtract", op("FloorMod", op("Add", lowest, 2), 4), 2), ElementType::i4);
}

static OutPort cast(const Build& b, const SourceNode& n, ValueType to) {
  OutPort x = b.in(0);
  const ElementType type = to.type;
  if (to.held == Held::int2) return to_int2(b, x);
  if (to.held != Held::none || type == ElementType::f8e4m3 || type == ElementType::f8e5m2)
    return to_small_float(b, x, to, n.native("saturate", 1) != 0);
  if (type == ElementType::f8e8m0) x = power_of_two(b, n, b.convert(x, ElementType::f32));
  if (type == ElementType::f4e2m1 && !is_integer(x.type()) && x.type() != ElementType::boolean)
    x = without_nan(b, x);
  return b.convert(x, type);
}

}  // namespace saturating

static Ports saturated_cast(Build& b, const SourceNode& n) {
  return {saturating::cast(b, n, value_type_of_onnx(n.native<int64_t>("to")))};
}

static Ports saturated_cast_like(Build& b, const SourceNode& n) {
  const ValueType type = rounded_type(n, b.in(1));
  if (type.held != Held::none || is_small_float(type.type)) return {saturating::cast(b, n, type)};
  return {b.op("ConvertLike", "opset1", {b.in(0), b.in(1)})};
}

void register_saturated_cast(Registry& r) {
  says_rank({"Cast"}, Rank::kept);
  replace<saturated_cast>(r, {"Cast", "Cast(x) to floats of 8 and 4 bits and to int2",
                              "Convert(Clamp(x)), or rounded by arithmetic where the IR has no such type"});
  replace<saturated_cast_like>(r, {"CastLike", "CastLike(x, y)", "ConvertLike(x, y), or as Cast"});
}

}  // namespace mo::onnx
