// Resize and Upsample become Interpolate over all dimensions; middle.narrow_interpolate leaves out those
// that stay as they are. What Interpolate cannot express becomes products with matrices of weights.
#include <cmath>

#include "support/early_rank.hpp"
#include "support/resample.hpp"

namespace mo::onnx {

namespace resizing {

struct Mode {
  std::string interpolation, coordinates, nearest;
  double cube_coeff = -0.75;
};

static std::string interpolation_of(const std::string& mode) {
  if (mode == "nearest") return "nearest";
  if (mode == "linear" || mode == "bilinear" || mode == "trilinear") return "linear_onnx";
  if (mode == "cubic" || mode == "bicubic") return "cubic";
  fail("attribute 'mode' is '", mode, "', expected nearest, linear or cubic");
}

// Up to version 10: x' / scale, and for nearest its ceiling where the result is smaller, else its floor.
static Mode old_mode(const SourceNode& n) {
  return {interpolation_of(n.native("mode", "nearest")), "asymmetric", "simple"};
}

static Mode new_mode(const SourceNode& n) {
  return {interpolation_of(n.native("mode", "nearest")),
          n.native("coordinate_transformation_mode", "half_pixel"),
          n.native("nearest_mode", "round_prefer_floor"), n.native("cubic_coeff_a", -0.75)};
}

// What an Interpolate can do.
static bool is_expressible(const SourceNode& n, const Mode& m) {
  const bool known = m.coordinates == "half_pixel" || m.coordinates == "pytorch_half_pixel" ||
                     m.coordinates == "asymmetric" || m.coordinates == "align_corners" ||
                     m.coordinates == "tf_half_pixel_for_nn";
  const bool excludes = n.native("exclude_outside", 0) != 0 && m.interpolation == "cubic";
  const bool antialias = n.native("antialias", 0) != 0 && m.interpolation != "nearest";
  return known && !excludes && !antialias;
}

static OutPort interpolate(const Build& b, const Ports& inputs, const Mode& m, bool by_scales) {
  const Node i = b.node("Interpolate", "opset4", inputs);
  i.set("mode", m.interpolation).set("shape_calculation_mode", by_scales ? "scales" : "sizes");
  i.set("coordinate_transformation_mode", m.coordinates).set("nearest_mode", m.nearest);
  i.set("cube_coeff", m.cube_coeff).set("antialias", false);
  i.set("pads_begin", Ints{0}).set("pads_end", Ints{0});
  return i.out_port();
}

// Sizes of the axes that are resized.
static OutPort sizes_of(const Build& b, const OutPort& axes) {
  const OutPort all = b.shape_of(b.in(0));
  if (!axes) return all;
  return b.node("Gather", "opset8", {all, axes, b.integer(0)}).set("batch_dims", 0).out_port();
}

// Scales decide; the sizes are computed for the operation's sake.
static OutPort by_scales(const Build& b, const OutPort& scales, const Mode& m, const OutPort& axes) {
  const OutPort x = b.in(0), all = sizes_of(b, axes);
  const OutPort scaled = b.multiply(b.convert(all, ElementType::f32), scales);
  const OutPort sizes = b.convert(b.op("Floor", "opset1", {scaled}), ElementType::i64);
  Ports inputs{x, sizes, scales};
  if (axes) inputs.push_back(axes);
  return interpolate(b, inputs, m, true);
}

// Scales are new size / old size.
static OutPort by_sizes(const Build& b, const OutPort& sizes, const Mode& m, const OutPort& axes) {
  const OutPort x = b.in(0), all = sizes_of(b, axes);
  const OutPort scales =
      b.op("Divide", "opset1", {b.convert(sizes, ElementType::f32), b.convert(all, ElementType::f32)});
  Ports inputs{x, b.convert(sizes, ElementType::i64), scales};
  if (axes) inputs.push_back(axes);
  return interpolate(b, inputs, m, false);
}

// One scale for all axes: the one of the axis that is reduced most, or least.
static OutPort common_scale(const Build& b, const SourceNode& n, const OutPort& sizes, const OutPort& axes) {
  const auto policy = n.native("keep_aspect_ratio_policy", "stretch");
  if (policy == "stretch") return {};
  require(policy == "not_larger" || policy == "not_smaller", "attribute 'keep_aspect_ratio_policy' is '",
          policy, "', expected stretch, not_larger or not_smaller");
  const OutPort each =
      b.op("Divide", "opset1",
           {b.convert(sizes, ElementType::f32), b.convert(sizes_of(b, axes), ElementType::f32)});
  return b.reduce(policy == "not_larger" ? "ReduceMin" : "ReduceMax", each, b.list({0}), true);
}

// Halves are rounded up.
static OutPort sizes_by(const Build& b, const OutPort& scale, const OutPort& axes) {
  const OutPort half = b.constant(Tensor::filled(b.context(), ElementType::f32, {0.5}, {}));
  const OutPort scaled = b.multiply(b.convert(sizes_of(b, axes), ElementType::f32), scale);
  return b.convert(b.op("Floor", "opset1", {b.add(scaled, half)}), ElementType::i64);
}

// align_corners goes by scaled sizes, an Interpolate by whole ones: do they differ?
static bool has_fractions(const Build& b, const OutPort& scales, const std::optional<Ints>& axes) {
  const auto values = scales.value();
  const Shape s = b.in(0).shape();
  if (!values || !s.has_rank()) return s.has_rank() && scales.node().is("Parameter");
  for (size_t i = 0; i < values->size(); ++i) {
    const size_t a = axes && i < axes->size() ? normalize_axis((*axes)[i], s.size()) : i;
    if (a >= s.size() || !s[a].is_static()) continue;
    const double scaled = values->number(i) * static_cast<double>(s[a].value());
    if (std::abs(scaled - std::round(scaled)) > 1e-4) return true;
  }
  return false;
}

// By scales, an Interpolate copies along an axis whose length stays, whatever the scale is: 1.1 on 4
// elements.
static bool moves_within(const Build& b, const OutPort& scales, const std::optional<Ints>& axes) {
  const auto values = scales.value();
  const Shape s = b.in(0).shape();
  if (!values || !s.has_rank()) return false;
  for (size_t i = 0; i < values->size(); ++i) {
    const size_t a = axes && i < axes->size() ? normalize_axis((*axes)[i], s.size()) : i;
    if (a >= s.size() || !s[a].is_static() || values->number(i) == 1) continue;
    const auto length = static_cast<double>(s[a].value());
    if (std::floor(static_cast<float>(length) * static_cast<float>(values->number(i))) == length) return true;
  }
  return false;
}

static OutPort element(const Build& b, const OutPort& list, size_t i) {
  if (const auto value = list.value(); value && i < value->size())
    return b.constant(Tensor::filled(b.context(), value->type(), {value->number(i)}, {}));
  const auto at = static_cast<int64_t>(i);
  return b.squeeze(b.part(list, at, at + 1), {0});
}

static bool is_number(const std::optional<Tensor>& value, double n) {
  return value && value->size() == 1 && value->number(0) == n;
}

// `given` are sizes or scales.
static Ports by_products(const Build& b, const SourceNode& n, const Mode& m,
                         const std::optional<Ints>& listed, const OutPort& given, bool with_sizes) {
  const Shape s = b.in(0).shape();
  std::optional<size_t> rank;
  if (const auto known = early_rank(b.in(0))) rank = static_cast<size_t>(*known);
  if (const Shape g = given.shape(); !rank && !listed && g.rank() == 1 && g[0].is_static())
    rank = static_cast<size_t>(g[0].value());
  require(rank.has_value(),
          "the rank of input 0 cannot be told from the model, which attributes "
          "'coordinate_transformation_mode', 'antialias' or 'exclude_outside' need here");
  Ints axes = listed.value_or(Ints{});
  for (int64_t a = 0; !listed && a < static_cast<int64_t>(*rank); ++a) axes.push_back(a);
  Resampling how{m.interpolation == "linear_onnx" ? "linear" : m.interpolation,
                 m.coordinates,
                 m.nearest,
                 m.cube_coeff,
                 n.native("extrapolation_value", 0.0),
                 n.native("exclude_outside", 0) != 0 && m.interpolation == "cubic",
                 n.native("antialias", 0) != 0 && m.interpolation != "nearest"};
  const bool crops = m.coordinates == "tf_crop_and_resize";
  const OutPort list = listed ? b.list(axes) : OutPort();
  const OutPort common = with_sizes ? common_scale(b, n, given, list) : OutPort();
  OutPort x = b.in(0);
  for (size_t i = 0; i < axes.size(); ++i) {
    ResampledAxis a;
    const size_t at = normalize_axis(axes[i], *rank);
    a.axis = static_cast<int64_t>(at);
    a.last = at + 1 == *rank;
    const OutPort in = b.squeeze(b.dim(b.in(0), a.axis), {0}), in_f32 = b.convert(in, ElementType::f32);
    const bool is_static = s.has_rank() && s[at].is_static();
    const double before = is_static ? static_cast<double>(s[at].value()) : 0;
    if (common) {
      a.scale = b.squeeze(common, {0});
      a.size = element(b, sizes_by(b, common, list), i);
    } else if (with_sizes) {
      a.size = b.convert(element(b, given, i), ElementType::i64);
      const auto size = a.size.value();
      a.scale =
          size && size->size() == 1 && is_static && before > 0
              ? b.constant(Tensor::filled(b.context(), ElementType::f32, {size->number(0) / before}, {}))
              : b.divide(b.convert(a.size, ElementType::f32), in_f32);
    } else {
      a.scale = element(b, given, i);
      a.size = b.convert(b.op("Floor", "opset1", {b.multiply(in_f32, a.scale)}), ElementType::i64);
    }
    const auto scale = a.scale.value();
    bool stays = is_number(scale, 1);
    if (crops) {
      require(b.has(1), "input 1, the region, is missing, which tf_crop_and_resize needs");
      const OutPort region = b.convert(b.in(1), ElementType::f32);
      a.begin = element(b, region, i);
      a.end = element(b, region, axes.size() + i);
      const auto first = a.begin.value(), last = a.end.value();
      stays = stays && is_number(first, 0) && is_number(last, 1);
    }
    Resampling along = how;
    if (m.nearest == "simple") along.nearest = scale && scale->number(0) < 1 ? "ceil" : "floor";
    if (!stays) x = resample(b, x, a, along);
  }
  return {x};
}

// Upsample, and Resize up to version 10.
static Ports as_before(const Build& b, const SourceNode& n, const OutPort& scales) {
  if (moves_within(b, scales, std::nullopt))
    return by_products(b, n, old_mode(n), std::nullopt, scales, false);
  return {by_scales(b, scales, old_mode(n), OutPort())};
}

}  // namespace resizing

static Ports resize(Build& b, const SourceNode& n) {
  if (n.version() < 11) return resizing::as_before(b, n, b.in(1));
  const auto mode = resizing::new_mode(n);
  const auto list = n.find_native<Ints>("axes");
  const bool with_sizes = b.has(3) && !b.is_empty(3);
  require(with_sizes || (b.has(2) && !b.is_empty(2)), "it has neither scales nor sizes");
  const bool expressible = resizing::is_expressible(n, mode);
  const bool fractions =
      !with_sizes && mode.coordinates == "align_corners" && resizing::has_fractions(b, b.in(2), list);
  const bool within = !with_sizes && resizing::moves_within(b, b.in(2), list);
  if (!expressible || fractions || within)
    return resizing::by_products(b, n, mode, list, with_sizes ? b.in(3) : b.in(2), with_sizes);
  const OutPort axes = list ? b.list(*list) : OutPort();
  if (!with_sizes) return {resizing::by_scales(b, b.in(2), mode, axes)};
  const OutPort common = resizing::common_scale(b, n, b.in(3), axes);
  return {resizing::by_sizes(b, common ? resizing::sizes_by(b, common, axes) : b.in(3), mode, axes)};
}

// Scales are an input from version 9 on, before that an attribute, and in version 1 two attributes.
static Ports upsample(Build& b, const SourceNode& n) {
  OutPort scales;
  if (n.version() >= 9) {
    scales = b.in(1);
  } else if (const auto list = n.find_native<std::vector<double>>("scales")) {
    scales = b.constant(
        Tensor::filled(b.context(), ElementType::f32, *list, {static_cast<int64_t>(list->size())}));
  } else {
    const std::vector<double> both{1, 1, n.native<double>("height_scale"), n.native<double>("width_scale")};
    scales = b.constant(Tensor::filled(b.context(), ElementType::f32, both, {4}));
  }
  return resizing::as_before(b, n, scales);
}

void register_resize(Registry& r) {
  replace<resize>(r, {"Resize", "Resize(x, roi, scales, sizes)", "Interpolate(x, sizes, scales, axes)"});
  replace<upsample>(r, {"Upsample", "Upsample(x, scales)", "Interpolate(x, sizes, scales, axes)"});
}

}  // namespace mo::onnx
