// Constants of types that the IR does not have.
#pragma once

#include "loader/messages.hpp"

namespace mo::onnx {

// The numbers that `codes`, u8 for floats and u2 for integers of two bits, stand for: f16, or i4.
Tensor held_numbers(Context c, const Tensor& codes, Held type);

}  // namespace mo::onnx
