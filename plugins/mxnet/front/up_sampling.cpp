// Pictures made larger by a whole number.
#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/windows.hpp"

namespace mo::mxnet {

namespace up_sampling {

// Height and width become `sizes`, a list of two.
static OutPort nearest(const Build& b, const OutPort& x, const OutPort& sizes, const OutPort& scales,
                       std::string_view by) {
  const Node n = b.node("Interpolate", "opset4", {x, sizes, scales, b.list({2, 3})});
  n.set("mode", "nearest").set("shape_calculation_mode", by).set("nearest_mode", "floor");
  n.set("coordinate_transformation_mode", "asymmetric").set("antialias", false);
  n.set("pads_begin", Ints{0}).set("pads_end", Ints{0}).set("cube_coeff", -0.75);
  return n.out_port();
}

static OutPort enlarged(const Build& b, const OutPort& x, int64_t scale) {
  const OutPort size = b.part(b.shape_of(x), 2, 4);
  const OutPort scales =
      b.constant(Tensor::vector<float>(b.context(), {static_cast<float>(scale), static_cast<float>(scale)}));
  return nearest(b, x, b.multiply(size, b.list({scale})), scales, "scales");
}

// The sizes of the first input count for all, whatever their own.
static OutPort of_several(const Build& b, const SourceNode& n, int64_t scale) {
  Ports parts;
  require(n.in_count() > 0, "it reads nothing; expected an input");
  for (size_t i = 0; i < n.in_count(); ++i) {
    const int64_t wanted = dim_of(b, b.in(0), 2) * scale, own = dim_of(b, b.in(i), 2);
    require(own > 0 && wanted % own == 0, "input ", i, " of height ", own, " does not fit a height of ",
            wanted);
    parts.push_back(enlarged(b, b.in(i), wanted / own));
  }
  if (n.native("multi_input_mode", "concat") == "concat") return b.concat(parts, 1);
  OutPort sum = parts.front();
  for (size_t i = 1; i < parts.size(); ++i) sum = b.add(sum, parts[i]);
  return sum;
}

// A transposed convolution of each channel with weights that interpolate.
static OutPort bilinear(const Build& b, const SourceNode& n, int64_t scale) {
  const int64_t channels = n.native("num_filter", 0), pad = scale / 2;
  require(channels > 0, "attribute 'num_filter' is missing");
  const int64_t kernel = 2 * scale - scale % 2;
  const Node c = b.node("GroupConvolutionBackpropData", "opset1", {b.in(0), in_groups(b, b.in(1), channels)});
  set_windows(c, {{kernel, kernel}, {scale, scale}, {pad, pad}, {1, 1}});
  c.set("output_padding", Ints{0, 0});
  return c.out_port();
}

static Ports up_sampling(Build& b, const SourceNode& n) {
  const Ints scales = ints_of(n, "scale");
  require(scales.size() == 1 && scales[0] > 0 && scales[0] <= 1024, "attribute 'scale' is ", scales,
          "; expected a number");
  const auto type = n.native<std::string>("sample_type");
  require(type == "nearest" || type == "bilinear", "attribute 'sample_type' is '", type,
          "'; expected nearest or bilinear");
  if (type == "bilinear") return {bilinear(b, n, scales[0])};
  return {n.in_count() == 1 ? enlarged(b, b.in(0), scales[0]) : of_several(b, n, scales[0])};
}

}  // namespace up_sampling

void register_up_sampling(Registry& r) {
  convert<up_sampling::up_sampling>(
      r, "UpSampling", "UpSampling(x, ...)",
      "Interpolate(x), Concat(Interpolate(x), ...) or GroupConvolutionBackpropData(x, weights)");
}

}  // namespace mo::mxnet
