// CropAndResize: boxes of images, sampled. A box is given by parts of the image, whose corners are pixels.
#include "support/microsoft.hpp"

namespace mo::onnx {

namespace ms {

// `count` points from `first` to `last`, [boxes, count]; one point is in the middle.
static OutPort sample_points(const Build& b, const OutPort& first, const OutPort& last,
                             const OutPort& count) {
  const auto f32 = [&](double v) {
    return b.constant(Tensor::filled(b.context(), ElementType::f32, {v}, {}));
  };
  const OutPort steps = b.convert(b.range(b.integer(0), count, 1), ElementType::f32);
  const OutPort n = b.convert(count, ElementType::f32);
  const OutPort single = b.op("LessEqual", "opset1", {n, f32(1)});
  const OutPort parts = b.op("Maximum", "opset1", {b.subtract(n, f32(1)), f32(1)});
  const OutPort part = b.select(single, f32(0.5), b.divide(steps, parts));
  return b.add(first, b.multiply(b.subtract(last, first), part));
}

static Ports crop_and_resize(Build& b, const SourceNode& n) {
  const auto mode = n.native("mode", "bilinear");
  require(mode == "bilinear" || mode == "nearest", "attribute 'mode' is '", mode,
          "', expected bilinear or nearest");
  const auto f32 = [&](double v) {
    return b.constant(Tensor::filled(b.context(), ElementType::f32, {v}, {}));
  };
  const Ports edges = split(b, b.convert(b.in(1), ElementType::f32), 1, 4);  // y1, x1, y2, x2
  const Ports sizes = split(b, b.convert(b.in(3), ElementType::i64), 0, 2);
  const OutPort y = b.unsqueeze(sample_points(b, edges[0], edges[2], b.squeeze(sizes[0], {0})), b.list({2}));
  const OutPort x = b.unsqueeze(sample_points(b, edges[1], edges[3], b.squeeze(sizes[1], {0})), b.list({1}));
  // From 0 … 1 to the -1 … 1 of the operation; both become [boxes, height, width, 1].
  const OutPort zero_x = b.multiply(x, f32(0)), zero_y = b.multiply(y, f32(0));
  const auto scaled = [&](const OutPort& v, const OutPort& zero) {
    return b.unsqueeze(b.subtract(b.multiply(b.add(v, zero), f32(2)), f32(1)), b.list({3}));
  };
  const OutPort grid = b.concat({scaled(x, zero_y), scaled(y, zero_x)}, 3);
  const Node g = b.node("GridSample", "opset9", {gather(b, b.in(0), b.in(2), 0), grid});
  g.set("mode", mode).set("padding_mode", "border").set("align_corners", true);
  const auto inside = [&](const OutPort& v) {
    return b.op("LogicalAnd", "opset1",
                {b.op("GreaterEqual", "opset1", {v, f32(0)}), b.op("LessEqual", "opset1", {v, f32(1)})});
  };
  const OutPort kept = b.unsqueeze(b.op("LogicalAnd", "opset1", {inside(x), inside(y)}), b.list({1}));
  return {b.select(kept, g.out_port(), b.like(b.in(0), n.native("extrapolation_value", 0.0)))};
}

}  // namespace ms

void register_crop_and_resize(Registry& r) {
  replace<ms::crop_and_resize>(
      r, {"CropAndResize", "CropAndResize(x, boxes, images, size)",
          "Select(inside, GridSample-9(Gather(x, images), points), value)", ms::domain});
}

}  // namespace mo::onnx
