// --nd_prefix_name: arrays of two .nd files, laid over those of a network that was trained before.
#pragma once

#include "loader/arrays.hpp"

namespace mo::mxnet {

// Errors are those of the command line where an option or a file is missing.
Arrays merged_arrays(Context c);

}  // namespace mo::mxnet
