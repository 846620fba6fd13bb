// Windows that slide over spatial dimensions: convolutions and pooling.
#pragma once

#include "support/inference.hpp"

namespace mo::opset {

enum class AutoPad { explicit_pads, same_upper, same_lower, valid };
enum class Rounding { floor, ceil, ceil_torch };

struct Window {
  std::vector<int64_t> strides, dilations, pads_begin, pads_end;
  AutoPad auto_pad = AutoPad::explicit_pads;
  Rounding rounding = Rounding::floor;
};

// strides, dilations, pads_begin, pads_end, auto_pad, all required but the last.
void add_window_attrs(OpSchema& s, bool dilations = true);
AutoPad auto_pad_attr(const OpContext& c);
// Attributes for n spatial dimensions. Pads need not be there when auto_pad replaces them.
Window window_attrs(const OpContext& c, size_t n, bool dilations = true, int64_t least_pad = 0);

// How many places a window of `kernel` elements finds in spatial dimension i.
Dim window_places(const Window& w, size_t i, const Dim& in, const Dim& kernel);
// The pads that auto_pad stands for; of exact sizes.
std::pair<int64_t, int64_t> window_pads(const Window& w, size_t i, int64_t in, int64_t kernel);

}  // namespace mo::opset
