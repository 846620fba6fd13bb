// The values of convolutions and transposed convolutions: matrix products of the filter with the elements
// that each place of the window sees.
#pragma once

#include "support/gemm.hpp"
#include "support/window.hpp"

#include <array>

namespace mo::opset {

// Sizes of one convolution. There are always three spatial dimensions, the first ones of size 1 where there
// are fewer.
struct ConvolutionPlan {
  using Spatial = std::array<int64_t, 3>;
  size_t batch = 0, groups = 1;
  size_t in_channels = 0, out_channels = 0;  // of one group
  Spatial in{1, 1, 1}, kernel{1, 1, 1}, out{1, 1, 1};
  Spatial stride{1, 1, 1}, dilation{1, 1, 1}, pad{0, 0, 0};  // pad: in front
};

// data [batch, groups * in_channels, in], filter [groups, out_channels, in_channels, kernel], out [batch,
// groups * out_channels, out]. T is any number.
template <class T>
void convolve(const Multiplier& multiply, const ConvolutionPlan& p, const T* data, const T* filter, T* out);

// The transposed one: filter [groups, in_channels, out_channels, kernel]; `out` must be all 0.
template <class T>
void convolve_back(const Multiplier& multiply, const ConvolutionPlan& p, const T* data, const T* filter,
                   T* out);

// Puts the spatial sizes of a window into a plan. `in` and `kernel` are the spatial dimensions.
void plan_window(ConvolutionPlan& p, const Window& w, const std::vector<int64_t>& in,
                 const std::vector<int64_t>& kernel, const std::vector<int64_t>& out,
                 const std::vector<int64_t>& pads_begin);

}  // namespace mo::opset
