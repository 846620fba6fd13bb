// Operators that ONNX had in its first, experimental days, and one of PyTorch's that old exporters wrote.
#include "loader/schema.hpp"
#include "support/build.hpp"

namespace mo::onnx {

namespace experimental {

static OutPort multiply(const Build& b, const OutPort& x, double factor) {
  return b.multiply(x, b.like(x, factor));
}

}  // namespace experimental

static Ports scaled_tanh(Build& b, const SourceNode& n) {
  const OutPort t = b.op("Tanh", "opset1", {experimental::multiply(b, b.in(0), n.native("beta", 1.0))});
  return {experimental::multiply(b, t, n.native("alpha", 1.0))};
}

static Ports parametric_softplus(Build& b, const SourceNode& n) {
  const OutPort s = b.op("SoftPlus", "opset4", {experimental::multiply(b, b.in(0), n.native("beta", 1.0))});
  return {experimental::multiply(b, s, n.native("alpha", 1.0))};
}

static Ports scale(Build& b, const SourceNode& n) {
  return {experimental::multiply(b, b.in(0), n.native("scale", 1.0))};
}

// Borders left, top, right and bottom of pictures; with attribute 'scale' height and width of what is left.
static Ports crop(Build& b, const SourceNode& n) {
  const auto border = n.native<Ints>("border");
  const auto small = [](const Ints& list) {
    return std::all_of(list.begin(), list.end(), [](int64_t v) { return v >= 0 && v <= INT32_MAX; });
  };
  require(border.size() == 4 && small(border), "attribute 'border' is ", border,
          ", expected 4 numbers from 0 on");
  Ints begin{0, 0, border[1], border[0]}, end{0, 0, -border[3], -border[2]}, end_mask{1, 1, 0, 0};
  if (const auto size = n.find_native<Ints>("scale"); size && !size->empty()) {
    require(size->size() == 2 && small(*size), "attribute 'scale' is ", *size,
            ", expected 2 numbers from 0 on");
    for (size_t i = 0; i < 2; ++i) end[i + 2] = begin[i + 2] + (*size)[i];
  } else {
    for (size_t i = 2; i < 4; ++i) end_mask[i] = end[i] == 0 ? 1 : 0;
  }
  const Node s = b.node("StridedSlice", "opset1", {b.in(0), b.list(begin), b.list(end), b.list(Ints(4, 1))});
  s.set("begin_mask", Ints{1, 1, 0, 0}).set("end_mask", end_mask);
  s.set("new_axis_mask", Ints(4, 0)).set("shrink_axis_mask", Ints(4, 0)).set("ellipsis_mask", Ints(4, 0));
  return {s.out_port()};
}

// The shape is the input's or, with input_as_shape, its values; extra_shape goes behind it.
static Ports constant_fill(Build& b, const SourceNode& n) {
  const auto stated = n.native("dtype", 1);
  const ElementType type = element_type_of_onnx(stated);
  require(type != ElementType::unknown, "attribute 'dtype' is ", data_type_name(stated),
          ", which the IR does not have");
  const bool by_values = n.native("input_as_shape", 0) != 0;
  OutPort shape;
  if (!b.has(0))
    shape = b.list(n.native<Ints>("shape"));
  else
    shape = by_values ? b.convert(b.in(0), ElementType::i64) : b.shape_of(b.in(0));
  if (const auto extra = n.find_native<Ints>("extra_shape"); extra && !extra->empty())
    shape = b.concat({shape, b.list(*extra)});
  return {b.broadcast(b.constant(Tensor::filled(b.context(), type, {n.native("value", 0.0)}, {})), shape)};
}

// A list of numbers in the given shape.
static Ports given_tensor_fill(Build& b, const SourceNode& n) {
  const auto values = n.native<std::vector<double>>("values");
  const OutPort flat = b.constant(
      Tensor::filled(b.context(), ElementType::f32, values, {static_cast<int64_t>(values.size())}));
  const bool by_values = n.native("input_as_shape", 0) != 0;
  if (b.has(0)) {
    OutPort shape = by_values ? b.convert(b.in(0), ElementType::i64) : b.shape_of(b.in(0));
    if (const auto extra = n.find_native<Ints>("extra_shape"); extra && !extra->empty())
      shape = b.concat({shape, b.list(*extra)});
    return {b.reshape(flat, shape)};
  }
  return {b.reshape(flat, n.native<Ints>("shape"))};
}

// embedding_bag(table, indices, offsets, weights): sums, or means, of rows of a table.
static Ports aten(Build& b, const SourceNode& n) {
  const auto which = n.native<std::string>("operator");
  require(which == "embedding_bag", "attribute 'operator' is '", which,
          "'; of PyTorch's own operators only embedding_bag is supported");
  const auto mode = n.native("mode", 1);
  require(mode == 0 || mode == 1, "attribute 'mode' is ", mode, ", expected 0 (sum) or 1 (mean)");
  const auto i64 = [&](size_t i) { return b.convert(b.in(i), ElementType::i64); };
  const bool packed = !b.has(2), weighed = b.has(3);
  Ports inputs{b.in(0), i64(1)};
  if (!packed) inputs.push_back(i64(2));
  if (!packed && weighed) inputs.push_back(b.integer(-1));  // an empty bag is 0
  if (weighed) inputs.push_back(b.in(3));
  const std::string type = packed ? "EmbeddingBagPacked" : "EmbeddingBagOffsets";
  if (mode == 0) return {b.op(type + "Sum", "opset3", inputs)};
  return {b.node(type, "opset15", inputs).set("reduction", "mean").out_port()};
}

// A check of the training framework; the model computes the same without it.
static Ports drop_assert(Build& b, const SourceNode& n) {
  if (n.out_count() > 0 && b.wants(0)) return bypass(n, b.in(0));
  n.remove();
  return {};
}

void register_experimental_operators(Registry& r) {
  replace<scaled_tanh>(r, {"ScaledTanh", "ScaledTanh(x)", "Multiply(Tanh(Multiply(x, beta)), alpha)"});
  replace<parametric_softplus>(
      r, {"ParametricSoftplus", "ParametricSoftplus(x)", "Multiply(SoftPlus(Multiply(x, beta)), alpha)"});
  replace<scale>(r, {"Scale", "Scale(x)", "Multiply(x, scale)"});
  replace<crop>(r, {"Crop", "Crop(x)", "StridedSlice(x)"});
  replace<constant_fill>(r, {"ConstantFill", "ConstantFill(shape)", "Broadcast(value, shape)"});
  replace<given_tensor_fill>(
      r, {"GivenTensorFill", "GivenTensorFill()", "a constant, or Reshape(values, shape)"});
  replace<drop_assert>(r, {"Assert", "Assert(condition)", "nothing"});
  replace<aten>(r, {"ATen", "ATen(table, indices, offsets) with operator embedding_bag",
                    "EmbeddingBagOffsetsSum(table, indices, offsets)"});
}

}  // namespace mo::onnx
