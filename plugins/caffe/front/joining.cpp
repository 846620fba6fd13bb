// Layers that join and part blobs: Concat, Slice, Crop, BatchReindex; and Parameter, which is a constant.
#include "support/registering.hpp"

namespace mo::caffe {

namespace joining {

// Under its newer name, or its older one.
static size_t stated_axis(const SourceNode& l, std::string_view param, std::string_view older) {
  const std::string axis = text(param, ".axis"), old = text(param, '.', older);
  require(!is_set(l, axis) || !is_set(l, old), "axis and ", older, " are both there; expected one of them");
  return axis_of(is_set(l, old) ? integer(l, old, 1) : integer(l, axis, 1), bottom(l, 0), "axis");
}

static Ports concat(Build& b, const SourceNode& l) {
  return {b.concat(bottoms(l), static_cast<int64_t>(stated_axis(l, "concat_param", "concat_dim")))};
}

static Ports slice(Build& b, const SourceNode& l) {
  const OutPort x = bottom(l, 0);
  const auto axis = static_cast<int64_t>(stated_axis(l, "slice_param", "slice_dim"));
  const Ints points = integers(l, "slice_param.slice_point");
  const auto tops = static_cast<uint32_t>(l.out_count());
  if (tops == 1) return {x};
  if (points.empty()) {
    return b.node("Split", "opset1", {x, b.integer(axis)}, tops).set("num_splits", int64_t{tops}).out_ports();
  }
  require(points.size() + 1 == tops, "it has ", points.size(), " places to cut for ", tops, " outputs");
  Ints lengths;
  int64_t before = 0;
  for (const int64_t p : points) {
    require(p > before, "its slice_point are ", points, "; expected rising numbers");
    lengths.push_back(p - before);
    before = p;
  }
  lengths.push_back(-1);
  return b.node("VariadicSplit", "opset1", {x, b.integer(axis), b.list(lengths)}, tops).out_ports();
}

static Ports crop(Build& b, const SourceNode& l) {
  const OutPort x = bottom(l, 0), reference = bottom(l, 1);
  const size_t rank = rank_of(x), axis = axis_of(integer(l, "crop_param.axis", 2), x, "axis");
  require(axis <= rank, "its axis is ", axis, ", but it reads a blob of ", rank, " dimensions");
  const Ints offsets = integers(l, "crop_param.offset");
  require(offsets.size() <= 1 || offsets.size() == rank - axis, "it has ", offsets.size(), " offsets for ",
          rank - axis, " dimensions");
  const Shape wanted = shape_of(reference);
  require(!wanted.has_rank() || wanted.size() == rank, "it reads blobs of ", rank, " and ", wanted.rank(),
          " dimensions");
  Ints begin(rank, 0), end(rank, 0), mask(rank, 1);
  bool known = wanted.has_rank();
  for (size_t i = axis; i < rank; ++i) {
    mask[i] = 0;
    begin[i] = offsets.empty() ? 0 : offsets[offsets.size() == 1 ? 0 : i - axis];
    known = known && wanted[i].is_static();
    if (known) end[i] = detail::checked_add(begin[i], wanted[i].value());
  }
  const OutPort ends = known ? b.list(end) : b.add(b.shape_of(reference), b.list(begin));
  const Node n = b.node("StridedSlice", "opset1", {x, b.list(begin), ends, b.list(Ints(rank, 1))});
  n.set("begin_mask", mask).set("end_mask", mask);
  return {n.out_port()};
}

static Ports batch_reindex(Build& b, const SourceNode& l) {
  const OutPort index = b.convert(bottom(l, 1), ElementType::i32);
  return {b.op("Gather", "opset1", {bottom(l, 0), index, b.integer(0)})};
}

static Ports parameter(Build& b, const SourceNode& l) {
  const Ints dims = integers(l, "parameter_param.shape.dim");
  return {b.constant(dims.empty() ? weights(l, 0) : weights(l, 0, dims))};
}

}  // namespace joining

void register_joining(Registry& r) {
  convert<joining::concat>(r, "Concat", "Concat(a, b, ...)", "Concat(a, b, ...)");
  convert<joining::slice>(r, "Slice", "Slice(x, slice_point)", "Split(x) or VariadicSplit(x, lengths)");
  convert<joining::crop>(r, "Crop", "Crop(x, like)", "StridedSlice(x, begin, end)");
  convert<joining::batch_reindex>(r, "BatchReindex", "BatchReindex(x, index)", "Gather(x, index)");
  convert<joining::parameter>(r, "Parameter", "Parameter(weights)", "Const");
}

}  // namespace mo::caffe
