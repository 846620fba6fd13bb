// Interp (DeepLab, PSPNet), Resample (FlowNet) and Upsample (YOLO; SegNet, which puts elements back where a
// pooling found them).
#include "support/convert_layers.hpp"

#include <cmath>

namespace mo::caffe {

namespace resizing {

struct Form {
  std::string_view mode, coordinates, nearest;
  bool antialias = false;
};

// Height and width as a list.
static OutPort to_size(Layer& l, const OutPort& x, const OutPort& size, const Form& f) {
  const Node n = l.with("Interpolate", "opset4", {x, size, l.constant({1, 1}, {2}), l.list({2, 3})});
  n.set("mode", f.mode)
      .set("shape_calculation_mode", "sizes")
      .set("coordinate_transformation_mode", f.coordinates);
  n.set("nearest_mode", f.nearest).set("antialias", f.antialias);
  n.set("pads_begin", Ints{0, 0, 0, 0}).set("pads_end", Ints{0, 0, 0, 0}).set("cube_coeff", -0.75);
  return n.out_port();
}

// Negative pads cut borders off, positive ones are zeros.
static OutPort padded(Layer& l, const OutPort& x, int64_t begin, int64_t end) {
  if (begin == 0 && end == 0) return x;
  require(begin <= 0 && end <= 0, "pads are ", begin, " and ", end,
          "; expected 0 or less: what they cut off");
  const Node n = l.with("StridedSlice", "opset1",
                        {x, l.list({0, 0, -begin, -begin}), l.list({0, 0, end, end}), l.list({1, 1, 1, 1})});
  n.set("begin_mask", Ints{1, 1, 0, 0});
  n.set("end_mask", end == 0 ? Ints{1, 1, 1, 1} : Ints{1, 1, 0, 0});
  return n.out_port();
}

static int64_t interp_size(const Layer& l, int64_t size, std::string_view side) {
  const std::string p = "interp_param.";
  const int64_t shrink = l.integer(p + "shrink_factor", 1), zoom = l.integer(p + "zoom_factor", 1);
  require(shrink > 0 && zoom > 0 && zoom < (1 << 20), "shrink_factor is ", shrink, " and zoom_factor ", zoom);
  if (l.is_set(text(p, side))) return l.integer(text(p, side), 0);
  const int64_t small = (size - 1) / shrink + 1;
  return detail::checked_add(small, detail::checked_mul(small - 1, zoom - 1));
}

static Ports interp(Layer& l) {
  const OutPort x =
      padded(l, l.in(0), l.integer("interp_param.pad_beg", 0), l.integer("interp_param.pad_end", 0));
  const Form form{"linear", "align_corners", "floor"};
  if (l.bottoms() > 1) return {to_size(l, x, l.part(l.shape_of(l.in(1)), 2, 4), form)};
  const bool fixed = l.is_set("interp_param.height") && l.is_set("interp_param.width");
  const int64_t height = interp_size(l, fixed ? 1 : l.dim(x, 2), "height");
  const int64_t width = interp_size(l, fixed ? 1 : l.dim(x, 3), "width");
  require(height > 0 && width > 0, "its height is ", height, " and its width ", width);
  return {to_size(l, x, l.list({height, width}), form)};
}

static Ports resample(Layer& l) {
  const std::string p = "resample_param.", type = l.word(p + "type", "LINEAR");
  require(type != "AREA", "type AREA is not supported; expected NEAREST, LINEAR or CUBIC");
  const OutPort x = l.in(0);
  const bool nearest = type == "NEAREST";
  const Form form{nearest           ? "nearest"
                  : type == "CUBIC" ? "cubic"
                                    : "linear",
                  "half_pixel", "round_prefer_ceil", !nearest && l.flag(p + "antialias", true)};
  if (l.bottoms() > 1) return {to_size(l, x, l.part(l.shape_of(l.in(1)), 2, 4), form)};
  const double factor = l.real(p + "factor", 1);
  const auto size = [&](std::string_view side, size_t axis) {
    const int64_t given = l.integer(text(p, side), 0);
    if (given > 0) return given;
    const double wanted = static_cast<double>(l.dim(x, axis)) * factor;
    require(wanted >= 1 && wanted < INT32_MAX, "its factor is ", factor);
    return static_cast<int64_t>(wanted);
  };
  return {to_size(l, x, l.list({size("height", 2), size("width", 3)}), form)};
}

// Zeros, but for elements at the places that the second blob says.
static OutPort unpooled(Layer& l, int64_t height, int64_t width) {
  const OutPort x = l.in(0);
  const int64_t n = l.dim(x, 0), c = l.dim(x, 1), area = detail::checked_mul(height, width);
  require(detail::checked_mul(detail::checked_mul(n, c), area) < (int64_t{1} << 34),
          "its output is too large");
  const Node zeros = l.with("Broadcast", "opset3", {l.number(0), l.list({n, c, area})});
  zeros.set("mode", "numpy");
  const OutPort places = l.convert(l.reshape(l.in(1), {0, 0, -1}), ElementType::i32);
  const Node put = l.with("ScatterElementsUpdate", "opset3",
                          {zeros.out_port(), places, l.reshape(x, {0, 0, -1}), l.integer_constant(2)});
  return l.reshape(put.out_port(), {0, 0, height, width});
}

static Ports upsample(Layer& l) {
  const std::string p = "upsample_param.";
  const OutPort x = l.in(0);
  const int64_t scale = l.integer(p + "scale", 2);
  const int64_t down = l.integer(p + "scale_h", scale), across = l.integer(p + "scale_w", scale);
  require(down > 0 && across > 0 && down <= 1024 && across <= 1024, "its scale is ", scale);
  const auto side = [&](std::string_view given, size_t axis, int64_t by, std::string_view pad) {
    const int64_t size = l.integer(text(p, given), 0);
    if (size > 0) return size;
    return detail::checked_mul(l.dim(x, axis), by) - (l.flag(text(p, pad), false) ? 1 : 0);
  };
  const bool back = l.bottoms() > 1;
  const bool exact = back || l.integer(p + "upsample_h", 0) > 0;
  const Shape s = l.shape(x);
  if (exact || (s.has_rank() && s.size() == 4 && s[2].is_static() && s[3].is_static())) {
    const int64_t height = side("upsample_h", 2, down, "pad_out_h"),
                  width = side("upsample_w", 3, across, "pad_out_w");
    require(height > 0 && width > 0, "its output is ", height, " by ", width);
    if (back) return {unpooled(l, height, width)};
    return {to_size(l, x, l.list({height, width}), {"nearest", "asymmetric", "floor"})};
  }
  const OutPort sizes = l.multiply(l.part(l.shape_of(x), 2, 4), l.list({down, across}));
  return {to_size(l, x, sizes, {"nearest", "asymmetric", "floor"})};
}

}  // namespace resizing

void register_resizing(Items& items) {
  items.layer("Interp", &resizing::interp);
  items.layer("Resample", &resizing::resample);
  items.layer("Upsample", &resizing::upsample);
}

}  // namespace mo::caffe
