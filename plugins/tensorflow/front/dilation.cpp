// Dilation2D: the greatest sum of a picture's elements in a window and those of a filter [height, width,
// channels]. What lies outside never counts, so it is the lowest number.
#include "support/known.hpp"
#include "support/windows.hpp"

#include <cmath>

namespace mo::tensorflow {

namespace dilating {

// Pads of a SAME window, as lists [height, width].
static std::pair<OutPort, OutPort> same_pads(const Build& b, const Layout& l, const SourceNode& n) {
  const auto op = [&](std::string_view t, const OutPort& left, const OutPort& right) {
    return b.op(t, "opset1", {left, right});
  };
  const OutPort in = b.part(b.shape_of(b.in(0)), 1, 3), one = b.list({1, 1}), zero = b.list({0, 0});
  const OutPort strides = b.list(native_spatial_part(n, l, "strides"));
  const OutPort steps = op("Divide", op("Subtract", in, one), strides);  // of the window, rounded down
  const OutPort kernel = b.part(b.shape_of(b.in(1)), 0, 2);
  const OutPort reach =
      op("Multiply", op("Subtract", kernel, one), b.list(native_spatial_part(n, l, "rates")));
  const OutPort end = op("Add", op("Add", op("Multiply", steps, strides), reach), one);
  const OutPort total = op("Maximum", op("Subtract", end, in), zero);
  const OutPort begin = op("Divide", total, b.list({2, 2}));
  return {begin, op("Subtract", total, begin)};
}

static double lowest(ElementType type) {
  if (is_integer(type)) return is_signed(type) ? -std::ldexp(1.0, std::min(bits(type), 53) - 1) : 0;
  return type == ElementType::f16 ? -65504 : std::numeric_limits<float>::lowest();
}

}  // namespace dilating

static Ports dilation(Build& b, const SourceNode& n) {
  const Layout l;
  const Shape filter = b.in(1).shape();
  require(filter.has_rank() && filter.size() == 3 && filter[0].is_static() && filter[1].is_static(),
          "the shape of the filter is not known; make it a constant");
  const Ints kernel{filter[0].value(), filter[1].value()};
  OutPort x = b.in(0);
  const Padding padding = read_padding(n, l);
  require(padding.auto_pad != "explicit", "attribute 'padding' is EXPLICIT, expected SAME or VALID");
  if (padding.auto_pad == "same_upper") {
    const auto [begin, end] = dilating::same_pads(b, l, n);
    const OutPort zero = b.list({0});
    const Node p = b.node("Pad", "opset1",
                          {x, b.concat({zero, begin, zero}), b.concat({zero, end, zero}),
                           b.like(x, dilating::lowest(x.type()))});
    p.set("pad_mode", "constant");
    x = p.out_port();
  }
  x = to_channels_first(b, l, x);
  const Node patches = b.node("ExtractImagePatches", "opset3", {x});
  patches.set("sizes", kernel).set("strides", native_spatial_part(n, l, "strides"));
  patches.set("rates", native_spatial_part(n, l, "rates")).set("auto_pad", "valid");
  // [batch, places in the window, channels, height, width]
  const OutPort shape = b.shape_of(patches.out_port());
  const OutPort apart =
      b.reshape(patches.out_port(), b.concat({b.part(shape, 0, 1), b.list({kernel[0] * kernel[1]}),
                                              b.dim(b.in(1), 2), b.part(shape, 2, 4)}));
  const OutPort weights =
      b.reshape(b.in(1), b.concat({b.list({kernel[0] * kernel[1]}), b.dim(b.in(1), 2), b.list({1, 1})}));
  const OutPort sums = b.add(apart, weights);
  return {from_channels_first(b, l, b.reduce("ReduceMax", sums, b.list({1}), false))};
}

void register_dilation(Registry& r) {
  replace<dilation>(
      r, {"Dilation2D", "Dilation2D(x, filter)", "ReduceMax(Add(ExtractImagePatches(x), filter))"});
}

}  // namespace mo::tensorflow
