// Pictures in another size.
#include "support/build.hpp"

namespace mo::tflite {

namespace resizing {

static OutPort resized(const Build& b, std::string_view mode, std::string_view coordinates,
                       std::string_view nearest) {
  // The scales follow from the sizes.
  const OutPort scales = b.constant(Tensor::filled(b.context(), ElementType::f32, {1, 1}, {2}));
  const Node n = b.node("Interpolate", "opset4", {b.in(0), b.in(1), scales, b.list({1, 2})});
  n.set("mode", mode).set("shape_calculation_mode", "sizes");
  n.set("coordinate_transformation_mode", coordinates).set("nearest_mode", nearest);
  n.set("antialias", false).set("pads_begin", Ints{0}).set("pads_end", Ints{0}).set("cube_coeff", -0.75);
  return n.out_port();
}

}  // namespace resizing

static Ports resize_bilinear(Build& b, const SourceNode& n) {
  const bool aligned = n.native("align_corners", false), centred = n.native("half_pixel_centers", false);
  return {resizing::resized(b, "linear_onnx",
                            aligned   ? "align_corners"
                            : centred ? "half_pixel"
                                      : "asymmetric",
                            "floor")};
}

static Ports resize_nearest(Build& b, const SourceNode& n) {
  const bool aligned = n.native("align_corners", false), centred = n.native("half_pixel_centers", false);
  return {resizing::resized(b, "nearest",
                            aligned   ? "align_corners"
                            : centred ? "tf_half_pixel_for_nn"
                                      : "asymmetric",
                            aligned ? "round_prefer_ceil" : "floor")};
}

void register_resizing(Registry& r) {
  replace<resize_bilinear>(r, {"RESIZE_BILINEAR", "RESIZE_BILINEAR(x, size)", "Interpolate-4(x, size)"});
  replace<resize_nearest>(
      r, {"RESIZE_NEAREST_NEIGHBOR", "RESIZE_NEAREST_NEIGHBOR(x, size)", "Interpolate-4(x, size)"});
}

}  // namespace mo::tflite
