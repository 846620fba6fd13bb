// Constants that are equal.
#pragma once

#include <mo/sdk.hpp>

namespace mo::builtin_passes {

// Equal ones have equal numbers: made of type, dimensions, and bytes from several places.
uint64_t sketch_of(Context, const Tensor&);
bool equal_constants(Context, const Tensor&, const Tensor&);

}  // namespace mo::builtin_passes
