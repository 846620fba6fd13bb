// QuantizeLinear, DequantizeLinear and DynamicQuantizeLinear. Alone they are the arithmetic that defines
// them. A pair with constant parameters is a FakeQuantize, which rounds after the zero point is added and so
// may give another number halfway between two. Weights stay packed in front of a Convert.
#include "loader/schema.hpp"
#include "support/quantize.hpp"

namespace mo::onnx {

namespace pairs {

static bool same_parameter(const OutPort& p, const OutPort& q) {
  if (p.node().id() == q.node().id() && p.index() == q.index()) return true;
  const auto a = p.value(), b = q.value();
  return a && b && a->type() == b->type() && a->dims() == b->dims() &&
         std::memcmp(a->data(), b->data(), a->size() * static_cast<size_t>(bits(a->type())) / 8) == 0;
}

// What a QuantizeLinear in front of `n` quantizes; nothing when both do not make up a FakeQuantize.
static OutPort quantized_by(const Build& b, const SourceNode& n, ElementType type) {
  const OutPort from = b.in(0);
  const SourceNode q(from.node());
  if (q.op() != "QuantizeLinear" || q.in_count() < 2 || !q.is_in_port_connected(0) || from.index() != 0)
    return {};
  if (n.native("block_size", 0) != 0 || q.native("block_size", 0) != 0) return {};
  if (!is_quantized_integer(type) || type != b.in(0).type()) return {};
  const auto scale = b.constant(1);
  if (!scale || scale->rank() > 1 || !same_parameter(b.in(1), q.in_port(1).get_source())) return {};
  if (scale->size() != 1 && axis_of(n, 1) != axis_of(q, 1)) return {};
  const bool zero = b.has(2), q_zero = q.is_in_port_connected(2);
  if (zero != q_zero) return {};
  if (zero && (!b.constant(2) || !same_parameter(b.in(2), q.in_port(2).get_source()))) return {};
  return q.in_port(0).get_source();
}

static OutPort fake_quantize(const Build& b, const SourceNode& n, const OutPort& x, ElementType type) {
  const auto [least, most] = quantized_range(type);
  const auto scale = b.constant(1)->to_floats<double>();
  std::vector<double> zero(scale.size(), 0.0);
  if (b.has(2)) zero = b.constant(2)->to_floats<double>();
  require(zero.size() == scale.size(), "the scale has ", scale.size(), " entries and the zero point ",
          zero.size());
  std::vector<double> low, high;
  for (size_t i = 0; i < scale.size(); ++i) {
    low.push_back((least - zero[i]) * scale[i]);
    high.push_back((most - zero[i]) * scale[i]);
  }
  const Ints dims = scale.size() == 1 ? Ints{} : Ints{static_cast<int64_t>(scale.size())};
  const OutPort of_type = b.in(1);
  const auto limit = [&](const std::vector<double>& values) {
    return along_axis(b, b.like(of_type, values, dims), x, axis_of(n, 1));
  };
  const OutPort from = limit(low), to = limit(high);
  const Node f = b.node("FakeQuantize", "opset1", {x, from, to, from, to});
  f.set("levels", static_cast<int64_t>(most - least) + 1).set("stop_value_propagation", true);
  return f.out_port();
}

// All zero points are 0.
static bool is_zero(const Build& b, size_t i) {
  const auto zero = b.constant(i);
  if (!zero || zero->size() > 65536 || !is_quantized_integer(zero->type())) return false;
  const auto list = zero->to_floats<double>();
  return std::all_of(list.begin(), list.end(), [](double z) { return z == 0; });
}

}  // namespace pairs

static Ports quantize_linear(Build& b, const SourceNode& n) {
  const auto axis = axis_of(n, 1), stated = n.native("output_dtype", 0);
  const Blocks x(b, b.in(0), axis, n.native("block_size", 0));
  ElementType type = ElementType::u8;
  if (b.has(2))
    type = b.in(2).type();
  else if (stated != 0)
    type = element_type_of_onnx(stated);
  require(type != ElementType::unknown, "the type of its zero point cannot be told from the model");
  const OutPort scale = x.parameter(b.convert(b.in(1), ElementType::f32));
  const OutPort quotient = b.op("Divide", "opset1", {b.convert(x.data(), ElementType::f32), scale});
  return {x.whole(saturated(b, quotient, b.has(2) ? x.parameter(b.in(2)) : OutPort(), type))};
}

static Ports dequantize_linear(Build& b, const SourceNode& n) {
  const ElementType from = b.in(0).type();
  if (const OutPort whole = pairs::quantized_by(b, n, from)) return {pairs::fake_quantize(b, n, whole, from)};
  const ElementType type = b.in(1).type() == ElementType::unknown ? ElementType::f32 : b.in(1).type();
  const Blocks x(b, b.in(0), axis_of(n, 1), n.native("block_size", 0));
  const OutPort parameter = x.parameter(b.in(1));
  OutPort y = b.convert(x.data(), type);
  const bool packed =
      b.constant(0) && from != ElementType::unknown && bits(from) <= 16 && y.node().op() == "Convert";
  if (packed) y.node().set("stop_value_propagation", true);
  if (b.has(2) && !pairs::is_zero(b, 2))
    y = b.op("Subtract", "opset1", {y, b.convert(x.parameter(b.in(2)), type)});
  y = x.whole(b.op("Multiply", "opset1", {y, parameter}));
  if (const Shape s = b.in(0).shape(); packed && s.is_static()) y.set_shape(type, s);
  const auto stated = n.native("output_dtype", 0);
  if (stated == 0) return {y};
  const ElementType wanted = element_type_of_onnx(stated);
  require(wanted != ElementType::unknown, "attribute 'output_dtype' is ", stated,
          ", which the IR does not have");
  return {wanted == type ? y : b.convert(y, wanted)};
}

// Scale and zero point are such that the range of x and 0 fit into 0 to 255.
static Ports dynamic_quantize_linear(Build& b, const SourceNode& n) {
  const OutPort x = b.convert(b.in(0), ElementType::f32), zero = b.like(x, 0);
  const auto op = [&](std::string_view t, const OutPort& l, const OutPort& r) {
    return b.op(t, "opset1", {l, r});
  };
  const OutPort axes = b.axes(b.in(0), 0, INT64_MAX);
  const OutPort least = op("Minimum", b.reduce("ReduceMin", x, axes, false), zero);
  const OutPort most = op("Maximum", b.reduce("ReduceMax", x, axes, false), zero);
  const OutPort width = op("Divide", op("Subtract", most, least), b.like(x, 255));
  // Zeros only: any scale does.
  const OutPort scale = b.select(op("Equal", width, zero), b.like(x, 1), width);
  const OutPort point =
      saturated(b, op("Divide", b.op("Negative", "opset1", {least}), scale), {}, ElementType::u8);
  Ports outputs{saturated(b, op("Divide", x, scale), point, ElementType::u8), scale, point};
  outputs.resize(std::min<size_t>(n.out_count(), 3));
  return outputs;
}

void register_quantize_linear(Registry& r) {
  // com.microsoft had them for 16 bits before ONNX did.
  replace<quantize_linear>(r, {"QuantizeLinear",
                               "QuantizeLinear(x, scale, zero)",
                               "Convert(Clamp(Add(Round(Divide(x, scale)), zero)))",
                               {},
                               {},
                               "com.microsoft"});
  replace<dequantize_linear>(
      r, {"DequantizeLinear",
          "DequantizeLinear(x, scale, zero)",
          "Multiply(Subtract(Convert(x), zero), scale); FakeQuantize(x) behind QuantizeLinear",
          {},
          "onnx.front.quantize_linear",
          "com.microsoft"});
  replace<dynamic_quantize_linear>(
      r, {"DynamicQuantizeLinear", "y, scale, zero = DynamicQuantizeLinear(x)",
          "scale = (max - min) / 255; Convert(Clamp(Add(Round(Divide(x, scale)), zero)))"});
}

}  // namespace mo::onnx
