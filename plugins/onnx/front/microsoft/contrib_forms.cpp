// Operators that com.microsoft had before ONNX, or has in a form of its own.
#include "support/microsoft.hpp"

namespace mo::onnx {

namespace ms {

static Ports ms_range(Build& b, const SourceNode&) {
  const OutPort step = b.has(2) ? as_scalar(b, b.in(2)) : b.like(b.in(0), 1);
  const Node r = b.node("Range", "opset4", {as_scalar(b, b.in(0)), as_scalar(b, b.in(1)), step});
  const ElementType type = b.in(0).type();
  require(type != ElementType::unknown, "the type of its inputs cannot be told from the model");
  r.set("output_type", type);
  return {r.out_port()};
}

static Ports ms_trilu(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  const auto count = [&](int64_t axis) { return b.range(b.integer(0), b.squeeze(b.dim(x, axis), {0}), 1); };
  OutPort rows = b.unsqueeze(count(-2), b.list({1}));
  if (b.has(1)) rows = b.add(rows, as_scalar(b, b.convert(b.in(1), ElementType::i64)));
  const bool upper = n.native("upper", 1) != 0;
  return {b.select(b.op(upper ? "GreaterEqual" : "LessEqual", "opset1", {count(-1), rows}), x, b.like(x, 0))};
}

// Values in the order of their first appearance; the outputs are the values, where each element is among
// them, and how often each is there.
static Ports ms_unique(Build& b, const SourceNode& n) {
  const Node u = b.node("Unique", "opset10", {b.in(0)}, 4);
  u.set("sorted", false).set("index_element_type", ElementType::i64);
  u.set("count_element_type", ElementType::i64);
  Ports outputs{u.out_port(0), u.out_port(2), u.out_port(3)};
  outputs.resize(std::min<size_t>(n.out_count(), 3));
  return outputs;
}

static Ports ms_inverse(Build& b, const SourceNode&) {
  return {b.node("Inverse", "opset14", {b.in(0)}).set("adjoint", false).out_port()};
}

static Ports ms_expand_dims(Build& b, const SourceNode&) { return {b.unsqueeze(b.in(0), b.in(1))}; }

static Ports ms_gather_nd(Build& b, const SourceNode&) {
  return {b.node("GatherND", "opset8", {b.in(0), b.in(1)}).set("batch_dims", 0).out_port()};
}

static Ports ms_grid_sample(Build& b, const SourceNode& n) {
  const auto mode = n.native("mode", "bilinear"), padding = n.native("padding_mode", "zeros");
  require(mode == "bilinear" || mode == "bicubic" || mode == "nearest", "attribute 'mode' is '", mode,
          "', expected bilinear, bicubic or nearest");
  const Node g = b.node("GridSample", "opset9", {b.in(0), b.in(1)});
  g.set("mode", mode).set("padding_mode", padding).set("align_corners", n.native("align_corners", 0) != 0);
  return {g.out_port()};
}

// Pads are an input; negative ones cut off, which the operation of version 12 can do.
static Ports ms_pad(Build& b, const SourceNode& n) {
  const auto mode = n.native("mode", "constant");
  require(mode == "constant" || mode == "reflect" || mode == "edge", "attribute 'mode' is '", mode,
          "', expected constant, reflect or edge");
  const auto known = b.ints(1);
  const bool crops = !known || std::any_of(known->begin(), known->end(), [](int64_t v) { return v < 0; });
  const Ports halves = split(b, b.reshape(b.convert(b.in(1), ElementType::i64), Ints{-1}), 0, 2);
  Ports inputs{b.in(0), halves[0], halves[1]};
  if (mode == "constant" && b.has(2)) inputs.push_back(as_scalar(b, b.in(2)));
  return {b.node("Pad", crops ? "opset12" : "opset1", inputs).set("pad_mode", mode).out_port()};
}

static Ports torch_embedding(Build& b, const SourceNode&) { return {gather(b, b.in(0), b.in(1), 0)}; }

static Ports is_all_finite(Build& b, const SourceNode& n) {
  require(n.native("isinf_only", 0) == 0 && n.native("isnan_only", 0) == 0,
          "attributes 'isinf_only' and 'isnan_only' must be 0");
  require(n.in_count() != 0, "it has no inputs, expected at least one");
  OutPort all;
  for (size_t i = 0; i < n.in_count(); ++i) {
    const OutPort finite = b.reduce("ReduceLogicalAnd", b.op("IsFinite", "opset10", {b.in(i)}),
                                    b.axes(b.in(i), 0, INT64_MAX), false);
    all = all ? b.op("LogicalAnd", "opset1", {all, finite}) : finite;
  }
  return {all};
}

}  // namespace ms

void register_contrib_forms(Registry& r) {
  using namespace ms;
  replace<ms_range>(r, {"Range", "Range(start, limit, step)", "Range-4(start, limit, step)", domain});
  replace<ms_trilu>(r, {"Trilu", "Trilu(x, k)", "Select(GreaterEqual(column, Add(row, k)), x, 0)", domain});
  replace<ms_unique>(r, {"Unique", "Unique(x)", "Unique-10(x)", domain});
  replace<ms_inverse>(r, {"Inverse", "Inverse(x)", "Inverse-14(x)", domain});
  replace<ms_expand_dims>(r, {"ExpandDims", "ExpandDims(x, axis)", "Unsqueeze(x, axis)", domain});
  replace<ms_gather_nd>(r, {"GatherND", "GatherND(x, indices)", "GatherND-8(x, indices)", domain});
  replace<ms_grid_sample>(r, {"GridSample", "GridSample(x, grid)", "GridSample-9(x, grid)", domain});
  replace<ms_pad>(r, {"Pad", "Pad(x, pads, value)", "Pad(x, begin, end, value)", domain});
  replace<torch_embedding>(r, {"TorchEmbedding", "TorchEmbedding(w, indices)", "Gather(w, indices)", domain});
  replace<is_all_finite>(r, {"IsAllFinite", "IsAllFinite(x, …)", "ReduceLogicalAnd(IsFinite(x))", domain});
}

}  // namespace mo::onnx
