// Interp (DeepLab, PSPNet), Resample (FlowNet) and Upsample (YOLO; SegNet, which puts elements back where a
// pooling found them).
#include "support/registering.hpp"

#include <cmath>

namespace mo::caffe {

namespace resizing {

struct Form {
  std::string_view mode, coordinates, nearest;
  bool antialias = false;
};

// Height and width as a list.
static OutPort to_size(const Build& b, const OutPort& x, const OutPort& size, const Form& f) {
  const Node n = b.node("Interpolate", "opset4", {x, size, numbers(b, {1, 1}, {2}), b.list({2, 3})});
  n.set("mode", f.mode)
      .set("shape_calculation_mode", "sizes")
      .set("coordinate_transformation_mode", f.coordinates);
  n.set("nearest_mode", f.nearest).set("antialias", f.antialias);
  n.set("pads_begin", Ints{0, 0, 0, 0}).set("pads_end", Ints{0, 0, 0, 0}).set("cube_coeff", -0.75);
  return n.out_port();
}

// Negative pads cut borders off, positive ones are zeros.
static OutPort padded(const Build& b, const OutPort& x, int64_t begin, int64_t end) {
  if (begin == 0 && end == 0) return x;
  require(begin <= 0 && end <= 0, "pads are ", begin, " and ", end,
          "; expected 0 or less: what they cut off");
  const Node n = b.node("StridedSlice", "opset1",
                        {x, b.list({0, 0, -begin, -begin}), b.list({0, 0, end, end}), b.list({1, 1, 1, 1})});
  n.set("begin_mask", Ints{1, 1, 0, 0});
  n.set("end_mask", end == 0 ? Ints{1, 1, 1, 1} : Ints{1, 1, 0, 0});
  return n.out_port();
}

static int64_t interp_size(const SourceNode& l, int64_t size, std::string_view side) {
  const std::string p = "interp_param.";
  const int64_t shrink = integer(l, p + "shrink_factor", 1), zoom = integer(l, p + "zoom_factor", 1);
  require(shrink > 0 && zoom > 0 && zoom < (1 << 20), "shrink_factor is ", shrink, " and zoom_factor ", zoom);
  if (is_set(l, text(p, side))) return integer(l, text(p, side), 0);
  const int64_t small = (size - 1) / shrink + 1;
  return detail::checked_add(small, detail::checked_mul(small - 1, zoom - 1));
}

static Ports interp(Build& b, const SourceNode& l) {
  const OutPort x =
      padded(b, bottom(l, 0), integer(l, "interp_param.pad_beg", 0), integer(l, "interp_param.pad_end", 0));
  const Form form{"linear", "align_corners", "floor"};
  if (bottom_count(l) > 1) return {to_size(b, x, b.part(b.shape_of(bottom(l, 1)), 2, 4), form)};
  const bool fixed = is_set(l, "interp_param.height") && is_set(l, "interp_param.width");
  const int64_t height = interp_size(l, fixed ? 1 : dim_of(x, 2), "height");
  const int64_t width = interp_size(l, fixed ? 1 : dim_of(x, 3), "width");
  require(height > 0 && width > 0, "its height is ", height, " and its width ", width);
  return {to_size(b, x, b.list({height, width}), form)};
}

static Ports resample(Build& b, const SourceNode& l) {
  const std::string p = "resample_param.", type = word(l, p + "type", "LINEAR");
  require(type != "AREA", "type AREA is not supported; expected NEAREST, LINEAR or CUBIC");
  const OutPort x = bottom(l, 0);
  const bool nearest = type == "NEAREST";
  const Form form{nearest           ? "nearest"
                  : type == "CUBIC" ? "cubic"
                                    : "linear",
                  "half_pixel", "round_prefer_ceil", !nearest && flag(l, p + "antialias", true)};
  if (bottom_count(l) > 1) return {to_size(b, x, b.part(b.shape_of(bottom(l, 1)), 2, 4), form)};
  const double factor = real(l, p + "factor", 1);
  const auto size = [&](std::string_view side, size_t axis) {
    const int64_t given = integer(l, text(p, side), 0);
    if (given > 0) return given;
    const double wanted = static_cast<double>(dim_of(x, axis)) * factor;
    require(wanted >= 1 && wanted < INT32_MAX, "its factor is ", factor);
    return static_cast<int64_t>(wanted);
  };
  return {to_size(b, x, b.list({size("height", 2), size("width", 3)}), form)};
}

// Zeros, but for elements at the places that the second blob says.
static OutPort unpooled(const Build& b, const SourceNode& l, int64_t height, int64_t width) {
  const OutPort x = bottom(l, 0);
  const int64_t n = dim_of(x, 0), c = dim_of(x, 1), area = detail::checked_mul(height, width);
  require(detail::checked_mul(detail::checked_mul(n, c), area) < (int64_t{1} << 34),
          "its output is too large");
  const Node zeros = b.node("Broadcast", "opset3", {b.number(0), b.list({n, c, area})});
  zeros.set("mode", "numpy");
  const OutPort places = b.convert(reshaped(b, bottom(l, 1), {0, 0, -1}), ElementType::i32);
  const Node put = b.node("ScatterElementsUpdate", "opset3",
                          {zeros.out_port(), places, reshaped(b, x, {0, 0, -1}), b.integer(2)});
  return reshaped(b, put.out_port(), {0, 0, height, width});
}

static Ports upsample(Build& b, const SourceNode& l) {
  const std::string p = "upsample_param.";
  const OutPort x = bottom(l, 0);
  const int64_t scale = integer(l, p + "scale", 2);
  const int64_t down = integer(l, p + "scale_h", scale), across = integer(l, p + "scale_w", scale);
  require(down > 0 && across > 0 && down <= 1024 && across <= 1024, "its scale is ", scale);
  const auto side = [&](std::string_view given, size_t axis, int64_t by, std::string_view pad) {
    const int64_t size = integer(l, text(p, given), 0);
    if (size > 0) return size;
    return detail::checked_mul(dim_of(x, axis), by) - (flag(l, text(p, pad), false) ? 1 : 0);
  };
  const bool back = bottom_count(l) > 1;
  const bool exact = back || integer(l, p + "upsample_h", 0) > 0;
  const Shape s = shape_of(x);
  if (exact || (s.has_rank() && s.size() == 4 && s[2].is_static() && s[3].is_static())) {
    const int64_t height = side("upsample_h", 2, down, "pad_out_h"),
                  width = side("upsample_w", 3, across, "pad_out_w");
    require(height > 0 && width > 0, "its output is ", height, " by ", width);
    if (back) return {unpooled(b, l, height, width)};
    return {to_size(b, x, b.list({height, width}), {"nearest", "asymmetric", "floor"})};
  }
  const OutPort sizes = b.multiply(b.part(b.shape_of(x), 2, 4), b.list({down, across}));
  return {to_size(b, x, sizes, {"nearest", "asymmetric", "floor"})};
}

}  // namespace resizing

void register_resizing(Registry& r) {
  convert<resizing::interp>(r, "Interp", "Interp(x)", "Interpolate(x, sizes)");
  convert<resizing::resample>(r, "Resample", "Resample(x)", "Interpolate(x, sizes)");
  convert<resizing::upsample>(r, "Upsample", "Upsample(x), Upsample(x, places)",
                              "Interpolate(x, sizes), ScatterElementsUpdate(zeros, places, x)");
}

}  // namespace mo::caffe
