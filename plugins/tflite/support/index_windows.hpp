// Windows of fixed size at places that a tensor of indices says: Gather and Scatter of StableHLO.
#pragma once

#include "support/build.hpp"

namespace mo::tflite {

bool contains(const Ints& list, int64_t v);
// An error when the numbers are not different ones below the limit.
void require_different(const Ints& list, int64_t limit, std::string_view attribute);

// Where each element of a window of these sizes is: [sizes…, number of sizes].
OutPort window_offsets(const Build& b, const Ints& sizes);
// Indices as [batch…, index]: their dimension `at` becomes the last one; the rank makes a new one.
OutPort index_last(const Build& b, const OutPort& indices, int64_t at, int64_t rank);
// Indices of all elements of the windows that start at these: [batch…, sizes…, index].
OutPort window_places(const Build& b, const OutPort& first, int64_t batch_rank, const Ints& sizes);

}  // namespace mo::tflite
