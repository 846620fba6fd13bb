// Codes of Reshape: 0 keeps a dimension, -1 follows from the others, -2 keeps all that are left, -3
// multiplies two, -4 splits one into the next two numbers. With `reverse` dimensions are counted from the
// last.
#pragma once

#include <mo/build.hpp>

namespace mo::mxnet {

// A dimension of the result: a number, or the product of dimensions begin to end of what is read, divided.
struct ReshapeItem {
  int64_t number = 0;  // -1: it follows from the others
  size_t begin = 0, end = 0;
  int64_t divisor = 1;
  bool copies() const { return end == begin + 1 && divisor == 1; }
};

// Errors name attribute 'shape'.
std::vector<ReshapeItem> reshape_items(const Ints& codes, size_t rank, bool reverse);

}  // namespace mo::mxnet
