// Floats without a zero of each sign, which the IR does not have: f16 that is rounded as they are.
#pragma once

#include "loader/schema.hpp"
#include "support/build.hpp"

namespace mo::onnx {

constexpr bool is_fnuz(Held type) { return type == Held::float8e4m3fnuz || type == Held::float8e5m2fnuz; }
// The nearest number of `type`, of two the even one. What is too large becomes the greatest number, or NaN.
OutPort to_fnuz(const Build& b, const OutPort& x, Held type, bool saturate);

}  // namespace mo::onnx
