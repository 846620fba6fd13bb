#include "support/quantized.hpp"

#include "support/numbers.hpp"

namespace mo::mxnet {

Ends range_at(const Build& b, size_t first) { return {b.in(first), b.in(first + 1)}; }

static OutPort without_sign(const Build& b, const OutPort& x) { return b.op("Abs", "opset1", {x}); }

OutPort reach_of(const Build& b, const Ends& r) {
  return b.op("Maximum", "opset1", {without_sign(b, r.low), without_sign(b, r.high)});
}

Ends around_zero(const Build& b, const OutPort& reach) {
  return {b.op("Negative", "opset1", {reach}), reach};
}

static OutPort one_number(const Build& b, double value) {
  return b.constant(Tensor::filled(b.context(), ElementType::f32, {value}, {1}));
}

std::optional<Ends> calibrated(const Build& b, const SourceNode& n) {
  const auto low = n.find_native<double>("min_calib_range"), high = n.find_native<double>("max_calib_range");
  if (!low || !high) return std::nullopt;
  require(*low <= *high, "attributes 'min_calib_range' and 'max_calib_range' are ", *low, " and ", *high);
  return Ends{one_number(b, *low), one_number(b, *high)};
}

Ends actual(const Build& b, const OutPort& x) {
  const OutPort list = b.reshape(x, Ints{-1}), axes = b.list({0});
  return {b.reduce("ReduceMin", list, axes, true), b.reduce("ReduceMax", list, axes, true)};
}

static OutPort fake_quantize(const Build& b, const OutPort& x, const Ends& r, int64_t levels) {
  const Node n = b.node("FakeQuantize", "opset1", {x, r.low, r.high, r.low, r.high});
  n.set("levels", levels);
  return n.out_port();
}

Ports rounded_around_zero(const Build& b, const OutPort& x, const OutPort& reach) {
  const Ends r = around_zero(b, reach);
  return {fake_quantize(b, x, r, 255), r.low, r.high};
}

Ports rounded_between(const Build& b, const OutPort& x, const Ends& r) {
  return {fake_quantize(b, x, r, 256), r.low, r.high};
}

Ports rounded(const Build& b, const OutPort& x, const Ends& r) {
  b.graph().infer_marked();
  const auto low = r.low.value();
  const bool unsigned_ = low && low->size() == 1 && low->to_floats()[0] >= 0;
  return unsigned_ ? rounded_between(b, x, r) : rounded_around_zero(b, x, reach_of(b, r));
}

OutPort meaning(const Build& b, size_t i, const Ends& r) {
  const OutPort x = b.in(i);
  const ElementType type = x.type();
  if (type != ElementType::i8 && type != ElementType::u8) return x;
  const Node c = b.node("Convert", "opset1", {x});
  c.set("destination_type", ElementType::f32).set(MO_ATTR_STOP_VALUE, true);
  if (type == ElementType::i8) return multiply(b, c, divide(b, reach_of(b, r), one_number(b, 127)));
  const OutPort step = divide(b, subtract(b, r.high, r.low), one_number(b, 255));
  return add(b, multiply(b, c, step), r.low);
}

}  // namespace mo::mxnet
