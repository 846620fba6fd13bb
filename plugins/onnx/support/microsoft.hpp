// What the operators of com.microsoft share.
#pragma once

#include "support/build.hpp"

namespace mo::onnx::ms {

inline constexpr std::string_view domain = "com.microsoft";

OutPort gather(const Build& b, const OutPort& x, const OutPort& indices, int64_t axis,
               int64_t batch_dims = 0);
// Parts of equal size.
Ports split(const Build& b, const OutPort& x, int64_t axis, uint32_t count);
// Parts of these sizes, a list of so many elements; one may be -1.
Ports split(const Build& b, const OutPort& x, int64_t axis, const OutPort& sizes, uint32_t count);
// Channels behind the others, and back; the rank is that of `x`, or `rank` when it is not known.
OutPort channels_first(const Build& b, const OutPort& x, size_t rank = 4);
OutPort channels_last(const Build& b, const OutPort& x, size_t rank = 4);

// Input i, when there is one.
OutPort optional(const Build& b, size_t i);
// x + input i, when there is one.
OutPort plus_input(const Build& b, const OutPort& x, size_t i);

OutPort gelu(const Build& b, const OutPort& x, bool tanh);
// x * sigmoid(x)
OutPort silu(const Build& b, const OutPort& x);
// What the attribute `activation` says, with numbers in the order of ONNX's attributes; "": x as it is.
OutPort activated(const Build& b, const OutPort& x, std::string_view activation,
                  const std::vector<double>& numbers);

struct Normalized {
  OutPort y, mean, inverse;  // the reciprocal of the deviation; both as asked for
};
// Over the dimensions from `axis` on. Types are those of input 0; half floats are computed as f32.
Normalized layer_norm(const Build& b, const OutPort& x, const OutPort& scale, const OutPort& shift,
                      double epsilon, bool wants_statistics, int64_t axis = -1);
Normalized rms_norm(const Build& b, const OutPort& x, const OutPort& scale, double epsilon,
                    bool wants_statistics, int64_t axis = -1);

}  // namespace mo::onnx::ms
