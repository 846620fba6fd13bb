// Quantization: the arithmetic that defines it. What is rounded and read again becomes FakeQuantize in
// front.fuse_quantize_pairs; weights stay packed in front of a Convert.
#include "support/values.hpp"

#include <mo/extract.hpp>
#include <mo/passes.hpp>

namespace mo::pytorch {

namespace quantized {

// One number, or a list with one for each entry of the axis.
static OutPort parameter(const Call& c, std::string_view name, const OutPort& x) {
  const OutPort p = c.scalar(name, ElementType::f32);
  const size_t rank = c.rank(x);
  if (c.rank(p) == 0) return p;
  if (!c.is_given("axis")) return c.b.reshape(p, Ints{});
  Ints dims(rank - c.axis("axis", 0, rank), 1);
  dims[0] = -1;
  return c.b.reshape(p, dims);
}
static bool is_zero(const OutPort& p) {
  const auto v = p.value();
  if (!v || v->size() > 65536) return false;
  const auto list = v->to_floats<double>();
  return std::all_of(list.begin(), list.end(), [](double z) { return z == 0; });
}

template <Name Scale, Name Zero>
static Ports quantize(const Call& c) {
  const OutPort x = c.b.convert(c.tensor("input"), ElementType::f32);
  OutPort y = c.b.divide(x, parameter(c, Scale, x));
  y = c.b.node("Round", "opset5", {y}).set("mode", "half_to_even").out_port();
  if (c.is_given(Zero))
    if (const OutPort zero = parameter(c, Zero, x); !is_zero(zero)) y = c.b.add(y, zero);
  y = c.b.clamp(y, c.number("quant_min"), c.number("quant_max"));
  return {c.b.convert(y, c.result_type())};
}

template <Name Scale, Name Zero>
static Ports dequantize(const Call& c) {
  const OutPort q = c.tensor("input");
  const bool constant = q.value().has_value();
  OutPort y = c.b.convert(q, ElementType::f32);
  if (constant && y.node().is("Convert")) y.node().set(MO_ATTR_STOP_VALUE, true);
  if (c.is_given(Zero))
    if (const OutPort zero = parameter(c, Zero, q); !is_zero(zero)) y = c.b.subtract(y, zero);
  y = c.b.multiply(y, parameter(c, Scale, q));
  if (const Shape s = q.shape(); constant && s.is_static()) y.set_shape(ElementType::f32, s);
  return {y};
}

static Ports fake(const Call& c) {
  const OutPort x = c.tensor("self");
  const double least = c.number("quant_min"), most = c.number("quant_max");
  require(least < most, "arguments 'quant_min' and 'quant_max' are ", least, " and ", most);
  const OutPort scale = c.b.convert(parameter(c, "scale", x), x.type());
  const OutPort zero = c.b.convert(parameter(c, "zero_point", x), x.type());
  const auto limit = [&](double v) { return c.b.multiply(c.b.subtract(c.like(x, v), zero), scale); };
  const OutPort low = limit(least), high = limit(most);
  const Node n = c.b.node("FakeQuantize", "opset1", {x, low, high, low, high});
  Ports out(c.result_count());
  out.at(0) = n.set("levels", static_cast<int64_t>(most - least) + 1).out_port();
  return out;
}

// Rows of a matrix that belong to groups, each with a matrix of its own; `offs` says where groups end.
static Ports product_of_groups(const Call& c) {
  const OutPort x = c.tensor(c.is_given("self") ? "self" : "input");
  const OutPort w = c.tensor(c.is_given("mat2") ? "mat2" : "weight");
  require(c.rank(x) == 2 && c.rank(w) == 3, "it reads tensors of ", c.rank(x), " and ", c.rank(w),
          " dimensions, expected rows and one matrix for each group");
  const OutPort ends = c.b.convert(c.tensor("offs"), ElementType::i64);
  const Node passed = c.b.node("SearchSorted", "opset15", {ends, count_to(c, size_of(c, x, 0))});
  const OutPort group = passed.set("right_mode", true).set("output_type", ElementType::i64).out_port();
  const OutPort groups = c.b.unsqueeze(count_to(c, size_of(c, w, 0)), c.b.list({1}));
  const OutPort own = c.b.unsqueeze(c.op1("Equal", {groups, group}), c.b.list({2}));
  const OutPort all = c.b.matmul(c.b.unsqueeze(x, c.b.list({0})), w);
  OutPort y = c.b.reduce("ReduceSum", c.b.select(own, all, c.like(all, 0)), c.b.list({0}), false);
  if (const OutPort bias = c.find_tensor("bias")) y = c.b.add(y, gather(c, bias, group, 0));
  return {y};
}

}  // namespace quantized

void register_quantized(Registry& r) {
  using namespace quantized;
  convert<quantize<"scale", "zero_point">>(
      r,
      "quantized_decomposed.quantize_per_tensor.default quantized_decomposed.quantize_per_tensor.tensor "
      "quantized_decomposed.quantize_per_tensor.tensor2",
      "quantize_per_tensor(x, scale, zero_point)", "Convert(Clamp(Add(Round(Divide(x, scale)), zero_point)))");
  convert<quantize<"scales", "zero_points">>(r, "quantized_decomposed.quantize_per_channel.default",
                                             "quantize_per_channel(x, scales, zero_points)",
                                             "Convert(Clamp(Add(Round(Divide(x, scales)), zero_points)))");
  convert<dequantize<"scale", "zero_point">>(
      r,
      "quantized_decomposed.dequantize_per_tensor.default quantized_decomposed.dequantize_per_tensor.tensor "
      "quantized_decomposed.dequantize_per_tensor.tensor2",
      "dequantize_per_tensor(x, scale, zero_point)", "Multiply(Subtract(Convert(x), zero_point), scale)");
  convert<dequantize<"scales", "zero_points">>(r, "quantized_decomposed.dequantize_per_channel.default",
                                               "dequantize_per_channel(x, scales, zero_points)",
                                               "Multiply(Subtract(Convert(x), zero_points), scales)");
  convert<fake>(r,
                "aten.fake_quantize_per_tensor_affine.default aten.fake_quantize_per_tensor_affine.tensor_qparams "
                "aten.fake_quantize_per_channel_affine.default "
                "aten.fake_quantize_per_tensor_affine_cachemask.default "
                "aten._fake_quantize_per_tensor_affine_cachemask_tensor_qparams.default "
                "aten.fake_quantize_per_channel_affine_cachemask.default",
                "fake_quantize_per_tensor_affine(x, scale, zero_point)", "FakeQuantize(x)");
  convert<product_of_groups>(r, "aten._grouped_mm.default transformers.grouped_mm_fallback.default",
                             "_grouped_mm(x, weights, offs)",
                             "ReduceSum(Select(Equal(groups, SearchSorted(offs, rows)), MatMul(x, weights), 0))");
}

}  // namespace mo::pytorch
