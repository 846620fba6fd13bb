// QuantizeLinear, DequantizeLinear and DynamicQuantizeLinear: the arithmetic that defines them. What is
// rounded and read again becomes FakeQuantize in front.fuse_quantize_pairs. Weights stay packed in front of a
// Convert.
#include "loader/schema.hpp"
#include "support/early_rank.hpp"
#include "support/quantize.hpp"

namespace mo::onnx {

static Ports quantize_linear(Build& b, const SourceNode& n) {
  const auto axis = axis_of(n, 1), stated = n.native("output_dtype", 0);
  const Blocks x(b, b.in(0), axis, n.native("block_size", 0));
  ValueType type = ElementType::u8;
  if (b.has(2))
    type = rounded_type(n, b.in(2));
  else if (stated != 0)
    type = value_type_of_onnx(stated);
  require(type.type != ElementType::unknown, "the type of its zero point cannot be told from the model");
  const OutPort scale = x.parameter(b.convert(b.in(1), ElementType::f32));
  const OutPort quotient = b.op("Divide", "opset1", {b.convert(x.data(), ElementType::f32), scale});
  const OutPort zero_point = b.has(2) ? x.parameter(b.in(2)) : OutPort();
  return {x.whole(saturated(b, quotient, zero_point, type, n.native("saturate", 1) != 0))};
}

static Ports dequantize_linear(Build& b, const SourceNode& n) {
  const ElementType from = b.in(0).type();
  const ElementType type = b.in(1).type() == ElementType::unknown ? ElementType::f32 : b.in(1).type();
  const Blocks x(b, b.in(0), axis_of(n, 1), n.native("block_size", 0));
  const OutPort parameter = x.parameter(b.in(1));
  OutPort y = b.convert(x.data(), type);
  const bool packed =
      b.constant(0) && from != ElementType::unknown && bits(from) <= 16 && y.node().is("Convert");
  if (packed) y.node().set(MO_ATTR_STOP_VALUE, true);
  if (b.has(2) && !is_zero_point_zero(b.in(2)))
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
  says_rank({"QuantizeLinear", "DequantizeLinear"}, Rank::kept);
  replace<quantize_linear>(r, {"QuantizeLinear",
                               "QuantizeLinear(x, scale, zero)",
                               "Convert(Clamp(Add(Round(Divide(x, scale)), zero)))",
                               {},
                               {},
                               "com.microsoft"});
  replace<dequantize_linear>(r, {"DequantizeLinear",
                                 "DequantizeLinear(x, scale, zero)",
                                 "Multiply(Subtract(Convert(x), zero), scale)",
                                 {},
                                 {},
                                 "com.microsoft"});
  replace<dynamic_quantize_linear>(
      r, {"DynamicQuantizeLinear", "y, scale, zero = DynamicQuantizeLinear(x)",
          "scale = (max - min) / 255; Convert(Clamp(Add(Round(Divide(x, scale)), zero)))"});
}

}  // namespace mo::onnx
