// Attributes of operators that move a window over spatial dimensions.
#pragma once

#include <mo/sdk.hpp>

namespace mo::onnx {

using Ints = std::vector<int64_t>;

struct Windows {
  Ints kernel, strides, dilations, pads_begin, pads_end;
  std::string auto_pad;  // as the IR has it
  std::string rounding;  // "floor", "ceil", or "ceil_torch" where the former could give one window more
};

// Spatial dimensions by the lists a node has: kernel_shape, strides, dilations, pads; 0 when it has none.
size_t spatial_rank(const SourceNode& n);
// All lists for `rank` spatial dimensions; 0: as many as the attributes have. Errors: lists that do not fit.
Windows read_windows(const SourceNode& n, size_t rank = 0);
bool is_dilated(const Windows& w);
bool is_padded(const Windows& w);
// The attributes of pooling operations.
void set_windows(const Node& n, const Windows& w);
// The attributes of convolutions.
void set_strides_and_pads(const Node& n, const Windows& w);

}  // namespace mo::onnx
