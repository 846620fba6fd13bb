// Operators on pictures [batch, height, width, channels].
#include "support/known.hpp"
#include "support/resize.hpp"
#include "support/windows.hpp"

namespace mo::tensorflow {

namespace images {

struct Resizing {
  std::string mode, coordinates, nearest = "floor";
};

static OutPort resized(const Build& b, const OutPort& x, const Resizing& how) {
  // The scales follow from the sizes.
  const OutPort scales = b.constant(Tensor::filled(b.context(), ElementType::f32, {1, 1}, {2}));
  const Node n = b.node("Interpolate", "opset4", {x, b.in(1), scales, b.list({1, 2})});
  n.set("mode", how.mode).set("shape_calculation_mode", "sizes");
  n.set("coordinate_transformation_mode", how.coordinates).set("nearest_mode", how.nearest);
  n.set("antialias", false).set("pads_begin", Ints{0}).set("pads_end", Ints{0}).set("cube_coeff", -0.75);
  return n.out_port();
}

static Resizing read(const SourceNode& n, std::string_view mode) {
  const bool aligned = n.native("align_corners", false), centred = n.native("half_pixel_centers", false);
  require(!aligned || !centred, "attributes 'align_corners' and 'half_pixel_centers' are both true");
  return {std::string(mode), aligned ? "align_corners" : centred ? "half_pixel" : "asymmetric"};
}

}  // namespace images

static Ports resize_bilinear(Build& b, const SourceNode& n) {
  return {images::resized(b, b.convert(b.in(0), ElementType::f32), images::read(n, "linear_onnx"))};
}

static Ports resize_nearest(Build& b, const SourceNode& n) {
  images::Resizing how = images::read(n, "nearest");
  if (how.coordinates == "half_pixel") how.coordinates = "tf_half_pixel_for_nn";
  if (how.coordinates == "align_corners") how.nearest = "round_prefer_ceil";
  return {images::resized(b, b.in(0), how)};
}

static Ports resize_bicubic(Build& b, const SourceNode& n) {
  const images::Resizing how = images::read(n, "cubic");
  if (how.coordinates == "half_pixel") return {resize_cubic_by_weights(b, n)};
  return {images::resized(b, b.convert(b.in(0), ElementType::f32), how)};
}

static Ports extract_image_patches(Build& b, const SourceNode& n) {
  const Layout l;
  const Node p = b.node("ExtractImagePatches", "opset3", {to_channels_first(b, l, b.in(0))});
  p.set("sizes", native_spatial_part(n, l, "ksizes")).set("strides", native_spatial_part(n, l, "strides"));
  p.set("rates", native_spatial_part(n, l, "rates"));
  const Padding padding = read_padding(n, l);
  require(padding.auto_pad != "explicit", "attribute 'padding' is EXPLICIT, expected SAME or VALID");
  p.set("auto_pad", padding.auto_pad);
  return {from_channels_first(b, l, p.out_port())};
}

// Distances from the mean of each channel of each picture are scaled.
static Ports adjust_contrast(Build& b, const SourceNode&) {
  const OutPort x = b.in(0);
  const OutPort mean = b.reduce("ReduceMean", x, b.list({-3, -2}), true);
  const OutPort factor = b.convert(b.in(1), x.type());
  const OutPort scaled = b.multiply(b.subtract(x, mean), factor);
  return {b.add(scaled, mean)};
}

void register_images(Registry& r) {
  replace<resize_bilinear>(r, {"ResizeBilinear", "ResizeBilinear(x, size)", "Interpolate-4(x, size)"});
  replace<resize_nearest>(
      r, {"ResizeNearestNeighbor", "ResizeNearestNeighbor(x, size)", "Interpolate-4(x, size)"});
  replace<resize_bicubic>(
      r, {"ResizeBicubic", "ResizeBicubic(x, size)", "Interpolate-4(x, size), or products with weights"});
  replace<adjust_contrast>(r, {"AdjustContrastv2", "AdjustContrastv2(x, factor)",
                               "Add(Multiply(Subtract(x, mean), factor), mean)"});
  replace<extract_image_patches>(
      r, {"ExtractImagePatches", "ExtractImagePatches(x)", "ExtractImagePatches(x) between Transposes"});
}

}  // namespace mo::tensorflow
