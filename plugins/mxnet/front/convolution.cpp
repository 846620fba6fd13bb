// Convolution and Deconvolution, each in groups or not. Weights of a layout with the channels last have them
// last, too.
#include "support/registering.hpp"
#include "support/windows.hpp"

namespace mo::mxnet {

namespace convolving {

static OutPort weights(const Build& b, size_t rank, bool channels_last, int64_t groups) {
  OutPort w = b.in(1);
  const Shape s = shape_of(b, w);
  require(!s.has_rank() || s.size() == rank, "its weights have shape ", s, "; expected ", rank,
          " dimensions");
  if (channels_last) w = b.channels_first(w, static_cast<int64_t>(rank));
  return groups == 1 ? w : in_groups(b, w, groups);
}

static Ports forward(Build& b, const SourceNode& n) {
  const size_t spatial = spatial_rank(n);
  const Windows w = read_windows(n, spatial);
  const bool last = is_channels_last(n);
  const int64_t groups = groups_of(n);
  return {with_channels_first(b, b.in(0), spatial + 2, last, [&](const OutPort& x) {
    const Node c = b.node(groups == 1 ? "Convolution" : "GroupConvolution", "opset1",
                          {x, weights(b, spatial + 2, last, groups)});
    set_windows(c, w);
    return with_bias(b, n, c.out_port(), 2, false);
  })};
}

// The size of the output wins over pads: what is too much is cut off, an odd rest at the beginning.
static void fit_target(const Build& b, const Windows& w, const Ints& target, const OutPort& x, Ints& begin,
                       Ints& end) {
  for (size_t i = 0; i < target.size(); ++i) {
    const int64_t reach = w.strides[i] * (dim_of(b, x, i + 2) - 1) + (w.kernel[i] - 1) * w.dilations[i] + 1;
    require(target[i] > 0 && target[i] <= reach, "attribute 'target_shape' is ", target, ", but at most ",
            reach, " fit in spatial dimension ", i);
    const int64_t extra = reach - target[i];
    begin[i] = (extra + 1) / 2;
    end[i] = extra - begin[i];
  }
}

static Ports backward(Build& b, const SourceNode& n) {
  const size_t spatial = spatial_rank(n);
  const Windows w = read_windows(n, spatial);
  const bool last = is_channels_last(n);
  const int64_t groups = groups_of(n);
  const Ints target = spatial_of(n, "target_shape", spatial, 0, 0);
  const bool has_target = std::any_of(target.begin(), target.end(), [](int64_t t) { return t != 0; });
  return {with_channels_first(b, b.in(0), spatial + 2, last, [&](const OutPort& x) {
    Ints begin = w.pads, end = w.pads, adjusted = spatial_of(n, "adj", spatial, 0, 0);
    if (has_target) {
      fit_target(b, w, target, x, begin, end);
      adjusted.assign(spatial, 0);
    }
    const Node c = b.node(groups == 1 ? "ConvolutionBackpropData" : "GroupConvolutionBackpropData", "opset1",
                          {x, weights(b, spatial + 2, last, groups)});
    set_windows(c, w);
    c.set("pads_begin", begin).set("pads_end", end).set("output_padding", adjusted);
    return with_bias(b, n, c.out_port(), 2, true);
  })};
}

}  // namespace convolving

void register_convolution(Registry& r) {
  convert<convolving::forward>(r, "Convolution Convolution_v1 _npx_convolution",
                               "Convolution(x, weights, bias)", "Add(Convolution(x, weights), bias)");
  convert<convolving::backward>(r, "Deconvolution _npx_deconvolution", "Deconvolution(x, weights, bias)",
                                "Add(ConvolutionBackpropData(x, weights), bias)");
}

}  // namespace mo::mxnet
