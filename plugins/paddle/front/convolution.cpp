// Convolutions of all kinds.
#include "support/windows.hpp"

#include <mo/extract.hpp>

namespace mo::paddle {

namespace convolving {

// Those of weights stand behind two others.
static Ints kernel_of(const Op& o, const OutPort& weights) {
  Ints kernel;
  for (int64_t i = 2; i < o.rank(weights); ++i) kernel.push_back(o.dim_of(weights, i));
  return kernel;
}

static OutPort in_groups(const Op& o, const OutPort& weights, int64_t groups) {
  if (groups == 1) return weights;
  const int64_t first = o.dim_of(weights, 0);
  require(groups > 0 && first % groups == 0, "weights of ", o.shape(weights), " are no ", groups, " groups");
  Ints shape{groups, first / groups};
  for (int64_t i = 1; i < o.rank(weights); ++i) shape.push_back(o.dim_of(weights, i));
  return o.reshape(weights, shape);
}

static OutPort finished(const Op& o, OutPort y) {
  if (o.has("Bias")) {
    Ints place(static_cast<size_t>(o.rank(o.in("1 Filter"))), 1);
    place[1] = -1;
    y = o.add(y, o.reshape(o.in("Bias"), place));
  }
  require(!o.has("ResidualData"),
          "it is fused with what Paddle runs on one device; export the program without passes");
  const std::string activation = o.word("fuse_activation", "");
  if (o.flag("fuse_relu", false) || activation == "relu") return o.op1("ReLU", {y});
  require(activation.empty(), "attribute 'fuse_activation' is '", activation, "', expected relu or nothing");
  return y;
}

static std::function<int64_t(size_t)> sizes(const Op& o, const OutPort& x) {
  return [&o, x](size_t i) { return o.dim_of(x, static_cast<int64_t>(i) + 2); };
}

static Ports forward(const Op& o) {
  const OutPort weights = o.in("1 Filter");
  const int64_t groups = o.integer("groups", 1);
  return {channels_first_of(o, o.in("0 Input"), is_channels_last(o), [&](const OutPort& x) {
    const Ints kernel = kernel_of(o, weights);
    const bool same = o.word("padding_algorithm", "EXPLICIT") == "SAME";
    Windows w = same ? Windows{kernel, per_dimension(o.ints("strides"), kernel.size(), 1, "strides"),
                               Ints(kernel.size(), 1), Ints(kernel.size(), 0), Ints(kernel.size(), 0)}
                     : read_windows(o, kernel, {});
    const Node c = o.node(groups == 1 ? "Convolution" : "GroupConvolution", "opset1",
                          {x, in_groups(o, weights, groups)});
    set_pads(c, w);
    c.set("dilations", w.dilations);
    if (same) c.set("auto_pad", "same_upper");
    return finished(o, c.out_port());
  })};
}

static Ports transposed(const Op& o) {
  const OutPort weights = o.in("1 Filter");
  const int64_t groups = o.integer("groups", 1);
  return {channels_first_of(o, o.in("0 Input"), is_channels_last(o), [&](const OutPort& x) {
    const Ints kernel = kernel_of(o, weights);
    const size_t n = kernel.size();
    const Windows w = read_windows(o, kernel, sizes(o, x));
    Ints more = per_dimension(o.ints("output_padding"), n, 0, "output_padding");
    const Ints wanted = o.fixed("2 OutputSizeTensor OutputSizeTensorList OutputSize", "output_size");
    if (!wanted.empty()) {
      const Ints size = per_dimension(wanted, n, 0, "output_size");
      for (size_t i = 0; i < n; ++i) {
        const int64_t least = (sizes(o, x)(i) - 1) * w.strides[i] - w.begin[i] - w.end[i] +
                              w.dilations[i] * (kernel[i] - 1) + 1;
        more[i] = size[i] - least;
        require(more[i] >= 0 && more[i] < std::max(w.strides[i], w.dilations[i]),
                "attribute 'output_size' is ", size, ", but dimension ", i, " is at least ", least);
      }
    }
    const Node c = o.node(groups == 1 ? "ConvolutionBackpropData" : "GroupConvolutionBackpropData", "opset1",
                          {x, in_groups(o, weights, groups)});
    set_pads(c, w);
    c.set("dilations", w.dilations).set("output_padding", more);
    return finished(o, c.out_port());
  })};
}

static Ports deformable(const Op& o) {
  const OutPort x = o.in("0 Input"), weights = o.in("2 Filter");
  const Windows w = read_windows(o, kernel_of(o, weights), {});
  Ports inputs{x, o.in("1 Offset"), weights};
  if (o.has("3 Mask")) inputs.push_back(o.in("3 Mask"));
  const Node c = o.node("DeformableConvolution", "opset8", inputs);
  set_pads(c, w);
  c.set("dilations", w.dilations).set("group", o.integer("groups", 1));
  c.set("deformable_group", o.integer("deformable_groups", 1)).set("bilinear_interpolation_pad", true);
  return {c.out_port()};
}

}  // namespace convolving

void register_convolution(Registry& r) {
  using namespace convolving;
  convert<forward>(r, "conv2d depthwise_conv2d conv3d", "conv2d(x, filter)", "Convolution(x, filter)");
  convert<transposed>(r, "conv2d_transpose depthwise_conv2d_transpose conv3d_transpose",
                      "conv2d_transpose(x, filter)", "ConvolutionBackpropData(x, filter)");
  convert<deformable>(r, "deformable_conv deformable_conv_v1", "deformable_conv(x, offset, filter, mask)",
                      "DeformableConvolution(x, offset, filter, mask)");
}

}  // namespace mo::paddle
