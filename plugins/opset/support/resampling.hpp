// Resampling of a tensor along its axes: which elements each element of the result is made of.
#pragma once

#include "support/floats.hpp"

namespace mo::opset::resampling {

enum class Mode { nearest, linear, linear_onnx, cubic, bilinear_pillow, bicubic_pillow };
enum class Transform { half_pixel, pytorch_half_pixel, asymmetric, tf_half_pixel_for_nn, align_corners };
enum class Nearest { round_prefer_floor, round_prefer_ceil, floor, ceil, simple };

struct Settings {
  Mode mode = Mode::nearest;
  Transform transform = Transform::half_pixel;
  Nearest nearest = Nearest::round_prefer_floor;
  bool antialias = false;
  double cube_coeff = -0.75;
};

// An axis with pads of zeros, and what becomes of it.
struct Axis {
  int64_t size = 0, begin = 0, end = 0;
  bool resized = false;
  int64_t target = 0;
  float scale = 1;
  int64_t padded() const { return size + begin + end; }
};

// The axes of `in` with their pads, none of them resized yet.
std::vector<Axis> padded_axes(const Tensor& in, const Dims& begin, const Dims& end);
// To `target` elements; the scale follows.
void resize(Axis& a, int64_t target);

// `in` with all its axes resampled.
Tensor resampled(const EvalContext& c, const Tensor& in, const std::vector<Axis>& axes, const Settings& s);

}  // namespace mo::opset::resampling
