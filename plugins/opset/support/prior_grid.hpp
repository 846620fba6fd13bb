// PriorBox and PriorBoxClustered: the result [2, 4 * height * width * boxes of a point], boxes above
// variances.
#pragma once

#include "support/floats.hpp"

namespace mo::opset::prior_grid {

// Output 0, of `boxes` around each point; inputs are [height, width] of the grid and of the picture.
void infer(const InferContext& c, int64_t boxes);

struct Sizes {
  double height, width;
};
Sizes sizes(const EvalContext& c, size_t input);

class Writer {
 public:
  Writer(const EvalContext& c, int64_t boxes);
  void add(std::array<double, 4> corners, bool clipped) {
    for (const double v : corners) out_[at_++] = static_cast<float>(clipped ? std::clamp(v, 0.0, 1.0) : v);
  }
  void finish();  // variances, and output 0

 private:
  const EvalContext& c_;
  Tensor tensor_;
  float* out_;
  size_t at_ = 0;
};

}  // namespace mo::opset::prior_grid
