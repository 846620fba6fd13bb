// The bytes of a list of arrays, of any release.
#pragma once

#include "loader/arrays.hpp"

namespace mo::mxnet {

// Names are views of `bytes`; arrays without elements of any kind ("none") are left out. Errors say at which
// byte and in which array.
std::vector<Array> read_arrays(std::string_view bytes);

}  // namespace mo::mxnet
