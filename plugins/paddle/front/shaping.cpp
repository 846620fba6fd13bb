// Operators that change shapes, or move elements as they are.
#include "support/operator.hpp"

#include <functional>

namespace mo::paddle {

namespace shaping {

static OutPort x_of(const Op& o) { return o.in("0 X x Input"); }

// Results that only the way back needs are not read.
static Ports only(const Op& o, const OutPort& y) { return o.give({{"0 Out Y out", {y}}}); }

static Ports reshape(const Op& o) {
  const OutPort shape = o.sizes("1 ShapeTensor Shape", "shape");
  const OutPort x = x_of(o);
  if (const auto known = o.known("1 ShapeTensor Shape", "shape")) {
    if (std::find(known->begin(), known->end(), 0) != known->end() && o.find_dim(x, 0) == 0)
      return only(o, o.reshape(x, shape));
    return only(o, o.reshape(x, *known));
  }
  return only(o, o.reshape(x, shape, true));
}

static Ports flatten(const Op& o) {
  const OutPort x = x_of(o);
  const int64_t rank = o.rank(x);
  if (rank == 0) return only(o, o.reshape(x, Ints{1}));
  if (o.has_attribute("axis") && !o.is_pir()) {  // of 1.x: a matrix
    const int64_t axis = o.integer("axis", 1);
    require(axis >= 0 && axis <= rank, "attribute 'axis' is ", axis, " for ", rank, " dimensions");
    if (axis == 0) return only(o, o.reshape(x, Ints{1, -1}));
    const OutPort rows = o.reduce("ReduceProd", o.part(o.shape_of(x), 0, axis), o.list({0}), true);
    return only(o, o.reshape(x, o.concat({rows, o.list({-1})})));
  }
  const int64_t start = o.axis(x, o.integer("start_axis", 1)), stop = o.axis(x, o.integer("stop_axis", -1));
  require(start <= stop, "axes ", start, " to ", stop, " are flattened");
  Ports dims;
  Ints front(static_cast<size_t>(start), 0);
  front.push_back(-1);
  dims.push_back(o.list(front));
  if (stop + 1 < rank) {
    bool known = true;
    Ints behind;
    for (int64_t i = stop + 1; i < rank; ++i) {
      const auto d = o.find_dim(x, i);
      known = known && d;
      behind.push_back(d.value_or(0));
    }
    dims.push_back(known ? o.list(behind) : o.part(o.shape_of(x), stop + 1, INT64_MAX));
  }
  return only(o, o.reshape(x, o.concat(dims), true));
}

static Ports transpose(const Op& o) {
  const OutPort x = x_of(o);
  Ints order = o.ints("perm axis");
  for (int64_t& a : order) a = o.axis(x, a);
  return only(o, order.empty() ? x : o.transpose(x, order));
}

static Ports squeeze(const Op& o) {
  const OutPort x = x_of(o);
  const auto axes = o.known("1 AxesTensor AxesTensorList", "axis axes");
  const Shape s = o.shape(x);
  require(s.has_rank(), "the number of dimensions of what it reads is not known",
          hint("--input_shape says it"));
  Ints gone;
  for (int64_t i = 0; i < s.rank(); ++i) {
    bool listed = axes && axes->empty();
    for (const int64_t a : axes.value_or(Ints{})) listed = listed || a == i || a + s.rank() == i;
    const Dim d = s[static_cast<size_t>(i)];
    // Others than those of size 1 stay, even where they are listed.
    if (listed && d == Dim(1)) gone.push_back(i);
    if (listed && !d.is_static() && !(axes && axes->empty())) gone.push_back(i);
  }
  require(axes.has_value(), "its axes are computed, which is not supported");
  return only(o, gone.empty() ? x : o.squeeze(x, gone));
}

static Ports unsqueeze(const Op& o) {
  const OutPort x = x_of(o);
  const Ints axes = o.fixed("1 AxesTensor AxesTensorList", "axis axes");
  if (axes.size() < 2) return only(o, axes.empty() ? x : o.unsqueezed(x, axes));
  // One after another: each counts the dimensions that are there then.
  OutPort y = x;
  for (int64_t a : axes) {
    const int64_t rank = o.rank(y) + 1;
    require(a >= -rank && a < rank, "axis ", a, " of ", rank, " dimensions is asked for");
    y = o.unsqueezed(y, {a < 0 ? a + rank : a});
  }
  return only(o, y);
}

static Ports shape(const Op& o) {
  const Node n = o.node("ShapeOf", "opset3", {x_of(o)});
  const ElementType type = o.stated_type() == ElementType::i32 ? ElementType::i32 : ElementType::i64;
  n.set("output_type", type);
  return {n.out_port()};
}

static Ports numel(const Op& o) {
  const OutPort size = o.reduce("ReduceProd", o.shape_of(x_of(o)), o.list({0}), false);
  const Shape s = o.node().out_port().shape();
  return {s.has_rank() && s.rank() == 1 ? o.reshape(size, Ints{1}) : size};
}

static Ports concat(const Op& o) {
  const Ports all = o.all("0 X x");
  require(!all.empty(), "it joins nothing");
  Ports some;  // empty vectors were joined with anything once
  for (const OutPort& p : all) {
    const Shape s = o.shape(p);
    if (all.size() == 1 || !(s.rank() == 1 && s.has_rank() && s[0] == Dim(0))) some.push_back(p);
  }
  if (some.empty()) return {all.front()};
  return {o.concat(some, o.axis(some.front(), o.fixed_int("1 AxisTensor", "axis", 0)))};
}

static Ports stack(const Op& o) {
  const Ports all = o.all("0 X x");
  require(!all.empty(), "it stacks nothing");
  const int64_t rank = o.rank(all.front()) + 1;
  int64_t axis = o.integer("axis", 0);
  require(axis >= -rank && axis < rank, "attribute 'axis' is ", axis, " of ", rank, " dimensions");
  if (axis < 0) axis += rank;
  Ports rows;
  for (const OutPort& p : all) rows.push_back(o.unsqueezed(p, {axis}));
  return {o.concat(rows, axis)};
}

static Ports split(const Op& o) {
  const OutPort x = x_of(o);
  const bool pir = o.is_pir();
  const int64_t axis = o.axis(x, o.fixed_int(pir ? "2" : "AxisTensor", "axis", 0));
  const int64_t count = static_cast<int64_t>(o.outputs("0 Out"));
  const Ints sections = o.fixed(pir ? "1" : "SectionsTensorList", "sections");
  if (sections.empty())
    return o.split(x, axis, o.integer("num", count) == 0 ? count : o.integer("num", count));
  require(static_cast<int64_t>(sections.size()) == count, "it has ", count, " results but ", sections.size(),
          " sections");
  const Node n = o.node("VariadicSplit", "opset1", {x, o.integer(axis), o.list(sections)},
                        static_cast<uint32_t>(sections.size()));
  return n.out_ports();
}

static Ports split_with_num(const Op& o) {
  const OutPort x = x_of(o);
  return o.split(x, o.axis(x, o.fixed_int("1", "axis", 0)), o.integer("num", 1));
}

static Ports unbind(const Op& o) {
  const OutPort x = x_of(o);
  const int64_t axis = o.axis(x, o.integer("axis", 0));
  Ports parts;
  for (const OutPort& p : o.split(x, axis, static_cast<int64_t>(o.outputs("0 Out Y"))))
    parts.push_back(o.squeeze(p, {axis}));
  return parts;
}

// -1 keeps the size of x, counted from the last dimension.
static OutPort expanded(const Op& o, const OutPort& x, const std::optional<Ints>& known,
                        const OutPort& shape) {
  if (known && std::find(known->begin(), known->end(), -1) == known->end())
    return o.broadcast(x, o.list(*known));
  if (known) {
    const int64_t behind = static_cast<int64_t>(known->size()) - o.rank(x);
    require(behind >= 0, "it has ", o.rank(x), " dimensions, but the shape ", *known);
    Ports dims;
    for (int64_t i = 0; i < static_cast<int64_t>(known->size()); ++i) {
      const int64_t d = (*known)[static_cast<size_t>(i)];
      require(d != -1 || i >= behind, "dimension ", i, " of ", *known,
              " is that of x, which does not have it");
      dims.push_back(d == -1 ? o.dim(x, i - behind) : o.list({d}));
    }
    return o.broadcast(x, o.concat(dims));
  }
  // Where it says -1, a size of 1 lets that of x count.
  const OutPort least = o.op1("Maximum", {shape, o.integer(1)});
  return o.broadcast(x, o.select(o.op1("Equal", {shape, o.integer(0)}), shape, least), "bidirectional");
}

static Ports expand(const Op& o) {
  const OutPort x = x_of(o);
  if (o.has_attribute("expand_times")) return {o.op1("Tile", {x, o.list(o.ints("expand_times"))})};  // of 1.x
  constexpr std::string_view slots = "1 Shape expand_shapes_tensor";
  const OutPort y = o.type_of(x) == ElementType::boolean ? o.convert(x, ElementType::u8) : x;
  return {o.convert(expanded(o, y, o.known(slots, "shape"), o.sizes(slots, "shape")), o.type_of(x))};
}

static Ports expand_as(const Op& o) {
  const OutPort x = x_of(o);
  if (o.has("1 Y")) return {o.broadcast(x, o.shape_of(o.in("1 Y")))};
  return {expanded(o, x, o.ints("target_shape"), {})};
}

static Ports tile(const Op& o) {
  OutPort x = x_of(o), repeats = o.sizes("1 RepeatTimes repeat_times_tensor", "repeat_times");
  return {o.op1("Tile", {x, repeats})};
}

// The shape that all have together: a sum of zeros has it.
static OutPort common_shape(const Op& o, const Ports& all) {
  OutPort sum;
  for (const OutPort& p : all) {
    const OutPort zeros =
        o.broadcast(o.constant(Tensor::filled(o.context(), ElementType::i32, {0}, {})), o.shape_of(p));
    sum = sum ? o.add(sum, zeros) : zeros;
  }
  return o.shape_of(sum);
}

static Ports broadcast_tensors(const Op& o) {
  const Ports all = o.all("0 X");
  const OutPort shape = common_shape(o, all);
  Ports ports;
  for (const OutPort& p : all) ports.push_back(o.broadcast(p, shape));
  return ports;
}

static Ports meshgrid(const Op& o) {
  const Ports all = o.all("0 X");
  Ports dims;
  for (const OutPort& p : all) dims.push_back(o.shape_of(o.reshape(p, Ints{-1})));
  const OutPort shape = o.concat(dims);
  Ports ports;
  for (size_t i = 0; i < all.size(); ++i) {
    Ints place(all.size(), 1);
    place[i] = -1;
    ports.push_back(o.broadcast(o.reshape(all[i], place), shape));
  }
  return ports;
}

static Ports flip(const Op& o) {
  OutPort x = x_of(o);
  for (const int64_t a : o.ints("axis")) x = o.slice(x, o.axis(x, a), -1, INT64_MIN, -1);
  return {x};
}

static Ports roll(const Op& o) {
  const OutPort x = x_of(o), shifts = o.sizes("1 ShiftsTensor", "shifts");
  const Ints axes = o.ints("axis");
  if (axes.empty())
    return {o.reshape(o.op("Roll", "opset7", {o.reshape(x, Ints{-1}), shifts, o.list({0})}), o.shape_of(x))};
  return {o.op("Roll", "opset7", {x, shifts, o.list(axes)})};
}

static OutPort with_channels_first(const Op& o, const OutPort& x, bool last,
                                   const std::function<OutPort(const OutPort&)>& f) {
  if (!last) return f(x);
  const int64_t rank = o.rank(x);
  return o.channels_last(f(o.channels_first(x, rank)), rank);
}

static bool is_last(const Op& o) { return o.word("data_format data_layout", "NCHW") == "NHWC"; }

static Ports channel_shuffle(const Op& o) {
  return {with_channels_first(o, x_of(o), is_last(o), [&](const OutPort& x) {
    const int64_t groups = o.integer("groups group", 1), channels = o.dim_of(x, 1);
    require(groups > 0 && channels % groups == 0, channels, " channels are no ", groups, " groups");
    const OutPort shape =
        o.concat({o.dim(x, 0), o.list({groups, channels / groups}), o.part(o.shape_of(x), 2, INT64_MAX)});
    return o.reshape(o.transpose(o.reshape(x, shape), {0, 2, 1, 3, 4}), o.shape_of(x));
  })};
}

static Ports pixel_shuffle(const Op& o) {
  return {with_channels_first(o, x_of(o), is_last(o), [&](const OutPort& x) {
    const Node n = o.node("DepthToSpace", "opset1", {x});
    return n.set("block_size", o.integer("upscale_factor", 1)).set("mode", "depth_first").out_port();
  })};
}

static Ports pixel_unshuffle(const Op& o) {
  return {with_channels_first(o, x_of(o), is_last(o), [&](const OutPort& x) {
    const Node n = o.node("SpaceToDepth", "opset1", {x});
    return n.set("block_size", o.integer("downscale_factor", 1)).set("mode", "depth_first").out_port();
  })};
}

static Ports repeat_interleave(const Op& o) {
  const OutPort x = x_of(o);
  const int64_t axis = o.axis(x, o.integer("axis dim", 0));
  if (o.has("1 RepeatsTensor") && !o.known("1 RepeatsTensor", "")) {
    // Each element's place as often as it is repeated: those of a row of the table where it is true.
    const OutPort counts = o.as_list(o.in("1 RepeatsTensor"));
    const OutPort table = o.op1("Less", {o.iota(o.reduce("ReduceMax", counts, o.list({0}), false)),
                                         o.unsqueezed(o.broadcast(counts, o.dim(x, axis)), {1})});
    const OutPort places = o.op("NonZero", "opset3", {table});
    return {o.gather(x, o.gather(places, o.integer(0), 0), axis)};
  }
  if (o.has("1 RepeatsTensor")) {
    const Ints counts = o.fixed("1 RepeatsTensor", "");
    Ints places;
    for (size_t i = 0; i < counts.size(); ++i) {
      require(counts[i] >= 0 && counts[i] < (int64_t{1} << 24), "an element is repeated ", counts[i],
              " times");
      places.insert(places.end(), static_cast<size_t>(counts[i]), static_cast<int64_t>(i));
    }
    if (counts.size() != 1) return {o.gather(x, o.list(places), axis)};
  }
  const int64_t count =
      o.has("1 RepeatsTensor") ? o.fixed("1 RepeatsTensor", "").front() : o.integer("repeats Repeats", 1);
  Ints repeats(static_cast<size_t>(o.rank(x)) + 1, 1);
  repeats[static_cast<size_t>(axis) + 1] = count;
  const OutPort all = o.op1("Tile", {o.unsqueezed(x, {axis + 1}), o.list(repeats)});
  Ports dims;
  if (axis > 0) dims.push_back(o.part(o.shape_of(x), 0, axis));
  dims.push_back(o.list({-1}));
  if (axis + 1 < o.rank(x)) dims.push_back(o.part(o.shape_of(x), axis + 1, INT64_MAX));
  return {o.reshape(all, o.concat(dims))};
}

}  // namespace shaping

void register_shaping(Registry& r) {
  using namespace shaping;
  convert<reshape>(r, "reshape reshape2", "reshape(x, shape)", "Reshape(x, shape)");
  convert<flatten>(r, "flatten flatten2 flatten_contiguous_range", "flatten(x)", "Reshape(x, shape)");
  convert<transpose>(r, "transpose transpose2", "transpose(x, perm)", "Transpose(x, perm)");
  convert<squeeze>(r, "squeeze squeeze2", "squeeze(x, axis)", "Squeeze(x, axes)");
  convert<unsqueeze>(r, "unsqueeze unsqueeze2", "unsqueeze(x, axis)", "Unsqueeze(x, axes)");
  convert<shape>(r, "shape shape64", "shape(x)", "ShapeOf(x)");
  convert<numel>(r, "numel size", "numel(x)", "ReduceProd(ShapeOf(x))");
  convert<concat>(r, "concat", "concat(list, axis)", "Concat(a, b)");
  convert<stack>(r, "stack", "stack(list)", "Concat(Unsqueeze(a), Unsqueeze(b))");
  convert<split>(r, "split", "split(x, sections, axis)", "VariadicSplit(x, axis, sections)");
  convert<split_with_num>(r, "split_with_num", "split_with_num(x, axis)", "Split(x, axis)");
  convert<unbind>(r, "unbind unstack", "unbind(x)", "Squeeze(Split(x))");
  convert<expand>(r, "expand expand_v2", "expand(x, shape)", "Broadcast(x, shape)");
  convert<expand_as>(r, "expand_as expand_as_v2", "expand_as(x, y)", "Broadcast(x, ShapeOf(y))");
  convert<tile>(r, "tile", "tile(x, repeats)", "Tile(x, repeats)");
  convert<broadcast_tensors>(r, "broadcast_tensors", "broadcast_tensors(list)", "Broadcast(x, shape)");
  convert<meshgrid>(r, "meshgrid", "meshgrid(list)", "Broadcast(Reshape(x), shape)");
  convert<flip>(r, "flip reverse", "flip(x)", "Slice(x, -1, ..., -1)");
  convert<roll>(r, "roll", "roll(x, shifts)", "Roll(x, shifts, axes)");
  convert<channel_shuffle>(r, "channel_shuffle shuffle_channel", "channel_shuffle(x)",
                           "Reshape(Transpose(Reshape(x)))");
  convert<pixel_shuffle>(r, "pixel_shuffle", "pixel_shuffle(x)", "DepthToSpace(x)");
  convert<pixel_unshuffle>(r, "pixel_unshuffle", "pixel_unshuffle(x)", "SpaceToDepth(x)");
  convert<repeat_interleave>(r, "repeat_interleave repeat_interleave_with_tensor_index",
                             "repeat_interleave(x)", "Reshape(Tile(Unsqueeze(x)))");
}

}  // namespace mo::paddle
