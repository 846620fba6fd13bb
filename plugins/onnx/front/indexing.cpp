// Operators whose inputs are indices.
#include "support/build.hpp"

namespace mo::onnx {

// Indices below 0 count from the end, which the operations that choose or replace elements do not know; with
// `size` added they do not.
static OutPort from_start(const Build& b, const OutPort& indices, const OutPort& size) {
  const OutPort negative = b.op("Less", "opset1", {indices, b.like(indices, 0)});
  return b.select(negative, b.add(indices, size), indices);
}

static bool may_be_negative(const Build& b, size_t input) {
  const auto indices = b.ints(input);
  return !indices || std::any_of(indices->begin(), indices->end(), [](int64_t i) { return i < 0; });
}

// Input 1 with all indices counted from the start of `axis` of input 0.
static OutPort places_along(const Build& b, int64_t axis) {
  if (!may_be_negative(b, 1)) return b.in(1);
  return from_start(b, b.in(1), b.convert(b.dim(b.in(0), axis), b.in(1).type()));
}

// The same of coordinates, the numbers of the last dimension of input 1.
static OutPort coordinates(const Build& b) {
  if (!may_be_negative(b, 1)) return b.in(1);
  const OutPort shape = b.shape_of(b.in(0)), depth = b.dim(b.in(1), -1);
  const Node dims = b.node("StridedSlice", "opset1", {shape, b.list({0}), depth, b.list({1})});
  dims.set("begin_mask", Ints{1}).set("end_mask", Ints{0});
  return from_start(b, b.in(1), b.convert(dims.out_port(), b.in(1).type()));
}

static Ports one_hot(Build& b, const SourceNode& n) {
  OutPort indices = b.convert(b.in(0), ElementType::i64);
  const OutPort depth = as_scalar(b, b.convert(b.in(1), ElementType::i64));
  if (n.version() >= 11) indices = from_start(b, indices, depth);
  const Node values = b.node("Split", "opset1", {b.in(2), b.integer(0)}, 2);
  values.set("num_splits", 2);
  const auto scalar = [&](uint32_t i) { return b.squeeze(values.out_port(i), {0}); };
  const Node hot = b.node("OneHot", "opset1", {indices, depth, scalar(1), scalar(0)});
  hot.set("axis", axis_of(n, -1));
  return {hot.out_port()};
}

static std::string reduction_of(const SourceNode& n) {
  const auto mode = n.native("reduction", "none");
  if (mode == "add") return "sum";
  if (mode == "mul") return "prod";
  require(mode == "none" || mode == "max" || mode == "min", "attribute 'reduction' is '", mode,
          "', expected none, add, mul, max or min");
  return mode;
}

static Ports scatter_elements(Build& b, const SourceNode& n) {
  const std::string reduction = reduction_of(n);
  const auto axis = axis_of(n, 0);
  const Node s = b.node("ScatterElementsUpdate", reduction == "none" ? "opset3" : "opset12",
                        {b.in(0), places_along(b, axis), b.in(2), b.integer(axis)});
  if (reduction != "none") s.set("reduction", reduction).set("use_init_val", true);
  return {s.out_port()};
}

static Ports scatter_nd(Build& b, const SourceNode& n) {
  const std::string reduction = reduction_of(n);
  const Node s = b.node("ScatterNDUpdate", reduction == "none" ? "opset4" : "opset15",
                        {b.in(0), coordinates(b), b.in(2)});
  if (reduction != "none") s.set("reduction", reduction);
  return {s.out_port()};
}

// Input 0 of GatherElements. Indices may be fewer along the other axes, and ask for the first elements there;
// in the IR both are of one size.
static OutPort asked_part(const Build& b, int64_t axis) {
  const Shape data = b.in(0).shape(), indices = b.in(1).shape();
  if (!data.has_rank() || !indices.has_rank() || data.rank() != indices.rank()) return b.in(0);
  const size_t rank = data.size(), kept = static_cast<size_t>(axis < 0 ? axis + data.rank() : axis);
  Ints ends(rank, 0), whole(rank, 1);
  for (size_t i = 0; i < rank; ++i) {
    if (i == kept || !data[i].is_static() || !indices[i].is_static()) continue;
    if (indices[i].value() >= data[i].value()) continue;
    ends[i] = indices[i].value();
    whole[i] = 0;
  }
  if (std::find(whole.begin(), whole.end(), 0) == whole.end()) return b.in(0);
  const Node s =
      b.node("StridedSlice", "opset1", {b.in(0), b.list(Ints(rank, 0)), b.list(ends), b.list(Ints(rank, 1))});
  s.set("begin_mask", Ints(rank, 1)).set("end_mask", whole);
  return s.out_port();
}

static Ports gather_elements(Build& b, const SourceNode& n) {
  const auto axis = axis_of(n, 0);
  const Node g = b.node("GatherElements", "opset6", {asked_part(b, axis), places_along(b, axis)});
  g.set("axis", axis);
  return {g.out_port()};
}

// Python's remainder has the sign of the divisor, C's that of the dividend.
static Ports mod(Build& b, const SourceNode& n) {
  return {b.op(n.native("fmod", 0) != 0 ? "Mod" : "FloorMod", "opset1", {b.in(0), b.in(1)})};
}

static Ports round_half_to_even(Build& b, const SourceNode&) {
  return {b.node("Round", "opset5", {b.in(0)}).set("mode", "half_to_even").out_port()};
}

void register_indexing(Registry& r) {
  replace<one_hot>(r, {"OneHot", "OneHot(indices, depth, values)", "OneHot(indices, depth, on, off)"});
  replace<scatter_elements>(
      r, {"Scatter", "Scatter(x, indices, y)", "ScatterElementsUpdate(x, indices, y, axis)"});
  replace<scatter_elements>(
      r, {"ScatterElements", "ScatterElements(x, indices, y)", "ScatterElementsUpdate(x, indices, y, axis)"});
  replace<gather_elements>(
      r, {"GatherElements", "GatherElements(x, indices)", "GatherElements(x, indices, axis)"});
  replace<scatter_nd>(r, {"ScatterND", "ScatterND(x, indices, y)", "ScatterNDUpdate(x, indices, y)"});
  replace<mod>(r, {"Mod", "Mod(x, y)", "FloorMod(x, y)"});
  replace<round_half_to_even>(r, {"Round", "Round(x)", "Round(x)"});
}

}  // namespace mo::onnx
