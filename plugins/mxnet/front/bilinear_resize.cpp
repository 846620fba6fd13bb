#include "support/registering.hpp"
#include "support/shapes.hpp"

namespace mo::mxnet {

namespace resizing {

// Corners stay corners. `like` has the size of the second input.
static Ports bilinear_resize(Build& b, const SourceNode& n) {
  const auto mode = n.native("mode", "size");
  const OutPort x = b.in(0);
  const bool corners = n.native("align_corners", true);
  OutPort size;
  if (mode == "like") {
    size = b.part(b.shape_of(b.in(1)), 2, 4);
  } else {
    require(mode == "size", "attribute 'mode' is '", mode, "'; expected size or like");
    const auto scaled = [&](std::string_view name, size_t axis, std::string_view plain) {
      const auto factor = n.find_native<double>(name);
      if (!factor) return n.native(plain, 1);
      return static_cast<int64_t>(*factor * static_cast<double>(dim_of(b, x, axis)));
    };
    size = b.list({scaled("scale_height", 2, "height"), scaled("scale_width", 3, "width")});
  }
  const OutPort scales = b.constant(Tensor::vector<float>(b.context(), {1, 1}));
  const Node i = b.node("Interpolate", "opset4", {x, size, scales, b.list({2, 3})});
  i.set("mode", "linear_onnx").set("shape_calculation_mode", "sizes").set("nearest_mode", "floor");
  i.set("coordinate_transformation_mode", corners ? "align_corners" : "half_pixel").set("antialias", false);
  i.set("pads_begin", Ints{0}).set("pads_end", Ints{0}).set("cube_coeff", -0.75);
  return {i.out_port()};
}

}  // namespace resizing

void register_bilinear_resize(Registry& r) {
  convert<resizing::bilinear_resize>(r, "_contrib_BilinearResize2D", "_contrib_BilinearResize2D(x)",
                                     "Interpolate(x, size)");
}

}  // namespace mo::mxnet
