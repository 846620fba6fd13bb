// Convolutions and transposed ones, and windows as columns. Data may come without the dimension of the batch.
#include "support/values.hpp"

namespace mo::pytorch {

namespace convolution {

struct Windows {
  size_t spatial = 0;
  Ints strides, dilations, begin, end;
};

static OutPort with_bias(const Call& c, const OutPort& y, size_t spatial) {
  const OutPort bias = c.find_tensor("bias");
  if (!bias) return y;
  Ints shape(spatial + 2, 1);
  shape[1] = -1;
  return c.b.add(y, c.b.reshape(bias, shape));
}

// With one more dimension, in which the groups stand.
static OutPort grouped(const Call& c, const OutPort& weights, int64_t groups) {
  const OutPort shape = c.b.concat({c.b.list({groups, -1}), c.b.part(c.b.shape_of(weights), 1, INT64_MAX)});
  const auto known = c.known(shape);
  return known ? c.b.reshape(weights, *known) : c.b.reshape(weights, shape);
}

static Windows windows_of(const Call& c) {
  Windows w;
  const OutPort weights = c.tensor("weight");
  const size_t rank = c.rank(weights);
  require(rank >= 3, "its weights have ", rank, " dimensions, expected 3 or more");
  w.spatial = rank - 2;
  w.strides = c.spatial("stride", w.spatial, 1);
  w.dilations = c.spatial("dilation", w.spatial, 1);
  const auto stated = c.node.find_native<mo_value>("padding");
  if (!stated || stated->kind != MO_VALUE_STRING) {
    w.begin = w.end = c.spatial("padding", w.spatial, 0);
    return w;
  }
  const auto how = c.word("padding");
  require(how == "same" || how == "valid", "argument 'padding' is '", how, "', expected same or valid");
  w.begin = w.end = Ints(w.spatial, 0);
  for (size_t i = 0; how == "same" && i < w.spatial; ++i) {
    const int64_t total = w.dilations[i] * (c.dim(weights, static_cast<int64_t>(i) + 2) - 1);
    w.begin[i] = total / 2;
    w.end[i] = total - total / 2;
  }
  return w;
}

static Ports convolved(const Call& c, bool transposed) {
  const Windows w = windows_of(c);
  const auto groups = c.integer("groups", 1);
  require(groups > 0, "argument 'groups' is ", groups, ", expected at least 1");
  OutPort x = c.tensor("input"), weights = c.tensor("weight");
  const bool single = c.rank(x) == w.spatial + 1;
  if (single) x = c.b.unsqueeze(x, c.b.list({0}));
  if (groups != 1) weights = grouped(c, weights, groups);
  const char* type = transposed ? (groups == 1 ? "ConvolutionBackpropData" : "GroupConvolutionBackpropData")
                                : (groups == 1 ? "Convolution" : "GroupConvolution");
  const Node n = c.b.node(type, "opset1", {x, weights});
  n.set("strides", w.strides).set("dilations", w.dilations);
  n.set("pads_begin", w.begin).set("pads_end", w.end).set("auto_pad", "explicit");
  if (transposed) n.set("output_padding", c.spatial("output_padding", w.spatial, 0));
  const OutPort y = with_bias(c, n.out_port(), w.spatial);
  return {single ? c.b.squeeze(y, {0}) : y};
}
static Ports forward(const Call& c) { return convolved(c, false); }
static Ports backward(const Call& c) { return convolved(c, true); }
// Time, batch, channels.
static Ports over_time(const Call& c) {
  const OutPort x = c.b.transpose(c.tensor("self"), {1, 2, 0}),
                w = c.b.transpose(c.tensor("weight"), {2, 1, 0});
  const Node n = c.b.node("Convolution", "opset1", {x, w});
  const auto pad = c.integer("pad", 0);
  n.set("strides", Ints{1}).set("dilations", Ints{1}).set("pads_begin", Ints{pad}).set("pads_end", Ints{pad});
  n.set("auto_pad", "explicit");
  return {c.b.add(c.b.transpose(n.out_port(), {2, 0, 1}), c.tensor("bias"))};
}
static Ports either(const Call& c) { return convolved(c, c.flag("transposed", false)); }

// Places of the elements that one dimension of all windows reads: [kernel, windows].
static OutPort window_places(const Call& c, const OutPort& size, int64_t kernel, int64_t stride,
                             int64_t dilation, int64_t pad) {
  const OutPort last = c.b.add(size, c.b.integer(2 * pad - dilation * (kernel - 1)));
  const OutPort starts = c.b.range(c.b.integer(0), last, stride);
  const OutPort within = c.b.multiply(count_to(c, c.b.integer(kernel)), c.b.integer(dilation));
  return c.b.add(c.b.unsqueeze(within, c.b.list({1})), starts);
}

// Each window as a column: [N, C * kernel, windows].
static Ports to_columns(const Call& c) {
  OutPort x = c.tensor("self");
  const bool single = c.rank(x) == 3;
  if (single) x = c.b.unsqueeze(x, c.b.list({0}));
  const Ints kernel = c.spatial("kernel_size", 2, 1), stride = c.spatial("stride", 2, 1),
             dilation = c.spatial("dilation", 2, 1), pad = c.spatial("padding", 2, 0);
  const Ints around{0, 0, pad[0], pad[1]};
  const OutPort padded = pad == Ints{0, 0} ? x : c.b.pad(x, c.b.list(around), c.b.list(around), c.like(x, 0));
  const OutPort rows = window_places(c, size_of(c, x, 2), kernel[0], stride[0], dilation[0], pad[0]);
  const OutPort columns = window_places(c, size_of(c, x, 3), kernel[1], stride[1], dilation[1], pad[1]);
  // [N, C, kh, lh, W] and [N, C, kh, lh, kw, lw]
  const OutPort all = gather(c, gather(c, padded, rows, 2), columns, 4);
  const OutPort ordered = c.b.transpose(all, {0, 1, 2, 4, 3, 5}), shape = c.b.shape_of(ordered);
  const auto product = [&](int64_t from, int64_t to) {
    return c.b.reduce("ReduceProd", c.b.part(shape, from, to), c.b.list({0}), true);
  };
  const OutPort y = c.b.reshape(ordered, c.b.concat({c.b.part(shape, 0, 1), product(1, 4), product(4, 6)}));
  return {single ? c.b.squeeze(y, {0}) : y};
}

static Ports from_columns(const Call& c) {
  const OutPort x = c.tensor("self");
  const Node n = c.b.node("Col2Im", "opset15", {x, c.sizes("output_size"), c.sizes("kernel_size")});
  const Ints pad = c.spatial("padding", 2, 0);
  n.set("strides", c.spatial("stride", 2, 1)).set("dilations", c.spatial("dilation", 2, 1));
  return {n.set("pads_begin", pad).set("pads_end", pad).out_port()};
}

}  // namespace convolution

void register_convolution(Registry& r) {
  using namespace convolution;
  convert<forward>(r,
                   "aten.conv2d.default aten.conv2d.padding aten.conv1d.default aten.conv1d.padding "
                   "aten.conv3d.default aten.conv3d.padding",
                   "conv2d(x, weight, bias)",
                   "Add(Convolution(x, weight), Reshape(bias)); with groups GroupConvolution");
  convert<backward>(
      r, "aten.conv_transpose2d.input aten.conv_transpose1d.default aten.conv_transpose3d.input",
      "conv_transpose2d(x, weight, bias)",
      "Add(ConvolutionBackpropData(x, weight), Reshape(bias)); with groups GroupConvolutionBackpropData");
  convert<either>(r, "aten.convolution.default aten._convolution.default", "convolution(x, weight, bias)",
                  "Add(Convolution or ConvolutionBackpropData(x, weight), Reshape(bias))");
  convert<to_columns>(r, "aten.im2col.default", "im2col(x)",
                      "Reshape(Transpose(Gather(Gather(x, rows), columns)))");
  convert<over_time>(r, "aten.conv_tbc.default", "conv_tbc(x, weight, bias, pad)",
                     "Add(Transpose(Convolution(Transpose(x), Transpose(weight))), bias)");
  convert<from_columns>(r, "aten.col2im.default", "col2im(x)", "Col2Im-15(x)");
}

}  // namespace mo::pytorch
