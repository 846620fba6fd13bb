// Constants that are equal.
#pragma once

#include <mo/sdk.hpp>

namespace mo::builtin_passes {

// Equal ones have equal numbers: made of type, dimensions, and bytes from several places.
uint64_t sketch_of(const Tensor&);
bool equal_constants(const Tensor&, const Tensor&);

}  // namespace mo::builtin_passes
