// Operators that choose among elements: Unique, Compress, Shrink.
#include "support/build.hpp"

namespace mo::onnx {

static Ports unique(Build& b, const SourceNode& n) {
  const auto axis = n.find_native<int64_t>("axis");
  Ports inputs{b.in(0)};
  if (axis) inputs.push_back(b.integer(*axis));
  const Node u = b.node("Unique", "opset10", inputs, 4);
  u.set("sorted", n.native("sorted", 1) != 0);
  u.set("index_element_type", ElementType::i64).set("count_element_type", ElementType::i64);
  Ports outputs = u.out_ports();
  outputs.resize(std::min<size_t>(n.out_count(), 4));
  return outputs;
}

// The condition may be shorter than the dimension.
static Ports compress(Build& b, const SourceNode& n) {
  const auto axis = n.find_native<int64_t>("axis");
  const Node where = b.node("NonZero", "opset3", {b.in(1)});
  where.set("output_type", ElementType::i64);
  const OutPort x = axis ? b.in(0) : b.reshape(b.in(0), b.list({-1}));
  const Node g =
      b.node("Gather", "opset8", {x, b.squeeze(where.out_port(), {0}), b.integer(axis.value_or(0))});
  g.set("batch_dims", 0);
  return {g.out_port()};
}

// Elements closer to 0 than lambd become 0, others come closer by bias. Of integers, whose type may hold
// neither lambd nor bias, the result is cut off.
static Ports shrink(Build& b, const SourceNode& n) {
  const ElementType type = b.in(0).type();
  const bool whole = type != ElementType::unknown && !is_float(type);
  const OutPort x = whole ? b.convert(b.in(0), ElementType::f32) : b.in(0);
  const OutPort zero = b.like(x, 0), bias = b.like(x, n.native("bias", 0.0));
  const double limit = n.native("lambd", 0.5);
  const OutPort above = b.op("Greater", "opset1", {x, b.like(x, limit)});
  const OutPort below = b.op("Less", "opset1", {x, b.like(x, -limit)});
  const OutPort lower = b.select(above, b.subtract(x, bias), zero);
  const OutPort shrunk = b.select(below, b.add(x, bias), lower);
  return {whole ? b.convert(shrunk, type) : shrunk};
}

void register_selecting(Registry& r) {
  replace<unique>(r, {"Unique", "Unique(x)", "Unique-10(x, axis)"});
  replace<compress>(r, {"Compress", "Compress(x, condition)", "Gather(x, NonZero(condition), axis)"});
  replace<shrink>(r, {"Shrink", "Shrink(x)", "Select(x < -lambd, x + bias, Select(x > lambd, x - bias, 0))"});
}

}  // namespace mo::onnx
