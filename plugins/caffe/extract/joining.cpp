// Layers that join and part blobs: Concat, Slice, Crop, BatchReindex; and Parameter, which is a constant.
#include "support/convert_layers.hpp"

namespace mo::caffe {

namespace joining {

// Under its newer name, or its older one.
static size_t axis_of(const Layer& l, std::string_view param, std::string_view older) {
  const std::string axis = text(param, ".axis"), old = text(param, '.', older);
  require(!l.is_set(axis) || !l.is_set(old), "axis and ", older, " are both there; expected one of them");
  return l.axis(l.is_set(old) ? l.integer(old, 1) : l.integer(axis, 1), l.in(0), "axis");
}

static Ports concat(Layer& l) {
  return {l.concat(l.bottom_ports(), static_cast<int64_t>(axis_of(l, "concat_param", "concat_dim")))};
}

static Ports slice(Layer& l) {
  const OutPort x = l.in(0);
  const auto axis = static_cast<int64_t>(axis_of(l, "slice_param", "slice_dim"));
  const Ints points = l.integers("slice_param.slice_point");
  const auto tops = static_cast<uint32_t>(l.tops());
  if (tops == 1) return {x};
  if (points.empty()) {
    const Node n = l.with("Split", "opset1", {x, l.integer_constant(axis)}, tops);
    n.set("num_splits", int64_t{tops});
    return n.out_ports();
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
  return l.with("VariadicSplit", "opset1", {x, l.integer_constant(axis), l.list(lengths)}, tops).out_ports();
}

static Ports crop(Layer& l) {
  const OutPort x = l.in(0), reference = l.in(1);
  const size_t rank = l.rank(x), axis = l.axis(l.integer("crop_param.axis", 2), x, "axis");
  require(axis <= rank, "its axis is ", axis, ", but it reads a blob of ", rank, " dimensions");
  const Ints offsets = l.integers("crop_param.offset");
  require(offsets.size() <= 1 || offsets.size() == rank - axis, "it has ", offsets.size(), " offsets for ",
          rank - axis, " dimensions");
  const Shape wanted = l.shape(reference);
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
  const OutPort ends = known ? l.list(end) : l.add(l.shape_of(reference), l.list(begin));
  const Node n = l.with("StridedSlice", "opset1", {x, l.list(begin), ends, l.list(Ints(rank, 1))});
  n.set("begin_mask", mask).set("end_mask", mask);
  return {n.out_port()};
}

static Ports batch_reindex(Layer& l) {
  const OutPort index = l.convert(l.in(1), ElementType::i32);
  return {l.op("Gather", "opset1", {l.in(0), index, l.integer_constant(0)})};
}

static Ports parameter(Layer& l) {
  const Ints dims = l.integers("parameter_param.shape.dim");
  return {l.constant(dims.empty() ? l.weights(0) : l.weights(0, dims))};
}

}  // namespace joining

void register_joining(Items& items) {
  items.layer("Concat", &joining::concat);
  items.layer("Slice", &joining::slice);
  items.layer("Crop", &joining::crop);
  items.layer("BatchReindex", &joining::batch_reindex);
  items.layer("Parameter", &joining::parameter);
}

}  // namespace mo::caffe
