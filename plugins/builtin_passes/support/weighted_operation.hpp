// Convolutions and products of matrices as operations on data and weights, and where the channels of the
// weights are.
#pragma once

#include <mo/sdk.hpp>

namespace mo::builtin_passes {

// Elements as outer x a x middle x b x inner; their channel is i_a * b + i_b.
struct ChannelView {
  size_t outer = 1, a = 1, middle = 1, b = 1, inner = 1;

  size_t channels() const { return a * b; }
  size_t elements() const { return outer * a * middle * b * inner; }
  size_t channel_of(size_t element) const {
    const size_t second = element / inner % b;
    return element / (inner * b * middle) % a * b + second;
  }
  // As the SDK sees channels, which then may stand there several times: `list` gets the channel of each.
  ChannelsOf flat(std::vector<size_t>& list) const;
  // Dimensions of a list of one number per channel that goes with a tensor of `dims`; nothing when the
  // channels are in no such place there.
  std::optional<std::vector<int64_t>> list_dims(const std::vector<int64_t>& dims) const;
};

struct WeightedOperation {
  Node node;
  size_t data = 0, weights = 1;   // input ports
  std::optional<ChannelView> in;  // channels of the data, in the weights; nothing when they cannot be told
  std::optional<ChannelView> out;
  size_t in_axis = 0, out_axis = 0;  // the dimensions of data and result that these are
  bool pads = false;                 // what is added to all of the data is not the same for all results
};

// Weights may be any constant expression of a shape that is known. `weights_first`: in the first input of a
// MatMul.
std::optional<WeightedOperation> weighted_operation(const Node&, bool weights_first = false);

}  // namespace mo::builtin_passes
