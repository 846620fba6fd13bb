// FakeQuantize with constant limits.
#pragma once

#include "support/channel_values.hpp"

namespace mo::builtin_passes {

struct QuantizeLimits {
  ChannelValues in_low, in_high, out_low, out_high;
  std::optional<size_t> axis;  // of channels, where there is more than one number
};

// Nothing when a limit is no constant or changes along another axis than the others, or `axis`.
std::optional<QuantizeLimits> quantize_limits(const Node&, std::optional<size_t> axis = std::nullopt);

// Limits that `n` takes from now on, in the type of its data.
void set_quantize_limits(const Node& n, const QuantizeLimits&);

}  // namespace mo::builtin_passes
