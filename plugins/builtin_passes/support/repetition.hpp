// Elements that are repeated next to one another, by a nearest Interpolate.
#pragma once

#include <mo/sdk.hpp>

namespace mo::builtin_passes {

// Dimensions whose factor is not 1.
std::vector<int64_t> repeated_axes(const std::vector<int64_t>& factors);

// An Interpolate that repeats the elements of `x` along each dimension as often as its factor says. Some
// factor is not 1; what it makes is found by the name.
Node repeat_elements(const Graph& g, const std::string& name, const OutPort& x,
                     const std::vector<int64_t>& factors);

}  // namespace mo::builtin_passes
