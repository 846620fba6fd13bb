// Windows of convolutions and pooling, and layouts.
#pragma once

#include "support/operator.hpp"

#include <functional>

namespace mo::paddle {

// Whether data_format has the channels behind.
bool is_channels_last(const Op& o);
// f of x with the second dimension for channels, whatever the layout.
OutPort channels_first_of(const Op& o, const OutPort& x, bool last,
                          const std::function<OutPort(const OutPort&)>& f);

// One number for each of `count` dimensions; a single one counts for all.
Ints per_dimension(const Ints& list, size_t count, int64_t fallback, std::string_view name);

struct Windows {
  Ints kernel, strides, dilations, begin, end;
};
// Pads as they are listed, or as padding_algorithm says; `sizes` are of the spatial dimensions of x, for SAME.
Windows read_windows(const Op& o, const Ints& kernel, const std::function<int64_t(size_t)>& size_of);
void set_pads(const Node& n, const Windows& w);

}  // namespace mo::paddle
