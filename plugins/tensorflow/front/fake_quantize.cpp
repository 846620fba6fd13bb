// Quantization that is only simulated: FakeQuantWithMinMax* and QuantizeAndDequantize*. And Dequantize.
#include "support/build.hpp"

#include <cmath>

namespace mo::tensorflow {

namespace fake_quantize {

// The range is moved so that zero is one of the levels.
struct Levels {
  double least = 0, most = 255;
  int64_t count() const { return static_cast<int64_t>(most - least) + 1; }
};
static Levels levels_of(const SourceNode& n) {
  const auto bits = n.native("num_bits", 8);
  require(bits >= 2 && bits <= 16, "attribute 'num_bits' is ", bits, ", expected 2 to 16");
  return {n.native("narrow_range", false) ? 1.0 : 0.0, static_cast<double>((int64_t{1} << bits) - 1)};
}
// In f32, as TensorFlow computes it. A range that was never trained is [0, 0], and so is what it gives.
static std::pair<float, float> nudged(float low, float high, const Levels& l) {
  if (low == 0 && high == 0) return {0.0F, 0.0F};
  const auto least = static_cast<float>(l.least), most = static_cast<float>(l.most);
  const float scale = (high - low) / (most - least), zero = least - low / scale;
  const float point = zero < least ? least : zero > most ? most : std::round(zero);
  return {(least - point) * scale, (most - point) * scale};
}

static Ports quantized(const Build& b, const OutPort& x, const OutPort& low, const OutPort& high,
                       const Levels& l) {
  return {b.node("FakeQuantize", "opset1", {x, low, high, low, high}).set("levels", l.count()).out_port()};
}

static OutPort math(const Build& b, std::string_view type, const OutPort& l, const OutPort& r) {
  return b.op(type, "opset1", {l, r});
}
static OutPort rounded(const Build& b, const OutPort& x, std::string_view mode) {
  return b.node("Round", "opset5", {x}).set("mode", std::string(mode)).out_port();
}

}  // namespace fake_quantize

static Ports fake_quant_vars(Build& b, const SourceNode& n) {
  using namespace fake_quantize;
  const Levels l = levels_of(n);
  const OutPort x = b.in(0);
  const auto low = b.floats(1), high = b.floats(2);
  if (low && high && low->size() == high->size()) {
    std::vector<double> from, to;
    for (size_t i = 0; i < low->size(); ++i) {
      const auto [least, most] = nudged(static_cast<float>((*low)[i]), static_cast<float>((*high)[i]), l);
      from.push_back(least);
      to.push_back(most);
    }
    const Ints dims = b.constant(1)->dims();
    return quantized(b, x, b.like(x, from, dims), b.like(x, to, dims), l);
  }
  const OutPort least = b.in(1), most = b.in(2);
  const OutPort scale = math(b, "Divide", math(b, "Subtract", most, least), b.number(l.most - l.least));
  const OutPort divisor = b.select(math(b, "Equal", scale, b.number(0)), b.number(1), scale);
  const Node point =
      b.node("Clamp", "opset1", {math(b, "Subtract", b.number(l.least), math(b, "Divide", least, divisor))});
  point.set("min", l.least).set("max", l.most);
  const OutPort zero = rounded(b, point.out_port(), "half_away_from_zero");
  const auto end = [&](double level) {
    return math(b, "Multiply", math(b, "Subtract", b.number(level), zero), scale);
  };
  return quantized(b, x, end(l.least), end(l.most), l);
}

static Ports fake_quant_args(Build& b, const SourceNode& n) {
  using namespace fake_quantize;
  const Levels l = levels_of(n);
  const auto [low, high] =
      nudged(static_cast<float>(n.native("min", -6.0)), static_cast<float>(n.native("max", 6.0)), l);
  return quantized(b, b.in(0), b.like(b.in(0), low), b.like(b.in(0), high), l);
}

// The scale is the one with which the end of the range that needs more room is the last integer.
static Ports quantize_and_dequantize(Build& b, const SourceNode& n) {
  using namespace fake_quantize;
  const OutPort x = b.in(0);
  const bool third = n.is("QuantizeAndDequantizeV3"), first = n.is("QuantizeAndDequantize");
  const auto stated = third ? b.ints(3) : Ints{n.native("num_bits", 8)};
  require(stated.has_value(), "input 3, the number of bits, is not constant");
  require(stated->size() == 1, "input 3, the number of bits, has ", stated->size(),
          " elements, expected one");
  const int64_t bits = stated->front();
  require(bits >= 2 && bits <= 31, "the number of bits is ", bits, "; expected 2 to 31");
  const bool is_signed = n.native("signed_input", true), narrow = n.native("narrow_range", false);
  const bool given = n.native("range_given", third);
  const auto axis = n.native("axis", -1);
  require(axis == -1, "attribute 'axis' is ", axis, "; only -1, one range for all, is supported");
  const double most = is_signed ? std::ldexp(1.0, static_cast<int>(bits) - 1) - 1
                                : std::ldexp(1.0, static_cast<int>(bits)) - 1;
  const double least = !is_signed ? 0 : narrow ? -most : -most - 1;
  OutPort low, high;
  if (given && first) {
    low = b.like(x, n.native("input_min", 0.0));
    high = b.like(x, n.native("input_max", 0.0));
  } else if (given) {
    low = b.in(1);
    high = b.in(2);
  } else {
    low = b.reduce("ReduceMin", x, b.axes(x, 0, INT64_MAX), false);
    high = b.reduce("ReduceMax", x, b.axes(x, 0, INT64_MAX), false);
  }
  const auto value = [&](double v) { return b.like(x, v); };
  // What a step is, when one end decides. An end on the other side of zero asks for nothing.
  OutPort unit = math(b, "Maximum", math(b, "Divide", high, value(most)), value(0));
  if (least != 0) unit = math(b, "Maximum", unit, math(b, "Divide", low, value(least)));
  const OutPort safe = b.select(math(b, "Greater", unit, value(0)), unit, value(1));
  const bool up = n.native("round_mode", "HALF_TO_EVEN") == "HALF_UP";
  const OutPort steps = math(b, "Divide", x, safe);
  OutPort whole =
      up ? b.op("Floor", "opset1", {math(b, "Add", steps, value(0.5))}) : rounded(b, steps, "half_to_even");
  // A range that follows from the numbers cuts none of them off, but for what is negative and has no sign:
  // TensorFlow keeps that.
  if (!given) return {math(b, "Multiply", whole, unit)};
  const Node clamp = b.node("Clamp", "opset1", {whole});
  clamp.set("min", least).set("max", most);
  return {math(b, "Multiply", clamp.out_port(), unit)};
}

// MIN_COMBINED: the range is cut into as many steps as the type has values. SCALED: zero stays zero.
static Ports dequantize(Build& b, const SourceNode& n) {
  using namespace fake_quantize;
  const OutPort q = b.in(0);
  const ElementType type = q.type();
  const auto mode = n.native("mode", "MIN_COMBINED");
  require(n.native("axis", -1) == -1, "attribute 'axis' is ", n.native("axis", -1), "; only -1 is supported");
  const bool is_signed = type == ElementType::i8 || type == ElementType::i16 || type == ElementType::i32;
  require(type != ElementType::unknown && bits(type) <= 32, "the type of the input is ", name(type));
  const double values = std::ldexp(1.0, bits(type));
  const OutPort x = b.convert(q, ElementType::f32), low = b.in(1), high = b.in(2);
  OutPort y;
  if (mode == "SCALED") {
    const double most = is_signed ? values / 2 - 1 : values - 1;
    OutPort unit = math(b, "Divide", high, b.number(most));
    if (is_signed) {
      const double least = n.native("narrow_range", false) ? -most : -most - 1;
      unit = math(b, "Maximum", math(b, "Divide", low, b.number(least)), unit);
    }
    y = math(b, "Multiply", x, unit);
  } else {
    require(mode == "MIN_COMBINED" || mode == "MIN_FIRST", "attribute 'mode' is '", mode,
            "', expected MIN_COMBINED, MIN_FIRST or SCALED");
    const OutPort unit = math(b, "Divide", math(b, "Subtract", high, low), b.number(values - 1));
    if (mode == "MIN_FIRST") {  // the lowest number is the lower end, rounded to steps
      const OutPort start =
          math(b, "Multiply", rounded(b, math(b, "Divide", low, unit), "half_away_from_zero"), unit);
      const OutPort from = math(b, "Subtract", x, b.number(is_signed ? -values / 2 : 0));
      y = math(b, "Add", math(b, "Multiply", from, unit), start);
    } else {
      const OutPort from = is_signed ? math(b, "Add", x, b.number(values / 2)) : x;
      y = math(b, "Add", math(b, "Multiply", from, unit), low);
    }
  }
  return {b.convert(y, n.native("dtype", ElementType::f32))};
}

void register_fake_quantize(Registry& r) {
  for (const char* op : {"FakeQuantWithMinMaxVars", "FakeQuantWithMinMaxVarsPerChannel"})
    replace<fake_quant_vars>(r, {op, text(op, "(x, min, max)"), "FakeQuantize(x, low, high, low, high)"});
  replace<fake_quant_args>(
      r, {"FakeQuantWithMinMaxArgs", "FakeQuantWithMinMaxArgs(x)", "FakeQuantize(x, low, high, low, high)"});
  for (const char* op : {"QuantizeAndDequantize", "QuantizeAndDequantizeV2", "QuantizeAndDequantizeV3",
                         "QuantizeAndDequantizeV4"})
    replace<quantize_and_dequantize>(
        r, {op, text(op, "(x, min, max)"), "Multiply(Clamp(Round(Divide(x, step))), step)"});
  replace<dequantize>(r, {"Dequantize", "Dequantize(q, min, max)", "Add(Multiply(Convert(q), step), min)"});
}

}  // namespace mo::tensorflow
