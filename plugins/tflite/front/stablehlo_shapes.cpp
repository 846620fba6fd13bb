// Operators of StableHLO that have their shapes as options.
#include <array>

#include <mo/slices.hpp>

namespace mo::tflite {

namespace stable {

// The shape of the result, as the file states it.
static Ints result_shape(const SourceNode& n) {
  const auto shapes = n.native<std::vector<Shape>>("output_shapes");
  require(!shapes.empty() && shapes[0].is_static(),
          "the shape of its result is not fixed, but it follows from nothing ", "else");
  return shapes[0].to_static();
}

// A list of the scalars from input `first` on.
static OutPort listed(const Build& b, size_t first, size_t count) {
  Ports parts;
  for (size_t i = 0; i < count; ++i)
    parts.push_back(b.reshape(b.convert(b.in(first + i), ElementType::i64), b.list({1})));
  return b.concat(parts);
}

static OutPort cube_root_of_positive(const Build& b, const OutPort& x) {
  return op1(b, "Power", {x, b.like(x, 1.0 / 3)});
}

}  // namespace stable

static Ports stable_divide(Build& b, const SourceNode&) {
  const Node d = b.node("Divide", "opset1", {b.in(0), b.in(1)});
  if (is_integer(b.in(0).type())) d.set("m_pythondiv", false);
  return {d.out_port()};
}

static Ports stable_reciprocal_root(Build& b, const SourceNode&) {
  return {op1(b, "Power", {b.in(0), b.like(b.in(0), -0.5)})};
}

static Ports stable_cube_root(Build& b, const SourceNode&) {
  const OutPort x = b.in(0);
  return {op1(b, "Multiply", {op1(b, "Sign", {x}), stable::cube_root_of_positive(b, op1(b, "Abs", {x}))})};
}

static Ports stable_reshape(Build& b, const SourceNode& n) {
  return {b.reshape(b.in(0), b.list(stable::result_shape(n)))};
}

// The limits are scalars, or of the shape of x: (low, x, high).
static Ports stable_clamp(Build& b, const SourceNode&) {
  return {op1(b, "Minimum", {op1(b, "Maximum", {b.in(1), b.in(0)}), b.in(2)})};
}

// Dimension i of x becomes dimension broadcast_dimensions[i].
static Ports stable_broadcast(Build& b, const SourceNode& n) {
  const auto axes = n.native<Ints>("broadcast_dimensions");
  const Ints shape = stable::result_shape(n);
  require(std::is_sorted(axes.begin(), axes.end()), "attribute 'broadcast_dimensions' is ", axes,
          ", which is not in order");
  Ints between(shape.size(), 1);
  for (size_t i = 0; i < axes.size(); ++i) {
    require(axes[i] >= 0 && axes[i] < static_cast<int64_t>(shape.size()),
            "attribute 'broadcast_dimensions' is ", axes, ", but the result has shape ", shape);
    between[static_cast<size_t>(axes[i])] = stated_dim(n, 0, static_cast<int64_t>(i));
  }
  return {broadcast(b, b.reshape(b.in(0), b.list(between)), b.list(shape))};
}

static Ports stable_slice(Build& b, const SourceNode& n) {
  const auto begin = n.native<Ints>("start_indices"), end = n.native<Ints>("limit_indices"),
             step = n.native<Ints>("strides");
  if (begin.empty()) return bypass(n, b.in(0));
  require(begin.size() == end.size() && begin.size() == step.size(), "its begins, ends and steps have ",
          begin.size(), ", ", end.size(), " and ", step.size(), " entries");
  const Node s = b.node("StridedSlice", "opset1", {b.in(0), b.list(begin), b.list(end), b.list(step)});
  s.set("begin_mask", Ints(begin.size(), 0)).set("end_mask", Ints(begin.size(), 0));
  return {s.out_port()};
}

static Ports stable_transpose(Build& b, const SourceNode& n) {
  return {b.transpose(b.in(0), n.native<Ints>("permutation"))};
}

static Ports stable_pad(Build& b, const SourceNode& n) {
  const auto begin = n.native<Ints>("edge_padding_low"), end = n.native<Ints>("edge_padding_high"),
             inner = n.native<Ints>("interior_padding");
  const auto cuts = [](const Ints& list) {
    return std::any_of(list.begin(), list.end(), [](int64_t v) { return v < 0; });
  };
  const Node p = b.node("Pad", cuts(begin) || cuts(end) ? "opset12" : "opset1",
                        {spread_out(b, b.in(0), inner, b.in(1)), b.list(begin), b.list(end), b.in(1)});
  p.set("pad_mode", "constant");
  return {p.out_port()};
}

static Ports stable_iota(Build& b, const SourceNode& n) {
  const Ints shape = stable::result_shape(n);
  const auto axis = n.native<int64_t>("iota_dimension");
  require(axis >= 0 && axis < static_cast<int64_t>(shape.size()), "attribute 'iota_dimension' is ", axis,
          ", but the result has shape ", shape);
  Ints line(shape.size(), 1);
  line[static_cast<size_t>(axis)] = shape[static_cast<size_t>(axis)];
  const OutPort count = b.range(b.integer(0), b.integer(shape[static_cast<size_t>(axis)]), 1);
  return {broadcast(b, b.reshape(b.convert(count, n.out_port().type()), b.list(line)), b.list(shape))};
}

// A part whose size is fixed; begins are moved so that it fits.
static Ports stable_dynamic_slice(Build& b, const SourceNode& n) {
  const auto sizes = n.native<Ints>("slice_sizes");
  if (sizes.empty()) return bypass(n, b.in(0));
  require(n.in_count() == sizes.size() + 1, "it has ", n.in_count() - 1, " begins, but ", sizes.size(),
          " sizes");
  const OutPort room = op1(b, "Subtract", {b.shape_of(b.in(0)), b.list(sizes)});
  const OutPort begin =
      op1(b, "Maximum", {op1(b, "Minimum", {stable::listed(b, 1, sizes.size()), room}), b.integer(0)});
  const Node s =
      b.node("StridedSlice", "opset1",
             {b.in(0), begin, op1(b, "Add", {begin, b.list(sizes)}), b.list(Ints(sizes.size(), 1))});
  s.set("begin_mask", Ints(sizes.size(), 0)).set("end_mask", Ints(sizes.size(), 0));
  return {s.out_port()};
}

static Ports stable_update_slice(Build& b, const SourceNode& n) {
  const size_t rank = n.in_count() - 2;
  if (rank == 0) return bypass(n, b.in(1));
  return {updated(b, b.in(0), b.in(1), stable::listed(b, 2, rank))};
}

// TensorFlow Lite's own operator: (x, steps between elements, value).
static Ports dilate(Build& b, const SourceNode&) {
  Ints holes = constant_ints(b, 1, "the steps");
  for (int64_t& h : holes) --h;
  return {spread_out(b, b.in(0), holes, b.in(2))};
}

// The sign is that of x.
static Ports stable_remainder(Build& b, const SourceNode&) { return {op1(b, "Mod", {b.in(0), b.in(1)})}; }

static Ports stable_shift_left(Build& b, const SourceNode&) {
  return {b.op("BitwiseLeftShift", "opset15", {b.in(0), b.in(1)})};
}

// Dimensions of both that are the same batch, those that are summed up, and the rest: as an Einsum.
static Ports stable_dot(Build& b, const SourceNode& n) {
  const auto lists = [&](const char* side, const char* what) {
    return n.native<Ints>(text(side, '_', what, "_dimensions"));
  };
  char next = 'a';
  std::string result;
  std::array<std::string, 2> sides{std::string(static_cast<size_t>(rank_of(b, n, 0)), ' '),
                                   std::string(static_cast<size_t>(rank_of(b, n, 1)), ' ')};
  require(sides[0].size() + sides[1].size() <= 26, "it has more than 26 dimensions");
  const auto name_pairs = [&](const char* what, bool kept) {
    const Ints left = lists("lhs", what), right = lists("rhs", what);
    require(left.size() == right.size(), "it has ", left.size(), " and ", right.size(), ' ', what,
            " dimensions");
    for (size_t i = 0; i < left.size(); ++i) {
      require(left[i] >= 0 && left[i] < static_cast<int64_t>(sides[0].size()) && right[i] >= 0 &&
                  right[i] < static_cast<int64_t>(sides[1].size()),
              "its ", what, " dimensions are outside of the ranks");
      sides[0][static_cast<size_t>(left[i])] = sides[1][static_cast<size_t>(right[i])] = next;
      if (kept) result += next;
      ++next;
    }
  };
  name_pairs("batching", true);
  name_pairs("contracting", false);
  for (std::string& side : sides)
    for (char& letter : side)
      if (letter == ' ') result += letter = next++;
  const Node e = b.node("Einsum", "opset7", {b.in(0), b.in(1)});
  e.set("equation", text(sides[0], ',', sides[1], "->", result));
  return {e.out_port()};
}

void register_stablehlo_shapes(Registry& r) {
  replace<stable_divide>(r, {"STABLEHLO_DIVIDE", "STABLEHLO_DIVIDE(x, y)", "Divide(x, y)"});
  replace<stable_reciprocal_root>(r, {"STABLEHLO_RSQRT", "STABLEHLO_RSQRT(x)", "Power(x, -0.5)"});
  replace<stable_cube_root>(r,
                            {"STABLEHLO_CBRT", "STABLEHLO_CBRT(x)", "Multiply(Sign(x), Power(Abs(x), 1/3))"});
  replace<stable_reshape>(r, {"STABLEHLO_RESHAPE", "STABLEHLO_RESHAPE(x)", "Reshape(x, shape)"});
  replace<stable_clamp>(
      r, {"STABLEHLO_CLAMP", "STABLEHLO_CLAMP(low, x, high)", "Minimum(Maximum(x, low), high)"});
  replace<stable_broadcast>(
      r, {"STABLEHLO_BROADCAST_IN_DIM", "STABLEHLO_BROADCAST_IN_DIM(x)", "Broadcast(Reshape(x), shape)"});
  replace<stable_slice>(r, {"STABLEHLO_SLICE", "STABLEHLO_SLICE(x)", "StridedSlice(x)"});
  replace<stable_transpose>(r, {"STABLEHLO_TRANSPOSE", "STABLEHLO_TRANSPOSE(x)", "Transpose(x, order)"});
  replace<stable_pad>(r, {"STABLEHLO_PAD", "STABLEHLO_PAD(x, value)", "Pad(x, begin, end, value)"});
  replace<stable_iota>(r, {"STABLEHLO_IOTA", "STABLEHLO_IOTA()", "Broadcast(Range(n), shape)"});
  replace<stable_dynamic_slice>(
      r, {"STABLEHLO_DYNAMIC_SLICE", "STABLEHLO_DYNAMIC_SLICE(x, begins)", "StridedSlice(x)"});
  replace<stable_update_slice>(
      r, {"STABLEHLO_DYNAMIC_UPDATE_SLICE", "STABLEHLO_DYNAMIC_UPDATE_SLICE(x, y, begins)",
          "Select(Pad(1), Pad(y), x)"});
  replace<dilate>(r,
                  {"DILATE", "DILATE(x, steps, value)", "StridedSlice(Reshape(Pad(Unsqueeze(x), value)))"});
  replace<stable_remainder>(r, {"STABLEHLO_REMAINDER", "STABLEHLO_REMAINDER(x, y)", "Mod(x, y)"});
  replace<stable_shift_left>(
      r, {"STABLEHLO_SHIFT_LEFT", "STABLEHLO_SHIFT_LEFT(x, y)", "BitwiseLeftShift-15(x, y)"});
  replace<stable_dot>(r, {"STABLEHLO_DOT_GENERAL", "STABLEHLO_DOT_GENERAL(x, y)", "Einsum(x, y)"});
}

}  // namespace mo::tflite
