// Hue, saturation and value of pictures, whose colours are along the last dimension.
#include "support/build.hpp"

namespace mo::tensorflow {

namespace colours {

static OutPort op1(const Build& b, std::string_view type, const OutPort& l, const OutPort& r) {
  return b.op(type, "opset1", {l, r});
}

struct Hsv {
  OutPort hue, saturation, value;
};

static Hsv from_rgb(const Build& b, const OutPort& x) {
  const Ports rgb = b.split(x, -1, 3);
  const OutPort &red = rgb[0], &green = rgb[1], &blue = rgb[2];
  const OutPort zero = b.like(x, 0);
  const OutPort value = b.reduce("ReduceMax", x, b.list({-1}), true);
  const OutPort range = b.subtract(value, b.reduce("ReduceMin", x, b.list({-1}), true));
  const OutPort is_grey = b.op("Equal", "opset1", {range, zero}), is_dark = op1(b, "LessEqual", value, zero);
  const OutPort one = b.like(x, 1);
  const OutPort saturation = b.select(is_dark, zero, b.divide(range, b.select(is_dark, one, value)));
  const OutPort sector = b.multiply(b.select(is_grey, one, range), b.like(x, 6));
  const auto part = [&](const OutPort& l, const OutPort& r, double begin) {
    const OutPort turn = b.divide(b.subtract(l, r), sector);
    return begin == 0 ? turn : b.add(turn, b.like(x, begin));
  };
  OutPort hue = b.select(op1(b, "Equal", green, value), part(blue, red, 2.0 / 6), part(red, green, 4.0 / 6));
  hue = b.select(op1(b, "Equal", red, value), part(green, blue, 0), hue);
  hue = b.select(is_grey, zero, hue);
  return {b.select(op1(b, "Less", hue, zero), b.add(hue, one), hue), saturation, value};
}

static OutPort to_rgb(const Build& b, const Hsv& c) {
  const auto number = [&](double v) { return b.like(b.in(0), v); };
  const OutPort turn = b.multiply(c.hue, number(6));
  const auto distance = [&](double from) { return b.op("Abs", "opset1", {b.subtract(turn, number(from))}); };
  const OutPort two = number(2);
  Ports parts{b.subtract(distance(3), number(1)), b.subtract(two, distance(2)), b.subtract(two, distance(4))};
  for (OutPort& p : parts) {
    const OutPort grey = b.subtract(b.clamp(p, 0, 1), number(1));
    p = b.multiply(b.add(b.multiply(grey, c.saturation), number(1)), c.value);
  }
  return b.concat(parts, -1);
}

}  // namespace colours

static Ports rgb_to_hsv(Build& b, const SourceNode&) {
  const colours::Hsv c = colours::from_rgb(b, b.in(0));
  return {b.concat({c.hue, c.saturation, c.value}, -1)};
}

static Ports hsv_to_rgb(Build& b, const SourceNode&) {
  const Ports parts = b.split(b.in(0), -1, 3);
  return {colours::to_rgb(b, {parts[0], parts[1], parts[2]})};
}

static Ports adjust_hue(Build& b, const SourceNode&) {
  colours::Hsv c = colours::from_rgb(b, b.in(0));
  const OutPort turned = b.add(c.hue, b.convert(b.in(1), b.in(0).type()));
  c.hue = b.subtract(turned, b.op("Floor", "opset1", {turned}));
  return {colours::to_rgb(b, c)};
}

static Ports adjust_saturation(Build& b, const SourceNode&) {
  colours::Hsv c = colours::from_rgb(b, b.in(0));
  c.saturation = b.clamp(b.multiply(c.saturation, b.convert(b.in(1), b.in(0).type())), 0, 1);
  return {colours::to_rgb(b, c)};
}

void register_colours(Registry& r) {
  replace<rgb_to_hsv>(r, {"RGBToHSV", "RGBToHSV(x)", "Concat(hue, saturation, value)"});
  replace<hsv_to_rgb>(r, {"HSVToRGB", "HSVToRGB(x)", "Concat(red, green, blue)"});
  replace<adjust_hue>(r, {"AdjustHue", "AdjustHue(x, delta)", "Concat(red, green, blue)"});
  replace<adjust_saturation>(r,
                             {"AdjustSaturation", "AdjustSaturation(x, scale)", "Concat(red, green, blue)"});
}

}  // namespace mo::tensorflow
