// QuantizeLinear, DequantizeLinear and DynamicQuantizeLinear as the arithmetic that defines them: a
// FakeQuantize rounds after the zero point is added, and so gives other numbers halfway between two.
#include "loader/schema.hpp"
#include "support/quantize.hpp"

namespace mo::onnx {

static void require_no_blocks(const SourceNode& n) {
  const auto block = n.native("block_size", 0);
  require(block == 0, "attribute 'block_size' is ", block, ", blocks are not supported");
}

static Ports quantize_linear(Build& b, const SourceNode& n) {
  require_no_blocks(n);
  const OutPort x = b.in(0);
  const auto axis = n.native("axis", 1), stated = n.native("output_dtype", 0);
  ElementType type = ElementType::u8;
  if (b.has(2))
    type = b.in(2).type();
  else if (stated != 0)
    type = element_type_of_onnx(stated);
  require(type != ElementType::unknown, "the type of its zero point cannot be told from the model");
  const OutPort scale = along_axis(b, b.convert(b.in(1), ElementType::f32), x, axis);
  const OutPort quotient = b.op("Divide", "opset1", {b.convert(x, ElementType::f32), scale});
  return {saturated(b, quotient, b.has(2) ? along_axis(b, b.in(2), x, axis) : OutPort(), type)};
}

static Ports dequantize_linear(Build& b, const SourceNode& n) {
  require_no_blocks(n);
  const auto axis = n.native("axis", 1);
  const ElementType type = b.in(1).type() == ElementType::unknown ? ElementType::f32 : b.in(1).type();
  OutPort x = b.convert(b.in(0), type);
  if (b.has(2)) x = b.op("Subtract", "opset1", {x, b.convert(along_axis(b, b.in(2), b.in(0), axis), type)});
  return {b.op("Multiply", "opset1", {x, along_axis(b, b.in(1), b.in(0), axis)})};
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
  replace<quantize_linear>(r, {"QuantizeLinear", "QuantizeLinear(x, scale, zero)",
                               "Convert(Clamp(Add(Round(Divide(x, scale)), zero)))"});
  replace<dequantize_linear>(
      r, {"DequantizeLinear", "DequantizeLinear(x, scale, zero)", "Multiply(Subtract(x, zero), scale)"});
  // com.microsoft had them for 16 bits before ONNX did.
  replace<quantize_linear>(r, {"QuantizeLinear", "QuantizeLinear(x, scale, zero)",
                               "Convert(Clamp(Add(Round(Divide(x, scale)), zero)))", "com.microsoft"});
  replace<dequantize_linear>(r, {"DequantizeLinear", "DequantizeLinear(x, scale, zero)",
                                 "Multiply(Subtract(x, zero), scale)", "com.microsoft"});
  replace<dynamic_quantize_linear>(
      r, {"DynamicQuantizeLinear", "y, scale, zero = DynamicQuantizeLinear(x)",
          "scale = (max - min) / 255; Convert(Clamp(Add(Round(Divide(x, scale)), zero)))"});
}

}  // namespace mo::onnx
