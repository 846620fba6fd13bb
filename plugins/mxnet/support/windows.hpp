// Attributes of operators that move a window over spatial dimensions, and the layout they are stated for.
#pragma once

#include "support/shapes.hpp"

namespace mo::mxnet {

struct Windows {
  Ints kernel, strides, pads, dilations;
};

// `count` spatial dimensions. Errors: a kernel that is missing, or lists that do not fit.
Windows read_windows(const SourceNode& n, size_t count);
// How many there are, by `kernel`.
size_t spatial_rank(const SourceNode& n);
void set_windows(const Node& n, const Windows& w);

// NHWC, NWC and NDHWC. Errors: a layout that is none of these and none with the channels first.
bool is_channels_last(const SourceNode& n);
// Works on x with the channels first, and gives the result in the layout of x.
template <class F>
OutPort with_channels_first(const Build& b, const OutPort& x, size_t rank, bool channels_last, F work) {
  if (!channels_last) return work(x);
  const auto r = static_cast<int64_t>(rank);
  return b.channels_last(work(b.channels_first(x, r)), r);
}

// [O, ...] with the first dimension in groups: [G, O/G, ...].
OutPort in_groups(const Build& b, const OutPort& weights, int64_t groups);
int64_t groups_of(const SourceNode& n);
// Channels [outputs * groups * groups] of places in `groups` rows and columns, for `pooled` of each: a place
// has the channels of the group that it lies in.
OutPort channels_of_places(const Build& b, const OutPort& x, int64_t outputs, int64_t groups, int64_t pooled);
// One number for each channel of a result with the channels first.
OutPort with_bias(const Build& b, const SourceNode& n, const OutPort& x, size_t input, bool left_out);

}  // namespace mo::mxnet
