// Tensors that are divided by their root mean square, which releases from 2023.3 on have an operation for.
#pragma once

#include "support/expressions.hpp"
#include "support/target.hpp"

namespace mo::builtin_passes {

struct RmsNormalization {
  OutPort x;
  Node quotient;  // x / root, or x times its reciprocal
  OutPort root;   // Sqrt(ReduceMean(x * x) + a number) over the last dimension, which stays
  Node square;    // Multiply(x, x) or Power(x, 2)
};

// What the port is, in all the ways to write it.
std::optional<RmsNormalization> rms_normalization(const OutPort&);

// The releases that files are for compute one as one operation, with the weights right behind it.
inline bool has_rms_operation(Context c) { return !targets_up_to(c, "2023.2"); }

}  // namespace mo::builtin_passes
