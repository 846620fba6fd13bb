// Between which numbers the elements of a tensor are, whatever the inputs of the model are.
#pragma once

#include <mo/sdk.hpp>

#include <limits>

namespace mo::builtin_passes {

struct ValueRange {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};

// What follows from the operations that make it and move it, as far as some of them back; NaN aside.
ValueRange value_range(const OutPort&);

}  // namespace mo::builtin_passes
