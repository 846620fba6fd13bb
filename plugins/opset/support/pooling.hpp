// The values of pooling: for each place of a window the elements of the data that lie in it.
#pragma once

#include "support/buffers.hpp"
#include "support/convolving.hpp"
#include "support/movement.hpp"

namespace mo::opset {

// What a window sees in one spatial dimension at one place: elements start + k * dilation for first <= k <
// last.
struct PoolSpan {
  int64_t start, first, last;
  int64_t counted;  // how many lie in the data or its pads; more can be reached when sizes are rounded up
};

struct PoolPlan {
  Dims dims;  // of the result
  ConvolutionPlan::Spatial in{1, 1, 1}, dilation{1, 1, 1};
  std::array<std::vector<PoolSpan>, 3> spans;  // empty when the result is
  size_t planes = 0, places = 0;
  // The elements of a whole window where each mean that counts pads is of so many, also where rounding up
  // cuts the window; 0: of those that are there. The runtime looks at the pads of the first two spatial
  // dimensions.
  double whole = 0;
};

inline size_t plane_size(const PoolPlan& p) { return static_cast<size_t>(p.in[0] * p.in[1] * p.in[2]); }

// For one place calls f(index of the element in its plane), in the order of the elements.
template <class F>
void each_pooled(const PoolPlan& p, const PoolSpan& z, const PoolSpan& y, const PoolSpan& x, F f) {
  for (int64_t k = z.first; k < z.last; ++k)
    for (int64_t j = y.first; j < y.last; ++j) {
      const int64_t row =
          ((z.start + k * p.dilation[0]) * p.in[1] + y.start + j * p.dilation[1]) * p.in[2] + x.start;
      for (int64_t i = x.first; i < x.last; ++i) f(row + i * p.dilation[2]);
    }
}

// Calls f(place of the result, its spans) for all places of one plane.
template <class F>
void each_place(const PoolPlan& p, F f) {
  size_t place = 0;
  for (const PoolSpan& z : p.spans[0])
    for (const PoolSpan& y : p.spans[1])
      for (const PoolSpan& x : p.spans[2]) f(place++, z, y, x);
}

// The mean of each window. `exclude_pad`: of the elements of the data only; else pads count as zeros.
template <class E>
void average(const PoolPlan& p, const Numbers<E>& data, Results<E>& out, bool exclude_pad) {
  using T = typename E::computed;
  for (size_t plane = 0; plane < p.planes; ++plane) {
    const T* const from = data.data() + plane * plane_size(p);
    T* const to = out.data() + plane * p.places;
    each_place(p, [&](size_t place, const PoolSpan& z, const PoolSpan& y, const PoolSpan& x) {
      double sum = 0;
      each_pooled(p, z, y, x, [&](int64_t i) { sum += static_cast<double>(from[i]); });
      const int64_t seen = (z.last - z.first) * (y.last - y.first) * (x.last - x.first);
      const double count = exclude_pad    ? static_cast<double>(seen)
                           : p.whole != 0 ? p.whole
                                          : static_cast<double>(z.counted) * static_cast<double>(y.counted) *
                                                static_cast<double>(x.counted);
      const double mean = count == 0 ? 0 : sum / count;
      to[place] = static_cast<T>(E::is_float ? mean : std::nearbyint(mean));
    });
  }
}

// The greatest element of each window and, unless `index` is null, its place in the plane: index(place of the
// result, place in the data or -1 where there is nothing but padding).
template <class E, class Index>
void maxima(const PoolPlan& p, const Numbers<E>& data, Results<E>& out, Index index) {
  using T = typename E::computed;
  T none = std::numeric_limits<T>::lowest();
  if constexpr (E::is_float) none = -std::numeric_limits<T>::infinity();
  for (size_t plane = 0; plane < p.planes; ++plane) {
    const T* const from = data.data() + plane * plane_size(p);
    each_place(p, [&](size_t place, const PoolSpan& z, const PoolSpan& y, const PoolSpan& x) {
      T best = none;
      int64_t at = -1;
      each_pooled(p, z, y, x, [&](int64_t i) {
        if (at >= 0 && !(from[i] > best) && best == best) return;
        best = from[i];
        at = i;
      });
      out[plane * p.places + place] = best;
      index(plane, plane * p.places + place, at);
    });
  }
}

// Says what it takes to look at all that the windows see.
void spend(const EvalContext& c, const PoolPlan& p);

// A plan for windows of one size that slide, and one for as many places as the result shall have.
PoolPlan sliding_plan(const Dims& data, const Dims& kernel, const Window& w);
PoolPlan adaptive_plan(const Dims& data, const Dims& size);

}  // namespace mo::opset
