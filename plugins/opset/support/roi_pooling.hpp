// What ROIPooling, PSROIPooling and DeformablePSROIPooling have in common: data [N, C, H, W] and regions [R,
// 5], which are [picture, x0, y0, x1, y1].
#pragma once

#include "support/sampling.hpp"

namespace mo::opset::roi_pooling {

// Dimension 0 of the output; checks what all three have in common.
inline Dim regions(const InferContext& c) {
  require_float(c, 0);
  const Shape data = c.shape(0), rois = c.shape(1);
  require_rank(data, "the data", 4);
  require_rank(rois, "the regions", 2);
  positive_attr(c, "spatial_scale");
  if (rois.has_rank()) same_dim(rois[1], 5, "dimension 1 of the regions");
  return dim_at(rois, 0);
}

template <class T>
struct Plane {
  const T* data;
  int64_t height, width;
  double at(int64_t y, int64_t x) const { return static_cast<double>(data[y * width + x]); }
  // Between elements; y and x are within the plane.
  double between(double y, double x) const {
    const auto y0 = static_cast<int64_t>(std::floor(y)), x0 = static_cast<int64_t>(std::floor(x));
    const int64_t y1 = std::min(static_cast<int64_t>(std::ceil(y)), height - 1);
    const int64_t x1 = std::min(static_cast<int64_t>(std::ceil(x)), width - 1);
    const double py = y - static_cast<double>(y0), px = x - static_cast<double>(x0);
    const double top = at(y0, x0) + (at(y0, x1) - at(y0, x0)) * px;
    const double bottom = at(y1, x0) + (at(y1, x1) - at(y1, x0)) * px;
    return top + (bottom - top) * py;
  }
};

// Elements first to last-1 of one axis of a bin.
struct Run {
  int64_t first, last;
};

// Calls of_region(plane(channel), numbers of the region, write(index within its output, value)).
template <class OfRegion>
void evaluate(const EvalContext& c, const Dims& dims, OfRegion of_region) {
  const Tensor data = c.input(0);
  const auto rois = c.input(1).to_floats<float>();
  const auto out = create_grown(c, data.type(), dims, data.bytes());
  const int64_t h = data.dim(2), w = data.dim(3), one = dims[1] * dims[2] * dims[3];
  limit_work(c, {dims[0], dims[1], h + 2 * dims[2], w + 2 * dims[3]});
  with_float(data.type(), [&](auto zero) {
    using T = decltype(zero);
    const auto map = data.to_floats<T>();
    for (int64_t r = 0; r < dims[0] && h > 0 && w > 0; ++r) {
      const float* const roi = rois.data() + 5 * r;
      if (roi[0] < 0) continue;  // no region
      const auto first =
          static_cast<int64_t>(batch_index(static_cast<double>(roi[0]), data.dim(0))) * data.dim(1);
      const auto plane = [&](int64_t channel) {
        return Plane<T>{map.data() + (first + channel) * h * w, h, w};
      };
      of_region(plane, roi + 1, r, [&](int64_t i, double v) {
        store_number(out.second, data.type(), static_cast<size_t>(r * one + i), v);
      });
    }
  });
  c.output(0, out.first);
}

}  // namespace mo::opset::roi_pooling
