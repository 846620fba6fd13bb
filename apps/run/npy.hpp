// Tensors as files of NumPy.
#pragma once

#include "core/graph/tensor.hpp"

namespace mo::app {

// Booleans, numbers, and strings ("S" and "U"), in C order, little-endian; the elements of numbers are not
// copied. Throws Failure (Exit::usage) naming the file and what is wrong with it.
core::TensorRef read_npy(const std::string& path);

// The content of such a file. Types that NumPy lacks become the next larger one: bf16 float32, i4 int8.
// Throws mo::Error for types that have none.
std::string to_npy(const core::TensorRef&);

}  // namespace mo::app
