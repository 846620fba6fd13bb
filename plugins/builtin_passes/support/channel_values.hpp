// Constants with one number for all of a tensor, or one for each of its channels.
#pragma once

#include <mo/sdk.hpp>

namespace mo::builtin_passes {

// One number, or as many as there are channels.
using ChannelValues = std::vector<double>;

// What a constant operand is along dimension `axis` of a result of `rank` dimensions; nothing when it changes
// along another one.
std::optional<ChannelValues> channel_values(const OutPort& operand, size_t rank, size_t axis);

// Element by element; one number goes with any.
template <class F>
std::optional<ChannelValues> combined(const ChannelValues& a, const ChannelValues& b, F f) {
  if (a.size() != b.size() && a.size() != 1 && b.size() != 1) return std::nullopt;
  ChannelValues result(std::max(a.size(), b.size()));
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = f(a[a.size() == 1 ? 0 : i], b[b.size() == 1 ? 0 : i]);
  return result;
}

bool are_all(const ChannelValues&, double);

}  // namespace mo::builtin_passes
