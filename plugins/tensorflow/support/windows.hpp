// Attributes of operators that move a window over pictures and volumes.
#pragma once

#include "support/build.hpp"

namespace mo::tensorflow {

// Where the channels are: the last dimension, or the second one (NCHW, NCDHW).
struct Layout {
  bool channels_last = true;
  size_t spatial = 2;

  int64_t rank() const { return static_cast<int64_t>(spatial) + 2; }
  size_t channel_axis() const { return channels_last ? spatial + 1 : 1; }
  size_t first_spatial() const { return channels_last ? 1 : 2; }
};

// By attribute data_format, of 2 spatial dimensions when it is absent.
Layout read_layout(const SourceNode& n);
// x with the channels in second place, and the way back.
OutPort to_channels_first(const Build& b, const Layout& l, const OutPort& x);
OutPort from_channels_first(const Build& b, const Layout& l, const OutPort& x);
// A list for all dimensions: its spatial part. Batch and channels must have 1.
Ints spatial_part(const Layout& l, const Ints& all, std::string_view name);
Ints native_spatial_part(const SourceNode& n, const Layout& l, std::string_view name);

struct Padding {
  std::string auto_pad;  // as the IR has it
  Ints begin, end;
};
Padding read_padding(const SourceNode& n, const Layout& l);
void set_padding(const Node& n, const Padding& p);

}  // namespace mo::tensorflow
