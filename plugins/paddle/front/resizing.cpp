// Interpolation, sampling, padding, and windows as rows.
#include "support/windows.hpp"

#include <array>

namespace mo::paddle {

namespace resizing {

// How far it is from one place to the next: by factors, or by the sizes.
struct Target {
  OutPort sizes, scales;
};

static Target target_of(const Op& o, size_t spatial) {
  constexpr std::array<std::array<const char*, 3>, 3> names{
      {{"out_w", "", ""}, {"out_h", "out_w", ""}, {"out_d", "out_h", "out_w"}}};
  Target t;
  if (const Ports sizes = o.all("2 SizeTensor"); !sizes.empty()) {
    t.sizes = o.sizes("2 SizeTensor", "");
    return t;
  }
  OutPort scales;
  if (o.has("3 Scale")) {
    scales = o.reshape(o.convert(o.in("3 Scale"), ElementType::f32), Ints{-1});
    if (spatial > 1 && o.find_dim(scales, 0) == 1)
      scales = o.broadcast(scales, o.list({static_cast<int64_t>(spatial)}));
  } else if (auto list = o.reals("scale"); !list.empty() && list.front() > 0) {
    if (list.size() == 1) list.assign(spatial, list.front());
    require(list.size() == spatial, "attribute 'scale' is ", list, ", expected ", spatial, " numbers");
    scales = o.constant(Tensor::filled(o.context(), ElementType::f32, list, {static_cast<int64_t>(spatial)}));
  }
  if (o.has("1 OutSize")) {
    t.sizes = o.as_list(o.in("1 OutSize"));
    return t;
  }
  if (scales) {
    t.scales = scales;
    return t;
  }
  Ints sizes;
  for (size_t i = 0; i < spatial; ++i) sizes.push_back(o.integer(names[spatial - 1][i], -1));
  for (const int64_t s : sizes) require(s > 0, "its output has sizes ", sizes, ", and no factors are given");
  t.sizes = o.list(sizes);
  return t;
}

static Ports interpolate(const Op& o) {
  std::string how = o.word("interp_method", "");
  if (how.empty()) how = o.node().native_op();
  const auto is = [&](std::string_view name) { return how.find(name) != std::string::npos; };
  const bool nearest = is("nearest"), cubic = is("cubic");
  const bool aligned = o.flag("align_corners", true);
  return {channels_first_of(o, o.in("0 X"), is_channels_last(o), [&](const OutPort& x) {
    const auto spatial = static_cast<size_t>(std::max<int64_t>(o.rank(x) - 2, 0));
    require(spatial >= 1 && spatial <= 3, "it resizes ", spatial, " dimensions, expected 1 to 3");
    const Target t = target_of(o, spatial);
    Ints axes;
    for (size_t i = 0; i < spatial; ++i) axes.push_back(static_cast<int64_t>(i) + 2);
    const OutPort all = o.part(o.shape_of(x), 2, INT64_MAX);
    // The other of the two is not looked at.
    OutPort sizes = t.sizes, scales = t.scales;
    if (!sizes)
      sizes =
          o.convert(o.op1("Floor", {o.multiply(o.convert(all, ElementType::f32), scales)}), ElementType::i64);
    // With corners aligned the places follow from the sizes alone.
    const bool by_scales = static_cast<bool>(t.scales) && !aligned;
    if (!scales) scales = o.divide(o.convert(sizes, ElementType::f32), o.convert(all, ElementType::f32));
    const Node n = o.node("Interpolate", "opset4", {x, sizes, scales, o.list(axes)});
    n.set("mode", nearest ? "nearest" : cubic ? "cubic" : "linear_onnx");
    n.set("shape_calculation_mode", by_scales ? "scales" : "sizes");
    std::string places = "half_pixel";
    if (aligned)
      places = "align_corners";
    else if (nearest || (!cubic && o.integer("align_mode", 1) == 1))
      places = "asymmetric";
    n.set("coordinate_transformation_mode", places);
    n.set("nearest_mode", aligned ? "round_prefer_ceil" : "floor");
    n.set("cube_coeff", -0.75).set("antialias", false);
    n.set("pads_begin", Ints{0}).set("pads_end", Ints{0});
    return n.out_port();
  })};
}

static Ports grid_sample(const Op& o) {
  const OutPort x = o.in("0 X"), grid = o.in("1 Grid");
  require(o.rank(x) == 4, "it samples ", o.rank(x) - 2,
          " dimensions; GridSample of the IR samples pictures of two");
  const Node n = o.node("GridSample", "opset9", {x, grid});
  n.set("mode", o.word("mode", "bilinear")).set("padding_mode", o.word("padding_mode", "zeros"));
  return {n.set("align_corners", o.flag("align_corners", true)).out_port()};
}

// Places from -1 to 1: of corners, or of the middles of so many parts.
static OutPort coordinates(const Op& o, const OutPort& size, bool aligned, ElementType type) {
  const OutPort n = o.convert(o.as_scalar(size), ElementType::f32),
                at = o.convert(o.iota(size), ElementType::f32);
  OutPort y;
  if (aligned)
    y = o.plus(o.divide(o.times(at, 2), o.op1("Maximum", {o.plus(n, -1), o.number(1)})), -1);
  else
    y = o.plus(o.divide(o.plus(o.times(at, 2), 1), n), -1);
  return o.convert(y, type);
}

static Ports affine_grid(const Op& o) {
  const OutPort theta = o.in("0 Theta"), shape = o.sizes("1 OutputShape", "output_shape");
  const ElementType type = o.type_of(theta);
  const bool aligned = o.flag("align_corners", true);
  const int64_t spatial = o.dim_of(theta, 1);
  require(spatial == 2 || spatial == 3, "its matrices have ", spatial, " rows, expected 2 or 3");
  Ports dims, parts;
  for (int64_t i = 0; i < spatial; ++i) dims.push_back(o.part(shape, 2 + i, 3 + i));
  const OutPort all = o.concat(dims);
  for (int64_t i = spatial - 1; i >= 0; --i) {  // x first
    Ints place(static_cast<size_t>(spatial), 1);
    place[static_cast<size_t>(i)] = -1;
    const OutPort line = o.reshape(coordinates(o, dims[static_cast<size_t>(i)], aligned, type), place);
    parts.push_back(o.unsqueezed(o.broadcast(line, all), {spatial}));
  }
  parts.push_back(o.unsqueezed(o.broadcast(o.like(theta, 1), all), {spatial}));
  const OutPort places = o.reshape(o.concat(parts, spatial), Ints{-1, spatial + 1});
  const OutPort moved = o.matmul(places, theta, false, true);
  return {o.reshape(moved, o.concat({o.part(shape, 0, 1), all, o.list({spatial})}))};
}

static OutPort padded(const Op& o, const OutPort& x, const OutPort& begin, const OutPort& end,
                      const std::string& mode, const OutPort& value) {
  Ports inputs{x, begin, end};
  if (mode == "constant") inputs.push_back(value);
  const Node n = o.node("Pad", "opset12", inputs);
  return n.set("pad_mode", mode == "replicate" ? std::string("edge") : mode).out_port();
}

static OutPort fill_of(const Op& o, const OutPort& x, std::string_view slots, std::string_view names) {
  const auto value = o.known_real(slots, names);
  if (value || !o.has(slots)) return o.like(x, value.value_or(0));
  return o.convert(o.as_scalar(o.in(slots)), o.type_of(x));
}

// Two numbers for each dimension, from the first on.
static Ports pad(const Op& o) {
  const OutPort x = o.in("0 X");
  const Ints list = o.ints("paddings");
  require(static_cast<int64_t>(list.size()) == 2 * o.rank(x), "attribute 'paddings' is ", list, " for ",
          o.rank(x), " dimensions");
  Ints begin, end;
  for (size_t i = 0; i < list.size(); i += 2) {
    begin.push_back(list[i]);
    end.push_back(list[i + 1]);
  }
  return {padded(o, x, o.list(begin), o.list(end), "constant", fill_of(o, x, "1", "pad_value"))};
}

// What stands at one end comes again at the other.
static OutPort wrapped(const Op& o, OutPort x, const Ints& begin, const Ints& end) {
  for (size_t i = 0; i < begin.size(); ++i) {
    const auto axis = static_cast<int64_t>(i);
    Ports parts{x};
    if (begin[i] > 0) parts.insert(parts.begin(), o.slice(x, axis, -begin[i], INT32_MAX));
    if (end[i] > 0) parts.push_back(o.slice(x, axis, 0, end[i]));
    require(begin[i] >= 0 && end[i] >= 0, "circular pads are ", begin, " and ", end);
    x = o.concat(parts, axis);
  }
  return x;
}

// Two numbers for each dimension of space, from the last one on.
static Ports pad_space(const Op& o, const OutPort& x, const Ints& list, bool last) {
  const int64_t rank = o.rank(x);
  require(static_cast<int64_t>(list.size()) == 2 * (rank - 2), "attribute 'paddings' is ", list, " for ",
          rank, " dimensions");
  Ints begin(static_cast<size_t>(rank), 0), end = begin;
  for (int64_t i = 0; i < rank - 2; ++i) {
    const auto axis = static_cast<size_t>((last ? rank - 2 : rank - 1) - i);
    begin[axis] = list[static_cast<size_t>(2 * i)];
    end[axis] = list[static_cast<size_t>(2 * i) + 1];
  }
  const std::string mode = o.word("mode", "constant");
  if (mode == "circular") return {wrapped(o, x, begin, end)};
  require(mode == "constant" || mode == "reflect" || mode == "replicate" || mode == "edge",
          "attribute 'mode' is '", mode, "', expected constant, reflect, replicate or circular");
  return {padded(o, x, o.list(begin), o.list(end), mode, o.like(x, o.real("pad_value value", 0)))};
}

static Ports pad3d(const Op& o) {
  const OutPort x = o.in("0 X");
  const bool last = is_channels_last(o);
  if (const auto list = o.known("1 Paddings", "paddings")) return pad_space(o, x, *list, last);
  const std::string mode = o.word("mode", "constant");
  require(mode != "circular" && !last, "computed pads with mode '", mode,
          "' or channels last are not supported", hint("make the pads a constant"));
  // front, top and left stand behind one another from the last on
  const OutPort all = o.sizes("1 Paddings", "paddings");
  const OutPort zeros = o.list({0, 0});
  const auto each = [&](Ints places) { return o.concat({zeros, o.gather(all, o.list(places), 0)}); };
  const int64_t n = o.rank(x) - 2;
  Ints begin, end;
  for (int64_t i = n - 1; i >= 0; --i) {
    begin.push_back(2 * i);
    end.push_back(2 * i + 1);
  }
  return {padded(o, x, each(begin), each(end), mode, o.like(x, o.real("pad_value value", 0)))};
}

// Of 1.x: top, bottom, left, right.
static Ports pad2d(const Op& o) {
  const OutPort x = o.in("0 X");
  const Ints l = o.fixed("1 Paddings", "paddings");
  require(l.size() == 4, "attribute 'paddings' is ", l, ", expected 4 numbers");
  return pad_space(o, x, {l[2], l[3], l[0], l[1]}, is_channels_last(o));
}

// Each window as a column: [n, channels * window, places].
static Ports unfold(const Op& o) {
  OutPort x = o.in("0 X");
  const Ints kernel = per_dimension(o.ints("kernel_sizes"), 2, 1, "kernel_sizes");
  const Ints strides = per_dimension(o.ints("strides"), 2, 1, "strides"),
             dilations = per_dimension(o.ints("dilations"), 2, 1, "dilations");
  Ints pads = o.ints("paddings");
  if (pads.size() == 2) pads = {pads[0], pads[1], pads[0], pads[1]};
  pads = per_dimension(pads, 4, 0, "paddings");
  if (pads != Ints{0, 0, 0, 0})
    x = o.pad(x, o.list({0, 0, pads[0], pads[1]}), o.list({0, 0, pads[2], pads[3]}), o.like(x, 0));
  const int64_t channels = o.dim_of(x, 1), window = kernel[0] * kernel[1];
  const Node n = o.node("ExtractImagePatches", "opset3", {x});
  n.set("sizes", kernel).set("strides", strides).set("rates", dilations).set("auto_pad", "valid");
  const OutPort rows = o.reshape(n.out_port(), Ints{0, window, channels, -1});
  return {o.reshape(o.transpose(rows, {0, 2, 1, 3}), Ints{0, window * channels, -1})};
}

static Ports fold(const Op& o) {
  const Ints size = per_dimension(o.ints("output_sizes"), 2, 1, "output_sizes");
  const Ints kernel = per_dimension(o.ints("kernel_sizes"), 2, 1, "kernel_sizes");
  Ints pads = o.ints("paddings");
  if (pads.size() == 2) pads = {pads[0], pads[1], pads[0], pads[1]};
  pads = per_dimension(pads, 4, 0, "paddings");
  const Node n = o.node("Col2Im", "opset15", {o.in("0 X"), o.list(size), o.list(kernel)});
  n.set("strides", per_dimension(o.ints("strides"), 2, 1, "strides"));
  n.set("dilations", per_dimension(o.ints("dilations"), 2, 1, "dilations"));
  n.set("pads_begin", Ints{pads[0], pads[1]}).set("pads_end", Ints{pads[2], pads[3]});
  return {n.out_port()};
}

}  // namespace resizing

void register_resizing(Registry& r) {
  using namespace resizing;
  convert<interpolate>(
      r,
      "bilinear_interp bilinear_interp_v2 nearest_interp nearest_interp_v2 bicubic_interp bicubic_interp_v2 "
      "trilinear_interp trilinear_interp_v2 linear_interp linear_interp_v2",
      "bilinear_interp(x, size)", "Interpolate(x, size, scale, axes)");
  convert<grid_sample>(r, "grid_sample grid_sampler", "grid_sample(x, grid)", "GridSample(x, grid)");
  convert<affine_grid>(r, "affine_grid", "affine_grid(theta, shape)", "MatMul(places, theta)");
  convert<pad>(r, "pad", "pad(x)", "Pad(x, begin, end, value)");
  convert<pad3d>(r, "pad3d", "pad3d(x, paddings)", "Pad(x, begin, end, value)");
  convert<pad2d>(r, "pad2d", "pad2d(x)", "Pad(x, begin, end, value)");
  convert<unfold>(r, "unfold", "unfold(x)", "Reshape(Transpose(ExtractImagePatches(x)))");
  convert<fold>(r, "fold", "fold(x)", "Col2Im(x, size, window)");
}

}  // namespace mo::paddle
