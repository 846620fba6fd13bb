// Convolution and Deconvolution, each in groups or not, of one blob or of several with the same weights.
#include "support/registering.hpp"

#include <cmath>

namespace mo::caffe {

namespace convolving {

struct Windows {
  Ints kernel, strides, pads, dilations;
};

// One number for all spatial dimensions, one for each, or those of height and width.
static Ints spatial(const SourceNode& l, std::string_view name, std::string_view stem, size_t n,
                    int64_t fallback) {
  const std::string p = "convolution_param.", h = text(p, stem, "_h"), w = text(p, stem, "_w");
  const Ints list = integers(l, text(p, name));
  if (is_set(l, h) || is_set(l, w)) {
    require(n == 2 && list.empty(), "'", stem, "_h' and '", stem, "_w' are for images, and in the place of '",
            name, "'");
    return {integer(l, h, fallback), integer(l, w, fallback)};
  }
  if (list.empty()) return Ints(n, fallback);
  require(list.size() == 1 || list.size() == n, "'", name, "' has ", list.size(), " numbers; expected 1 or ",
          n);
  return list.size() == n ? list : Ints(n, list.front());
}

static Windows windows(const SourceNode& l, size_t n) {
  Windows w{spatial(l, "kernel_size", "kernel", n, 0), spatial(l, "stride", "stride", n, 1),
            spatial(l, "pad", "pad", n, 0), spatial(l, "dilation", "dilation", n, 1)};
  for (const int64_t k : w.kernel) require(k > 0, "the size of its kernel is missing");
  return w;
}

static void set_windows(const Node& n, const Windows& w) {
  n.set("strides", w.strides).set("pads_begin", w.pads).set("pads_end", w.pads).set("dilations", w.dilations);
}

static Ints joined(Ints a, const Ints& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

static OutPort biased(const Build& b, const SourceNode& l, const OutPort& x, int64_t outputs, size_t n) {
  if (!flag(l, "convolution_param.bias_term", true)) return x;
  return b.add(x, b.constant(weights(l, 1, joined({1, outputs}, Ints(n, 1)))));
}

static int64_t product(const Ints& list) {
  int64_t p = 1;
  for (const int64_t v : list)
    require(!__builtin_mul_overflow(p, v, &p) && p <= INT32_MAX, "its kernel ", list, " is too large");
  return p;
}

// Channels that a group reads: by the weights or, without them, by what the layer reads.
static int64_t channels_of_group(const SourceNode& l, const OutPort& x, int64_t others, int64_t kernel,
                                 int64_t groups) {
  if (blob_count(l) == 0) return dim_of(x, 1) / groups;
  const auto count = static_cast<int64_t>(weights(l, 0).size());
  int64_t known = 0;
  require(!__builtin_mul_overflow(others, kernel, &known) && known > 0 && count % known == 0 && count > 0,
          "its weights of shape ", weights(l, 0).dims(), " do not fit num_output and the kernel");
  return count / known;
}

static size_t spatial_dims(const SourceNode& l) {
  const Shape s = shape_of(bottom(l, 0));
  if (s.has_rank()) {
    require(s.rank() >= 3 && s.rank() <= 5, "it reads a blob of shape ", s,
            "; expected 1 to 3 spatial dimensions");
    return s.size() - 2;
  }
  const size_t listed = integers(l, "convolution_param.kernel_size").size();
  return listed > 1 ? listed : 2;
}

static int64_t group_count(const SourceNode& l, int64_t outputs) {
  const int64_t groups = integer(l, "convolution_param.group", 1);
  require(groups > 0 && outputs % groups == 0, "group is ", groups, ", but num_output ", outputs);
  return groups;
}

static int64_t output_count(const SourceNode& l) {
  require(integer(l, "convolution_param.axis", 1) == 1, "axis is not 1, which is not supported");
  const int64_t outputs = integer(l, "convolution_param.num_output", 0);
  require(outputs > 0, "num_output is missing");
  return outputs;
}

static void check_pairs(const SourceNode& l) {
  require(l.out_count() == bottom_count(l), "it reads ", bottom_count(l), " blobs and gives ", l.out_count());
}

static Ports of_groups(const Build& b, const SourceNode& l, int64_t outputs, int64_t groups, size_t n) {
  const Windows w = windows(l, n);
  const int64_t channels = channels_of_group(l, bottom(l, 0), outputs, product(w.kernel), groups);
  const Ints dims = groups == 1 ? Ints{outputs, channels} : Ints{groups, outputs / groups, channels};
  const OutPort kernels = b.constant(weights(l, 0, joined(dims, w.kernel)));
  Ports ports;
  for (const OutPort& x : bottoms(l)) {
    const Node c = b.node(groups == 1 ? "Convolution" : "GroupConvolution", "opset1", {x, kernels});
    set_windows(c, w);
    ports.push_back(biased(b, l, c.out_port(), outputs, n));
  }
  return ports;
}

static Ports forward(Build& b, const SourceNode& l) {
  check_pairs(l);
  const int64_t outputs = output_count(l);
  return of_groups(b, l, outputs, group_count(l, outputs), spatial_dims(l));
}

// Some forks have a layer of its own for one group per channel.
static Ports depthwise(Build& b, const SourceNode& l) {
  check_pairs(l);
  const Shape s = shape_of(bottom(l, 0));
  const int64_t channels = s.has_rank() && s.size() > 1 && s[1].is_static() ? s[1].value() : 0;
  const int64_t outputs = integer(l, "convolution_param.num_output", channels);
  const int64_t groups =
      is_set(l, "convolution_param.group") ? integer(l, "convolution_param.group", 1) : channels;
  require(groups > 0 && outputs > 0 && outputs % groups == 0, "the number of its groups is not known");
  return of_groups(b, l, outputs, groups, spatial_dims(l));
}

// The filler of layers that make pictures larger, for those that were never trained.
static std::vector<float> bilinear(size_t planes, const Ints& kernel) {
  require(kernel.size() == 2 && kernel[0] == kernel[1], "a bilinear filler needs a square kernel");
  require(planes * static_cast<size_t>(kernel[0]) < (size_t{1} << 26) / static_cast<size_t>(kernel[0]),
          "a bilinear filler of ", planes, " kernels of ", kernel, " is too large");
  const int64_t k = kernel[0], f = (k + 1) / 2;
  const double center = static_cast<double>(2 * f - 1 - f % 2) / (2.0 * static_cast<double>(f));
  std::vector<float> values;
  for (size_t p = 0; p < planes; ++p)
    for (int64_t y = 0; y < k; ++y)
      for (int64_t x = 0; x < k; ++x)
        values.push_back(
            static_cast<float>((1 - std::abs(static_cast<double>(x) / static_cast<double>(f) - center)) *
                               (1 - std::abs(static_cast<double>(y) / static_cast<double>(f) - center))));
  return values;
}

static Ports backward(Build& b, const SourceNode& l) {
  check_pairs(l);
  const int64_t outputs = output_count(l), groups = group_count(l, outputs);
  const size_t n = spatial_dims(l);
  const Windows w = windows(l, n);
  const int64_t kernel = product(w.kernel);
  // Weights are [inputs, outputs of a group, kernel].
  const bool filled =
      blob_count(l) == 0 && word(l, "convolution_param.weight_filler.type", "constant") == "bilinear";
  const int64_t channels = blob_count(l) == 0
                               ? dim_of(bottom(l, 0), 1)
                               : channels_of_group(l, bottom(l, 0), outputs / groups, kernel, groups);
  require(channels % groups == 0, "group is ", groups, ", but it reads ", channels, " channels");
  const Ints dims = joined(
      groups == 1 ? Ints{channels, outputs} : Ints{groups, channels / groups, outputs / groups}, w.kernel);
  int64_t planes = 0;
  require(!__builtin_mul_overflow(channels, outputs / groups, &planes) && planes < (int64_t{1} << 24),
          "it has too many channels");
  const OutPort kernels = filled ? numbers(b, bilinear(static_cast<size_t>(planes), w.kernel), dims)
                                 : b.constant(weights(l, 0, dims));
  Ports ports;
  for (const OutPort& x : bottoms(l)) {
    const Node c = b.node(groups == 1 ? "ConvolutionBackpropData" : "GroupConvolutionBackpropData", "opset1",
                          {x, kernels});
    set_windows(c, w);
    ports.push_back(filled ? c.out_port() : biased(b, l, c.out_port(), outputs, n));
  }
  return ports;
}

}  // namespace convolving

void register_convolution(Registry& r) {
  convert<convolving::forward>(r, "Convolution ConvolutionBinary", "Convolution(x, weights, bias)",
                               "Add(Convolution(x, weights), bias); in groups GroupConvolution");
  convert<convolving::depthwise>(r, "ConvolutionDepthwise DepthwiseConvolution",
                                 "DepthwiseConvolution(x, weights, bias)",
                                 "Add(GroupConvolution(x, weights), bias)");
  convert<convolving::backward>(
      r, "Deconvolution", "Deconvolution(x, weights, bias)",
      "Add(ConvolutionBackpropData(x, weights), bias); in groups GroupConvolutionBackpropData");
}

}  // namespace mo::caffe
