// Quantized programs: a scale is the greatest magnitude, and not the step.
#include "support/operator.hpp"

#include <mo/extract.hpp>

namespace mo::paddle {

namespace quantizing {

static double levels_of(const Op& o) {
  const int64_t bits = o.integer("bit_length", 8);
  require(bits > 1 && bits <= 16, "attribute 'bit_length' is ", bits, ", expected 2 to 16");
  return static_cast<double>((int64_t{1} << (bits - 1)) - 1);
}

// One scale for each element of an axis, or one.
static OutPort along(const Op& o, const OutPort& scale, const OutPort& x, int64_t axis) {
  const OutPort s = o.convert(scale, o.is_real(x) ? o.type_of(x) : ElementType::f32);
  if (axis < 0 || o.find_dim(s, 0) == 1 || o.rank(s) == 0)
    return o.as_scalar(o.rank(s) == 0 ? s : o.reshape(s, Ints{-1}));
  Ints place(static_cast<size_t>(o.rank(x)), 1);
  place[static_cast<size_t>(o.axis(x, axis))] = -1;
  return o.reshape(s, place);
}

static bool is_positive(const OutPort& x) {
  const auto value = x.value();
  if (!value) return false;
  const auto numbers = value->to_floats();
  return std::all_of(numbers.begin(), numbers.end(), [](float v) { return v > 0; });
}

// Whole numbers from -most - 1, or -most where halves are rounded away from zero, to most.
static OutPort quantized(const Op& o, const OutPort& x, const OutPort& scale, double most, bool away) {
  const OutPort y = o.divide(o.times(x, most), scale);
  const Node n = o.node("Round", "opset5", {y});
  n.set("mode", away ? "half_away_from_zero" : "half_to_even");
  return o.clamp(n.out_port(), away ? -most : -most - 1, most);
}

// The nearest of so many levels, as real numbers.
static OutPort nearest(const Op& o, const OutPort& x, const OutPort& scale, double most, bool away) {
  o.graph().infer_marked();
  if (is_positive(scale)) {
    const double least = away ? -1 : -(most + 1) / most;
    const OutPort low = o.times(scale, least);
    const Node n = o.node("FakeQuantize", "opset1", {x, low, scale, low, scale});
    return n.set("levels", static_cast<int64_t>(away ? 2 * most + 1 : 2 * most + 2)).out_port();
  }
  return o.divide(o.multiply(quantized(o, x, scale, most, away), scale), o.like(x, most));
}

static Ports quantize(const Op& o) {
  const OutPort x = o.in("0 X");
  const OutPort scale = along(o, o.in("1 Scale"), x, o.integer("quant_axis", -1));
  return o.give({{"0 Y", {quantized(o, x, scale, levels_of(o), o.integer("round_type", 0) == 1)}}});
}

static OutPort restored(const Op& o, const OutPort& x, const OutPort& scale, double most) {
  const OutPort real = o.is_real(x) ? x : o.convert(x, ElementType::f32);
  return o.multiply(real, o.divide(scale, o.like(scale, most)));
}

static Ports dequantize(const Op& o) {
  const OutPort x = o.in("0 X");
  return o.give(
      {{"0 Y", {restored(o, x, along(o, o.in("1 Scale"), x, o.integer("quant_axis", -1)), levels_of(o))}}});
}

// Of PaddleSlim before 2.3. Scales of activations are there, those of weights are found.
static OutPort greatest(const Op& o, const OutPort& x, int64_t axis) {
  Ints axes;
  for (int64_t i = 0; i < o.rank(x); ++i)
    if (i != axis) axes.push_back(i);
  return o.reduce("ReduceMax", o.op1("Abs", {x}), o.list(axes), axis >= 0);
}

static OutPort scale_of(const Op& o, const OutPort& x, bool by_channel) {
  const int64_t axis = by_channel ? o.axis(x, o.integer("quant_axis", 0)) : -1;
  if (o.has("1 InScale")) return along(o, o.in("1 InScale"), x, axis);
  return greatest(o, x, axis);
}

template <bool ByChannel, bool Restores>
static Ports fake(const Op& o) {
  const OutPort x = o.in("0 X");
  const OutPort scale = scale_of(o, x, ByChannel);
  const double most = levels_of(o);
  const bool away = o.integer("round_type", 1) == 1;
  const OutPort y = Restores ? nearest(o, x, scale, most, away) : quantized(o, x, scale, most, away);
  return o.give({{"0 Out", {y}}, {"1 OutScale", {o.reshape(scale, Ints{-1})}}});
}

static Ports fake_dequantize(const Op& o) {
  const OutPort x = o.in("0 X");
  return {o.divide(o.multiply(x, along(o, o.in("1 Scale"), x, -1)), o.like(x, o.real("max_range", 127)))};
}

static Ports fake_dequantize_channels(const Op& o) {
  const OutPort x = o.in("0 X");
  OutPort y = x;
  const Ports scales = o.all("1 Scales");
  const Ints bits = o.ints("quant_bits", {8});
  require(!scales.empty() && bits.size() >= scales.size(), "it has ", scales.size(), " scales but ",
          bits.size(), " numbers of bits");
  for (size_t i = 0; i < scales.size(); ++i) {
    require(bits[i] > 1 && bits[i] <= 16, "attribute 'quant_bits' is ", bits);
    // The first ones are of the weights, the second of the activations.
    const OutPort scale = along(o, scales[i], x, i == 0 ? o.integer("quant_axis", 0) : -1);
    y = restored(o, y, scale, static_cast<double>((int64_t{1} << (bits[i] - 1)) - 1));
  }
  return {y};
}

}  // namespace quantizing

void register_quantizing(Registry& r) {
  using namespace quantizing;
  convert<quantize>(r, "quantize_linear", "quantize_linear(x, scale)",
                    "Clamp(Round(Multiply(x, levels / scale)))");
  convert<dequantize>(r, "dequantize_linear", "dequantize_linear(x, scale)", "Multiply(x, scale / levels)");
  convert<fake<false, true>>(
      r, "fake_quantize_dequantize_moving_average_abs_max fake_quantize_dequantize_abs_max",
      "fake_quantize_dequantize_abs_max(x, scale)", "FakeQuantize(x, -scale, scale)");
  convert<fake<true, true>>(r, "fake_channel_wise_quantize_dequantize_abs_max",
                            "fake_channel_wise_quantize_dequantize_abs_max(x)",
                            "FakeQuantize(x, -scales, scales)");
  convert<fake<false, false>>(
      r, "fake_quantize_abs_max fake_quantize_range_abs_max fake_quantize_moving_average_abs_max",
      "fake_quantize_abs_max(x, scale)", "Clamp(Round(Multiply(x, levels / scale)))");
  convert<fake<true, false>>(r, "fake_channel_wise_quantize_abs_max", "fake_channel_wise_quantize_abs_max(x)",
                             "Clamp(Round(Multiply(x, levels / scales)))");
  convert<fake_dequantize>(r, "fake_dequantize_max_abs", "fake_dequantize_max_abs(x, scale)",
                           "Divide(Multiply(x, scale), range)");
  convert<fake_dequantize_channels>(r, "fake_channel_wise_dequantize_max_abs",
                                    "fake_channel_wise_dequantize_max_abs(x, scales)",
                                    "Multiply(x, scales / levels)");
}

}  // namespace mo::paddle
