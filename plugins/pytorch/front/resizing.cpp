// Pictures, lines and volumes of other sizes.
#include "support/values.hpp"

#include <mo/volume_sampler.hpp>

#include <cmath>

namespace mo::pytorch {

namespace resizing {

struct Mode {
  std::string_view mode, coordinates, nearest;
  double cubic = -0.75;
};

static OutPort input(const Call& c) { return c.tensor(c.is_given("input") ? "input" : "self"); }

// One for each spatial dimension, or none: what the call says about scales.
static std::vector<double> scales_of(const Call& c, size_t spatial) {
  std::vector<double> list;
  if (c.is_given("scale_factors")) list = c.numbers("scale_factors");
  if (c.is_given("scales")) list = {c.number("scales")};
  for (const std::string_view name : {"scales_d", "scales_h", "scales_w"})
    if (c.is_given(name)) list.push_back(c.number(name));
  return list.size() == spatial ? list : std::vector<double>();
}

// What scales make of the sizes, a list.
static OutPort scaled_sizes(const Call& c, const OutPort& x, const std::vector<double>& scales) {
  Ports sizes;
  for (size_t i = 0; i < scales.size(); ++i) {
    const auto axis = static_cast<int64_t>(i) + 2;
    const Shape s = x.shape();
    if (const Dim d = s[i + 2]; d.is_static()) {
      sizes.push_back(c.b.list({static_cast<int64_t>(std::floor(static_cast<double>(d.value()) * scales[i]))}));
    } else {
      const OutPort size = c.b.convert(c.b.dim(x, axis), ElementType::f32);
      sizes.push_back(c.b.convert(c.op1("Floor", {c.b.multiply(size, c.b.number(scales[i]))}), ElementType::i64));
    }
  }
  return c.b.concat(sizes);
}

// By scales an Interpolate copies along a dimension whose size stays, where torch still moves.
static bool moves_within(const OutPort& x, const std::vector<double>& scales) {
  const Shape s = x.shape();
  for (size_t i = 0; i < scales.size(); ++i) {
    const Dim d = s[i + 2];
    if (scales[i] == 1 || !d.is_static()) continue;
    const auto size = static_cast<double>(d.value());
    if (std::floor(size * scales[i]) == size) return true;
  }
  return false;
}

static OutPort f32_list(const Call& c, const std::vector<double>& values) {
  return c.b.constant(
      Tensor::filled(c.b.context(), ElementType::f32, values, {static_cast<int64_t>(values.size())}));
}

static Ports resized(const Call& c, size_t spatial, Mode m) {
  OutPort x = input(c);
  require(c.rank(x) == spatial + 2, "it reads a tensor of ", c.rank(x), " dimensions, expected ", spatial + 2);
  const bool aligned = c.flag("align_corners", false);
  const bool pillow = m.mode.ends_with("_pillow");
  require(!aligned || !pillow, "arguments 'align_corners' and antialiasing together are not supported");
  if (aligned) m.coordinates = "align_corners";
  std::vector<double> scales = scales_of(c, spatial);
  OutPort sizes = c.is_given("output_size") ? c.sizes("output_size") : scaled_sizes(c, x, scales);
  require(c.is_given("output_size") || !scales.empty(), "it has neither sizes nor scales");
  // Corners that are aligned go by sizes alone.
  const bool by_scales = !scales.empty() && !aligned;
  require(!by_scales || !moves_within(x, scales), "argument 'scale_factors' is ", scales,
          ", which keeps a size and still moves its elements: Interpolate does not; give sizes instead");
  Ints axes;
  if (spatial == 1) {
    // Lines are pictures of one row.
    x = c.b.unsqueeze(x, c.b.list({2}));
    sizes = c.b.concat({c.b.list({1}), sizes});
    scales.insert(scales.begin(), 1);
    axes = {2, 3};
  } else {
    for (size_t i = 0; i < spatial; ++i) axes.push_back(static_cast<int64_t>(i) + 2);
  }
  OutPort scale;
  if (by_scales) {
    scale = f32_list(c, scales);
  } else if (!pillow) {
    const OutPort have = gather(c, c.b.shape_of(x), c.b.list(axes), 0);
    scale = c.b.divide(c.b.convert(sizes, ElementType::f32), c.b.convert(have, ElementType::f32));
  }
  Ports inputs{x, sizes, scale, c.b.list(axes)};
  if (pillow) inputs = {x, by_scales ? scale : sizes, c.b.list(axes)};
  const Node n = c.b.node("Interpolate", pillow ? "opset11" : "opset4", inputs);
  n.set("mode", std::string(m.mode)).set("shape_calculation_mode", by_scales ? "scales" : "sizes");
  n.set("coordinate_transformation_mode", std::string(m.coordinates)).set("nearest_mode", std::string(m.nearest));
  n.set("cube_coeff", m.cubic).set("antialias", false).set("pads_begin", Ints{0}).set("pads_end", Ints{0});
  return {spatial == 1 ? c.b.squeeze(n.out_port(), {2}) : n.out_port()};
}

template <size_t Spatial>
static Ports nearest(const Call& c) {
  return resized(c, Spatial, {"nearest", "asymmetric", "floor"});
}
// The element whose half lies nearest.
template <size_t Spatial>
static Ports nearest_exact(const Call& c) {
  return resized(c, Spatial, {"nearest", "half_pixel", "round_prefer_ceil"});
}
template <size_t Spatial>
static Ports linear(const Call& c) {
  return resized(c, Spatial, {"linear_onnx", "half_pixel", "floor"});
}
static Ports cubic(const Call& c) { return resized(c, 2, {"cubic", "half_pixel", "floor"}); }
static Ports linear_smooth(const Call& c) { return resized(c, 2, {"bilinear_pillow", "half_pixel", "floor"}); }
static Ports cubic_smooth(const Call& c) {
  return resized(c, 2, {"bicubic_pillow", "half_pixel", "floor", -0.5});
}

// Places in the data from -1 to 1.
static Ports sampled(const Call& c) {
  const auto mode = c.integer("interpolation_mode", 0), padding = c.integer("padding_mode", 0);
  require(mode >= 0 && mode <= 2 && padding >= 0 && padding <= 2,
          "arguments 'interpolation_mode' and 'padding_mode' are ", mode, " and ", padding, ", expected 0 to 2");
  const char* const modes[] = {"bilinear", "nearest", "bicubic"};
  const char* const pads[] = {"zeros", "border", "reflection"};
  const OutPort x = c.tensor("input");
  if (c.rank(x) == 5) {
    require(mode != 2, "argument 'interpolation_mode' is 2, bicubic, which torch has for pictures only");
    const std::string_view how = mode == 0 ? "linear" : "nearest";
    return {VolumeSampler(c.b, x, c.tensor("grid"), how, pads[padding], c.flag("align_corners", false)).result()};
  }
  const Node n = c.b.node("GridSample", "opset9", {x, c.tensor("grid")});
  n.set("mode", modes[mode]).set("padding_mode", pads[padding]);
  return {n.set("align_corners", c.flag("align_corners", false)).out_port()};
}

}  // namespace resizing

void register_resizing(Registry& r) {
  using namespace resizing;
  convert<nearest<1>>(r, "aten.upsample_nearest1d.vec aten.upsample_nearest1d.default", "upsample_nearest1d(x)",
                      "Interpolate-4(x), nearest");
  convert<nearest<2>>(r, "aten.upsample_nearest2d.vec aten.upsample_nearest2d.default", "upsample_nearest2d(x)",
                      "Interpolate-4(x), nearest");
  convert<nearest<3>>(r, "aten.upsample_nearest3d.vec aten.upsample_nearest3d.default", "upsample_nearest3d(x)",
                      "Interpolate-4(x), nearest");
  convert<nearest_exact<1>>(r, "aten._upsample_nearest_exact1d.vec aten._upsample_nearest_exact1d.default",
                            "_upsample_nearest_exact1d(x)", "Interpolate-4(x), nearest");
  convert<nearest_exact<2>>(r, "aten._upsample_nearest_exact2d.vec aten._upsample_nearest_exact2d.default",
                            "_upsample_nearest_exact2d(x)", "Interpolate-4(x), nearest");
  convert<nearest_exact<3>>(r, "aten._upsample_nearest_exact3d.vec aten._upsample_nearest_exact3d.default",
                            "_upsample_nearest_exact3d(x)", "Interpolate-4(x), nearest");
  convert<linear<1>>(r, "aten.upsample_linear1d.vec aten.upsample_linear1d.default", "upsample_linear1d(x)",
                     "Interpolate-4(x), linear_onnx");
  convert<linear<2>>(r, "aten.upsample_bilinear2d.vec aten.upsample_bilinear2d.default", "upsample_bilinear2d(x)",
                     "Interpolate-4(x), linear_onnx");
  convert<linear<3>>(r, "aten.upsample_trilinear3d.vec aten.upsample_trilinear3d.default",
                     "upsample_trilinear3d(x)", "Interpolate-4(x), linear_onnx");
  convert<cubic>(r, "aten.upsample_bicubic2d.vec aten.upsample_bicubic2d.default", "upsample_bicubic2d(x)",
                 "Interpolate-4(x), cubic");
  convert<linear_smooth>(r, "aten._upsample_bilinear2d_aa.vec aten._upsample_bilinear2d_aa.default",
                         "_upsample_bilinear2d_aa(x)", "Interpolate-11(x), bilinear_pillow");
  convert<cubic_smooth>(r, "aten._upsample_bicubic2d_aa.vec aten._upsample_bicubic2d_aa.default",
                        "_upsample_bicubic2d_aa(x)", "Interpolate-11(x), bicubic_pillow");
  convert<sampled>(r, "aten.grid_sampler.default aten.grid_sampler_2d.default aten.grid_sampler_3d.default",
                   "grid_sampler(x, grid)",
                   "GridSample-9(x, grid), of volumes the weighted sum of Gather(x, corner)");
}

}  // namespace mo::pytorch
