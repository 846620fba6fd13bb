#include "support/windows.hpp"

namespace mo::mxnet {

size_t spatial_rank(const SourceNode& n) {
  const size_t count = ints_of(n, "kernel").size();
  require(count >= 1 && count <= 3, "attribute 'kernel' has ", count,
          " numbers; expected one for each of 1 to 3 spatial dimensions");
  return count;
}

Windows read_windows(const SourceNode& n, size_t count) {
  Windows w{spatial_of(n, "kernel", count, 0, 1), spatial_of(n, "stride", count, 1, 1),
            spatial_of(n, "pad", count, 0, 0), spatial_of(n, "dilate", count, 1, 1)};
  require(w.kernel.front() > 0, "attribute 'kernel' is missing");
  return w;
}

void set_windows(const Node& n, const Windows& w) {
  n.set("strides", w.strides).set("pads_begin", w.pads).set("pads_end", w.pads).set("dilations", w.dilations);
}

bool is_channels_last(const SourceNode& n) {
  const auto layout = n.native("layout", "");
  if (layout.empty() || layout == "NCW" || layout == "NCHW" || layout == "NCDHW") return false;
  require(layout == "NWC" || layout == "NHWC" || layout == "NDHWC", "attribute 'layout' is '", layout,
          "'; expected NCW, NCHW, NCDHW, NWC, NHWC or NDHWC");
  return true;
}

int64_t groups_of(const SourceNode& n) {
  const auto groups = n.native("num_group", 1);
  require(groups > 0, "attribute 'num_group' is ", groups, "; expected at least 1");
  return groups;
}

OutPort in_groups(const Build& b, const OutPort& weights, int64_t groups) {
  const Shape s = shape_of(b, weights);
  if (s.has_rank() && !s.empty() && s[0].is_static())
    require(s[0].value() % groups == 0, "weights of shape ", s, " cannot be split into ", groups, " groups");
  if (const auto value = weights.value()) {
    Ints dims = value->dims();
    dims[0] /= groups;
    dims.insert(dims.begin(), groups);
    return b.constant(value->reshaped(b.context(), dims));
  }
  return b.reshape(weights, b.concat({b.list({groups, -1}), b.part(b.shape_of(weights), 1, INT64_MAX)}));
}

OutPort channels_of_places(const Build& b, const OutPort& x, int64_t outputs, int64_t groups,
                           int64_t pooled) {
  constexpr int64_t most = 1 << 22;
  require(groups > 0 && groups <= 1024 && pooled > 0 && pooled <= 1024 && outputs > 0 &&
              outputs <= most / (std::max(groups, pooled) * std::max(groups, pooled)),
          "attributes 'group_size', 'pooled_size' and 'output_dim' are ", groups, ", ", pooled, " and ",
          outputs);
  if (groups == pooled) return x;
  Ints channels;
  for (int64_t o = 0; o < outputs; ++o)
    for (int64_t y = 0; y < pooled; ++y)
      for (int64_t at = 0; at < pooled; ++at)
        channels.push_back((o * groups + y * groups / pooled) * groups + at * groups / pooled);
  return b.op("Gather", "opset7", {x, b.list(channels), b.integer(1)});
}

OutPort with_bias(const Build& b, const SourceNode& n, const OutPort& x, size_t input, bool left_out) {
  if (n.native("no_bias", left_out) || !b.has(input)) return x;
  return b.add(x, along(b, b.in(input), 1, rank_of(b, x)));
}

}  // namespace mo::mxnet
