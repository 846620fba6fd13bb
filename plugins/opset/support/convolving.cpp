#include "support/convolving.hpp"

#include "support/wrapping.hpp"

#include <memory>

namespace mo::opset {

namespace {

using Spatial = ConvolutionPlan::Spatial;

size_t volume(const Spatial& s) { return static_cast<size_t>(s[0]) * static_cast<size_t>(s[1] * s[2]); }

// The places i with 0 <= i * stride + shift < size, out of 0 <= i < count.
struct Run {
  int64_t first, last;  // last: one behind
};
Run inside(int64_t stride, int64_t shift, int64_t size, int64_t count) {
  const auto ceil_of = [stride](int64_t v) { return v <= 0 ? 0 : (v - 1) / stride + 1; };
  const int64_t first = std::min(count, ceil_of(-shift));
  return {first, std::max(first, std::min(count, ceil_of(size - shift)))};
}

// Calls f(index of the kernel element, its three coordinates).
template <class F>
void each_kernel_element(const Spatial& kernel, F f) {
  size_t index = 0;
  for (int64_t z = 0; z < kernel[0]; ++z)
    for (int64_t y = 0; y < kernel[1]; ++y)
      for (int64_t x = 0; x < kernel[2]; ++x) f(index++, Spatial{z, y, x});
}

// Calls f(z, y, first x, number) for the rows of `grid` that elements first..last-1 of it lie in.
template <class F>
void each_row(const Spatial& grid, int64_t first, int64_t last, F f) {
  while (first < last) {
    const int64_t row = first / grid[2], x = first % grid[2], n = std::min(grid[2] - x, last - first);
    f(row / grid[1], row % grid[1], x, n);
    first += n;
  }
}

template <class T>
void multiply_add_row(T* to, const T* from, T by, int64_t n, int64_t step) {
  if (step == 1)
    for (int64_t i = 0; i < n; ++i) to[i] = wrapping::add(to[i], wrapping::multiply(from[i], by));
  else
    for (int64_t i = 0; i < n; ++i) to[i] = wrapping::add(to[i], wrapping::multiply(from[i * step], by));
}

// One channel of the data by one of the filter, added to one of the result.
template <class T>
void convolve_channel(const ConvolutionPlan& p, const T* data, const T* filter, T* out) {
  each_kernel_element(p.kernel, [&](size_t index, const Spatial& at) {
    Spatial shift;
    for (size_t i = 0; i < 3; ++i) shift[i] = at[i] * p.dilation[i] - p.pad[i];
    const Run z = inside(p.stride[0], shift[0], p.in[0], p.out[0]);
    const Run y = inside(p.stride[1], shift[1], p.in[1], p.out[1]);
    const Run x = inside(p.stride[2], shift[2], p.in[2], p.out[2]);
    if (x.first == x.last) return;
    for (int64_t oz = z.first; oz < z.last; ++oz)
      for (int64_t oy = y.first; oy < y.last; ++oy) {
        const int64_t iz = oz * p.stride[0] + shift[0], iy = oy * p.stride[1] + shift[1];
        const int64_t ix = x.first * p.stride[2] + shift[2];
        multiply_add_row(out + (oz * p.out[1] + oy) * p.out[2] + x.first,
                         data + (iz * p.in[1] + iy) * p.in[2] + ix, filter[index], x.last - x.first,
                         p.stride[2]);
      }
  });
}

// Row r of `columns`: what kernel element r sees at places first..last-1 of the window.
template <class T>
void gather_columns(const ConvolutionPlan& p, const T* data, int64_t first, int64_t last, T* columns) {
  const size_t plane = volume(p.in);
  for (size_t c = 0; c < p.in_channels; ++c, data += plane)
    each_kernel_element(p.kernel, [&](size_t, const Spatial& at) {
      Spatial shift;
      for (size_t i = 0; i < 3; ++i) shift[i] = at[i] * p.dilation[i] - p.pad[i];
      const Run run = inside(p.stride[2], shift[2], p.in[2], p.out[2]);
      each_row(p.out, first, last, [&](int64_t oz, int64_t oy, int64_t x, int64_t n) {
        T* const to = columns;
        columns += n;
        const int64_t iz = oz * p.stride[0] + shift[0], iy = oy * p.stride[1] + shift[1];
        const int64_t from = std::max(x, run.first), end = std::min(x + n, run.last);
        if (iz < 0 || iz >= p.in[0] || iy < 0 || iy >= p.in[1] || from >= end) {
          std::fill_n(to, n, T{});
          return;
        }
        std::fill_n(to, from - x, T{});
        const T* const row = data + (iz * p.in[1] + iy) * p.in[2];
        if (p.stride[2] == 1)
          std::copy(row + from + shift[2], row + end + shift[2], to + (from - x));
        else
          for (int64_t i = from; i < end; ++i) to[i - x] = row[i * p.stride[2] + shift[2]];
        std::fill_n(to + (end - x), x + n - end, T{});
      });
    });
}

// The other way round: row r is added to where kernel element r reaches from places first..last-1.
template <class T>
void scatter_columns(const ConvolutionPlan& p, const T* columns, int64_t first, int64_t last, T* out) {
  const size_t plane = volume(p.out);
  for (size_t c = 0; c < p.out_channels; ++c, out += plane)
    each_kernel_element(p.kernel, [&](size_t, const Spatial& at) {
      Spatial shift;
      for (size_t i = 0; i < 3; ++i) shift[i] = at[i] * p.dilation[i] - p.pad[i];
      const Run run = inside(p.stride[2], shift[2], p.out[2], p.in[2]);
      each_row(p.in, first, last, [&](int64_t z, int64_t y, int64_t x, int64_t n) {
        const T* const from = columns;
        columns += n;
        const int64_t oz = z * p.stride[0] + shift[0], oy = y * p.stride[1] + shift[1];
        if (oz < 0 || oz >= p.out[0] || oy < 0 || oy >= p.out[1]) return;
        T* const row = out + (oz * p.out[1] + oy) * p.out[2];
        for (int64_t i = std::max(x, run.first); i < std::min(x + n, run.last); ++i) {
          T& to = row[i * p.stride[2] + shift[2]];
          to = wrapping::add(to, from[i - x]);
        }
      });
    });
}

// Columns of a product that are made at once: few enough to stay in the cache, or at least in memory.
size_t columns_at_once(size_t rows, size_t all) {
  rows = std::max<size_t>(rows, 1);
  const size_t some = std::clamp<size_t>((size_t{1} << 24) / rows, 1, 256);
  return std::min(all, std::max(some, (size_t{1} << 19) / rows));
}

bool is_pointwise(const ConvolutionPlan& p) {
  const Spatial ones{1, 1, 1};
  return p.kernel == ones && p.stride == ones && p.pad == Spatial{} && p.in == p.out;
}

}  // namespace

template <class T>
void convolve(const Multiplier& multiply, const ConvolutionPlan& p, const T* data, const T* filter, T* out) {
  const size_t plane = volume(p.in), places = volume(p.out), rows = p.in_channels * volume(p.kernel);
  if (places == 0) return;
  const bool pointwise = is_pointwise(p), by_channel = p.in_channels == 1 && p.out_channels < 4;
  const size_t step = columns_at_once(rows, places);
  const std::unique_ptr<T[]> columns(pointwise || by_channel ? nullptr : new T[rows * step]);
  for (size_t b = 0; b < p.batch; ++b)
    for (size_t g = 0; g < p.groups; ++g, data += p.in_channels * plane, out += p.out_channels * places) {
      const T* const weights = filter + g * p.out_channels * rows;
      if (by_channel) {
        std::fill_n(out, p.out_channels * places, T{});
        for (size_t o = 0; o < p.out_channels; ++o)
          convolve_channel(p, data, weights + o * rows, out + o * places);
      } else if (pointwise) {
        multiply(Gemm{p.out_channels, places, rows, rows, places, places}, weights, data, out);
      } else {
        for (size_t first = 0; first < places; first += step) {
          const size_t n = std::min(step, places - first);
          gather_columns(p, data, static_cast<int64_t>(first), static_cast<int64_t>(first + n),
                         columns.get());
          multiply(Gemm{p.out_channels, n, rows, rows, n, places}, weights, columns.get(), out + first);
        }
      }
    }
}

template <class T>
void convolve_back(const Multiplier& multiply, const ConvolutionPlan& p, const T* data, const T* filter,
                   T* out) {
  const size_t plane = volume(p.in), places = volume(p.out), rows = p.out_channels * volume(p.kernel);
  if (places == 0 || plane == 0) return;
  const size_t step = columns_at_once(rows, plane);
  const std::unique_ptr<T[]> columns(new T[rows * step]);
  for (size_t b = 0; b < p.batch; ++b)
    for (size_t g = 0; g < p.groups; ++g, data += p.in_channels * plane, out += p.out_channels * places) {
      const T* const weights = filter + g * p.in_channels * rows;
      for (size_t first = 0; first < plane; first += step) {
        const size_t n = std::min(step, plane - first);
        multiply(Gemm{rows, n, p.in_channels, rows, plane, n, true, false, false}, weights, data + first,
                 columns.get());
        scatter_columns(p, columns.get(), static_cast<int64_t>(first), static_cast<int64_t>(first + n), out);
      }
    }
}

#define MO_CONVOLVE(T)                                                                       \
  template void convolve(const Multiplier&, const ConvolutionPlan&, const T*, const T*, T*); \
  template void convolve_back(const Multiplier&, const ConvolutionPlan&, const T*, const T*, T*);
MO_CONVOLVE(float)
MO_CONVOLVE(double)
MO_CONVOLVE(int8_t)
MO_CONVOLVE(int16_t)
MO_CONVOLVE(int32_t)
MO_CONVOLVE(int64_t)
MO_CONVOLVE(uint8_t)
MO_CONVOLVE(uint16_t)
MO_CONVOLVE(uint32_t)
MO_CONVOLVE(uint64_t)
#undef MO_CONVOLVE

void plan_window(ConvolutionPlan& p, const Window& w, const std::vector<int64_t>& in,
                 const std::vector<int64_t>& kernel, const std::vector<int64_t>& out,
                 const std::vector<int64_t>& pads_begin) {
  const size_t n = in.size(), skip = 3 - n;
  for (size_t i = 0; i < n; ++i) {
    p.in[skip + i] = in[i];
    p.kernel[skip + i] = kernel[i];
    p.out[skip + i] = out[i];
    p.stride[skip + i] = w.strides[i];
    p.dilation[skip + i] = w.dilations[i];
    p.pad[skip + i] = pads_begin[i];
  }
}

}  // namespace mo::opset
