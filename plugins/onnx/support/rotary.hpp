// Rotary position embedding: pairs of numbers of a head are turned by an angle that grows with the position.
#pragma once

#include "support/microsoft.hpp"

namespace mo::onnx::ms {

struct Rotary {
  OutPort cosines, sines;  // [positions, pairs]; without `positions` [batch, length, pairs]
  OutPort positions;       // [length] or [batch, length], i64
  bool interleaved = false;
  bool whole = false;  // all of a head is turned; else what the tables do not reach stays as it is
};
// x is [batch, heads, length, size].
OutPort rotated(const Build& b, const OutPort& x, const Rotary& r);

}  // namespace mo::onnx::ms
