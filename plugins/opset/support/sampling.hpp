// Feature maps [N, C, H, W] read at places between their elements, for pictures of regions.
#pragma once

#include "support/floats.hpp"

#include <array>

namespace mo::opset {

// The four elements around a place and their weights: a place up to one element outside counts as the edge,
// one further out as nothing.
struct BilinearTap {
  std::array<size_t, 4> at{};  // in the plane
  std::array<double, 4> weight{};
};
inline BilinearTap bilinear_tap(double y, double x, int64_t height, int64_t width) {
  BilinearTap t;
  if (!(y >= -1 && y <= static_cast<double>(height) && x >= -1 && x <= static_cast<double>(width))) return t;
  const auto side = [](double v, int64_t size) {
    v = std::max(v, 0.0);
    const int64_t low = std::min(static_cast<int64_t>(v), size - 1);
    const double part = low >= size - 1 ? 0 : v - static_cast<double>(low);
    return std::tuple(static_cast<size_t>(low), static_cast<size_t>(std::min(low + 1, size - 1)), part);
  };
  const auto [y0, y1, py] = side(y, height);
  const auto [x0, x1, px] = side(x, width);
  const auto w = static_cast<size_t>(width);
  t.at = {y0 * w + x0, y0 * w + x1, y1 * w + x0, y1 * w + x1};
  t.weight = {(1 - py) * (1 - px), (1 - py) * px, py * (1 - px), py * px};
  return t;
}

// A region of a map: its upper left corner and size seen from a center, around which it is turned.
struct Region {
  double x, y, width, height;
  double center_x = 0, center_y = 0, cosine = 1, sine = 0;
};
struct RegionGrid {
  int64_t height, width, ratio;  // bins; samples of a bin along each axis, 0 for one each element
  bool greatest = false;         // of the weighted elements, instead of the mean of the samples
};

// The picture of a region: write(channel, bin, value); `map` is one of the batch.
template <class T, class Write>
void region_picture(const T* map, const std::array<int64_t, 3>& map_dims, const Region& r,
                    const RegionGrid& g, Write write) {
  const auto [channels, height, width] = map_dims;
  if (height == 0 || width == 0) return;
  const double bin_h = r.height / static_cast<double>(g.height),
               bin_w = r.width / static_cast<double>(g.width);
  constexpr int64_t many = int64_t{1} << 40;
  const int64_t ny = g.ratio > 0 ? g.ratio : clamped_index(std::ceil(bin_h), 0, many);
  const int64_t nx = g.ratio > 0 ? g.ratio : clamped_index(std::ceil(bin_w), 0, many);
  limit_work({g.height, g.width, ny, nx, 2 + channels});
  limit_work({ny, nx, int64_t{1} << 13});  // they are kept
  std::vector<BilinearTap> taps;
  for (int64_t i = 0; i < g.height; ++i)
    for (int64_t j = 0; j < g.width; ++j) {
      taps.clear();
      for (int64_t k = 0; k < ny; ++k)
        for (int64_t l = 0; l < nx; ++l) {
          const auto part = [](double start, double bin, int64_t n, int64_t of, int64_t all) {
            return start + static_cast<double>(n) * bin +
                   (static_cast<double>(of) + 0.5) * (bin / static_cast<double>(all));
          };
          const double y = part(r.y, bin_h, i, k, ny), x = part(r.x, bin_w, j, l, nx);
          taps.push_back(bilinear_tap(y * r.cosine + x * r.sine + r.center_y,
                                      x * r.cosine - y * r.sine + r.center_x, height, width));
        }
      for (int64_t ch = 0; ch < channels; ++ch) {
        const T* const plane = map + ch * height * width;
        double value = 0;
        for (const BilinearTap& t : taps)
          for (size_t n = 0; n < 4; ++n) {
            const double v = static_cast<double>(plane[t.at[n]]) * t.weight[n];
            value = g.greatest ? std::max(value, v) : value + v;
          }
        if (!g.greatest && !taps.empty()) value /= static_cast<double>(taps.size());
        write(ch, i * g.width + j, value);
      }
    }
}

// The number of a picture of a batch; error when there is none.
inline size_t batch_index(double v, int64_t batches) {
  require(v > -1 && v < static_cast<double>(batches), "a region is of picture ", v, " of ", batches);
  return static_cast<size_t>(v);
}

}  // namespace mo::opset
