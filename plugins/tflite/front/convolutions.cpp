// Convolutions. TensorFlow Lite has the filters as [out, spatial…, in].
#include "support/windows.hpp"

namespace mo::tflite {

namespace convolving {

static OutPort convolved(const Build& b, const SourceNode& n, const OutPort& w, int64_t groups, size_t dims) {
  const auto rank = static_cast<int64_t>(dims) + 2;
  const Node c = b.node(groups == 1 ? "Convolution" : "GroupConvolution", "opset1",
                        {b.channels_first(b.in(0), rank), groups == 1 ? w : filters_in_groups(b, w, groups)});
  set_windows(c, n, dims, true);
  return finished(b, n, b.channels_last(c.out_port(), rank), 2);
}

// The gradient of a convolution for its input: (shape of the result, filters, data).
static OutPort transposed(const Build& b, const SourceNode& n, const OutPort& w, size_t dims, bool dilated) {
  const auto rank = static_cast<int64_t>(dims) + 2;
  OutPort spatial;
  if (const auto shape = b.ints(0)) {
    require(static_cast<int64_t>(shape->size()) == rank, "input 0, the shape of the result, is ", *shape,
            ", expected ", rank, " numbers");
    spatial = b.list(Ints(shape->begin() + 1, shape->end() - 1));
  } else {
    spatial = b.part(b.in(0), 1, rank - 1);
  }
  const Node c = b.node("ConvolutionBackpropData", "opset1", {b.channels_first(b.in(2), rank), w, spatial});
  set_windows(c, n, dims, dilated);
  if (!dilated) c.set("dilations", Ints(dims, 1));
  // What is cut off is shared the other way round: the odd one is at the end.
  if (n.native<std::string>("padding") == "SAME") c.set("auto_pad", "same_lower");
  c.set("output_padding", Ints(dims, 0));
  return b.channels_last(c.out_port(), rank);
}

}  // namespace convolving

// With filters for less channels than the data has, the channels are convolved in groups. Where the file
// states no shape there are none: what does not fit is found when shapes are computed.
static Ports convolution(Build& b, const SourceNode& n) {
  const int64_t of_filter = stated_dim(n, 1, 3),
                of_data = stated_shape(n, 0).has_rank() ? stated_dim(n, 0, 3) : of_filter;
  require(of_filter > 0 && of_data % of_filter == 0, "the data has ", of_data,
          " channels, but the filter is for ", of_filter);
  return {convolving::convolved(b, n, b.transpose(b.in(1), {0, 3, 1, 2}), of_data / of_filter, 2)};
}

// Filters [1, height, width, channels * multiplier]: a group for each channel.
static Ports depthwise_convolution(Build& b, const SourceNode& n) {
  const int64_t channels = stated_dim(n, 0, 3), out = stated_dim(n, 1, 3);
  require(channels > 0 && out % channels == 0, "the data has ", channels, " channels, but the filter ", out);
  const OutPort w = b.transpose(b.in(1), {3, 0, 1, 2});
  if (channels == 1) return {convolving::convolved(b, n, w, 1, 2)};
  const OutPort grouped =
      b.reshape(w, Ints{channels, out / channels, 1, stated_dim(n, 1, 1), stated_dim(n, 1, 2)});
  const Node c = b.node("GroupConvolution", "opset1", {b.channels_first(b.in(0), 4), grouped});
  set_windows(c, n, 2, true);
  return {finished(b, n, b.channels_last(c.out_port(), 4), 2)};
}

static Ports volume_convolution(Build& b, const SourceNode& n) {
  return {convolving::convolved(b, n, b.transpose(b.in(1), {4, 3, 0, 1, 2}), 1, 3)};
}

static Ports transposed_convolution(Build& b, const SourceNode& n) {
  return {finished(b, n, convolving::transposed(b, n, b.transpose(b.in(1), {3, 0, 1, 2}), 2, false), 3)};
}

static Ports transposed_volume_convolution(Build& b, const SourceNode& n) {
  return {finished(b, n, convolving::transposed(b, n, b.transpose(b.in(1), {4, 3, 0, 1, 2}), 3, true), 3)};
}

void register_convolutions(Registry& r) {
  replace<convolution>(r, {"CONV_2D", "CONV_2D(x, w, bias)", "activation(Add(Convolution(x, w), bias))"});
  replace<depthwise_convolution>(r, {"DEPTHWISE_CONV_2D", "DEPTHWISE_CONV_2D(x, w, bias)",
                                     "activation(Add(GroupConvolution(x, w), bias))"});
  replace<volume_convolution>(r,
                              {"CONV_3D", "CONV_3D(x, w, bias)", "activation(Add(Convolution(x, w), bias))"});
  const auto backwards = "activation(Add(ConvolutionBackpropData(x, w, spatial), bias))";
  replace<transposed_convolution>(r, {"TRANSPOSE_CONV", "TRANSPOSE_CONV(shape, w, x, bias)", backwards});
  replace<transposed_volume_convolution>(
      r, {"CONV_3D_TRANSPOSE", "CONV_3D_TRANSPOSE(shape, w, x, bias)", backwards});
}

}  // namespace mo::tflite
