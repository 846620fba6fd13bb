// Resize and Upsample become Interpolate over all dimensions; onnx.middle.narrow_interpolate leaves out those
// that stay as they are.
#include "support/build.hpp"

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
  Mode m{interpolation_of(n.native("mode", "nearest")),
         n.native("coordinate_transformation_mode", "half_pixel"),
         n.native("nearest_mode", "round_prefer_floor"), n.native("cubic_coeff_a", -0.75)};
  const bool known = m.coordinates == "half_pixel" || m.coordinates == "pytorch_half_pixel" ||
                     m.coordinates == "asymmetric" || m.coordinates == "align_corners" ||
                     m.coordinates == "tf_half_pixel_for_nn";
  require(known, "attribute 'coordinate_transformation_mode' is '", m.coordinates,
          "', which the IR does not have");
  require(n.native("exclude_outside", 0) == 0 || m.interpolation != "cubic",
          "attribute 'exclude_outside' is 1, which the IR does not have");
  require(n.native("antialias", 0) == 0 || m.interpolation == "nearest",
          "attribute 'antialias' is 1, which the IR does not have");
  require(n.native("keep_aspect_ratio_policy", "stretch") == "stretch",
          "attribute 'keep_aspect_ratio_policy' is not supported");
  return m;
}

static OutPort interpolate(const Build& b, const Ports& inputs, const Mode& m, bool by_scales) {
  const Node i = b.node("Interpolate", "opset4", inputs);
  i.set("mode", m.interpolation).set("shape_calculation_mode", by_scales ? "scales" : "sizes");
  i.set("coordinate_transformation_mode", m.coordinates).set("nearest_mode", m.nearest);
  i.set("cube_coeff", m.cube_coeff).set("antialias", false);
  i.set("pads_begin", Ints{0}).set("pads_end", Ints{0});
  return i.out_port();
}

// Scales decide; the sizes are computed for the operation's sake.
static OutPort by_scales(const Build& b, const OutPort& scales, const Mode& m, const OutPort& axes) {
  OutPort x = b.in(0), all = b.shape_of(x);
  if (axes) {
    const Node g = b.node("Gather", "opset8", {all, axes, b.integer(0)});
    g.set("batch_dims", 0);
    all = g.out_port();
  }
  const OutPort scaled = b.op("Multiply", "opset1", {b.convert(all, ElementType::f32), scales});
  const OutPort sizes = b.convert(b.op("Floor", "opset1", {scaled}), ElementType::i64);
  Ports inputs{x, sizes, scales};
  if (axes) inputs.push_back(axes);
  return interpolate(b, inputs, m, true);
}

// Scales are new size / old size.
static OutPort by_sizes(const Build& b, const OutPort& sizes, const Mode& m, const OutPort& axes) {
  OutPort x = b.in(0), all = b.shape_of(x);
  if (axes) {
    const Node g = b.node("Gather", "opset8", {all, axes, b.integer(0)});
    g.set("batch_dims", 0);
    all = g.out_port();
  }
  const OutPort scales =
      b.op("Divide", "opset1", {b.convert(sizes, ElementType::f32), b.convert(all, ElementType::f32)});
  Ports inputs{x, b.convert(sizes, ElementType::i64), scales};
  if (axes) inputs.push_back(axes);
  return interpolate(b, inputs, m, false);
}

}  // namespace resizing

static Ports resize(Build& b, const SourceNode& n) {
  if (n.version() < 11) return {resizing::by_scales(b, b.in(1), resizing::old_mode(n), OutPort())};
  const auto mode = resizing::new_mode(n);
  const auto list = n.find_native<Ints>("axes");
  const OutPort axes = list ? b.list(*list) : OutPort();
  if ((b.has(3) && !b.is_empty(3))) return {resizing::by_sizes(b, b.in(3), mode, axes)};
  require(b.has(2) && !b.is_empty(2), "it has neither scales nor sizes");
  return {resizing::by_scales(b, b.in(2), mode, axes)};
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
  return {resizing::by_scales(b, scales, resizing::old_mode(n), OutPort())};
}

void register_resize(Registry& r) {
  replace<resize>(r, {"Resize", "Resize(x, roi, scales, sizes)", "Interpolate(x, sizes, scales, axes)"});
  replace<upsample>(r, {"Upsample", "Upsample(x, scales)", "Interpolate(x, sizes, scales, axes)"});
}

}  // namespace mo::onnx
