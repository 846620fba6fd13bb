// What becomes of numbers that are added to the data of an operation on weights.
#pragma once

#include "support/channel_values.hpp"
#include "support/weighted_operation.hpp"

namespace mo::builtin_passes {

// For each channel of `out`, the sum of the elements times `term` of their channel in `in`. Nothing for types
// that it cannot read.
std::optional<ChannelValues> weighted_sums(Context, const Tensor& weights, const ChannelView& in,
                                           const ChannelView& out, const ChannelValues& term);

}  // namespace mo::builtin_passes
