// Resizing as products with matrices of weights, for what Interpolate cannot express.
#pragma once

#include "support/build.hpp"

namespace mo::onnx {

struct Resampling {
  std::string mode;                   // "nearest", "linear" or "cubic"
  std::string coordinates;            // as ONNX calls them
  std::string nearest;                // nearest_mode
  double cubic = -0.75, outside = 0;  // cubic_coeff_a, extrapolation_value
  bool exclude_outside = false, antialias = false;
};

// One axis of x: scalars that say what becomes of it. `begin` and `end` are those of the region, for
// tf_crop_and_resize.
struct ResampledAxis {
  int64_t axis = 0;  // from the start
  bool last = false;
  OutPort size;   // i64, of the result
  OutPort scale;  // f32
  OutPort begin, end;
};

OutPort resample(const Build& b, const OutPort& x, const ResampledAxis& axis, const Resampling& how);

}  // namespace mo::onnx
