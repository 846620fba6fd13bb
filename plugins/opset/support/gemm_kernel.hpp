// The body of gemm.cpp: a matrix product that gives the same bytes on every x86-64: vectors of the baseline,
// one order of summation that depends on nothing but the sizes. T is float, double or an unsigned integer,
// which wraps around.
#pragma once

#include "support/gemm.hpp"
#include "support/wrapping.hpp"

#include <memory>

namespace mo::opset {

namespace gemm {

inline constexpr size_t block_k = 256, block_m = 96, block_n = 512;

template <class T>
struct Lanes {
  typedef T type __attribute__((vector_size(16)));
  static constexpr size_t count = 16 / sizeof(T);
};

template <class T>
T multiply_add(T sum, T x, T y) {
  return wrapping::add(sum, wrapping::multiply(x, y));
}

// A matrix as its elements (row, column) are reached.
template <class T>
struct View {
  const T* data;
  size_t row, column;
  const T& operator()(size_t i, size_t j) const { return data[i * row + j * column]; }
};

// Panels of `width` rows, column after column, the last one filled up with zeros.
template <size_t width, class T>
void pack(const View<T>& v, size_t first_row, size_t rows, size_t first_column, size_t columns, T* out) {
  for (size_t r = 0; r < rows; r += width) {
    const size_t n = std::min(width, rows - r);
    for (size_t c = 0; c < columns; ++c, out += width) {
      const T* from = &v(first_row + r, first_column + c);
      for (size_t i = 0; i < n; ++i) out[i] = from[i * v.row];
      for (size_t i = n; i < width; ++i) out[i] = T{};
    }
  }
}

// The product of one panel of A and one of B, 4 rows of two vectors, kept in registers.
template <class T>
struct Tile {
  using V = typename Lanes<T>::type;
  static constexpr size_t rows = 4, columns = 2 * Lanes<T>::count;

  static void run(size_t k, const T* a, const T* b, T* out) {
    V sum[rows][2] = {};
    for (size_t p = 0; p < k; ++p, a += rows, b += columns) {
      V b0, b1;
      std::memcpy(&b0, b, sizeof b0);
      std::memcpy(&b1, b + Lanes<T>::count, sizeof b1);
      for (size_t i = 0; i < rows; ++i) {
        const V x = a[i] - V{};  // in all lanes
        sum[i][0] += x * b0;
        sum[i][1] += x * b1;
      }
    }
    std::memcpy(out, sum, sizeof sum);
  }
};

template <class T>
void add_tile(const T* tile, size_t rows, size_t columns, T* c, size_t row_c, bool add) {
  for (size_t i = 0; i < rows; ++i, tile += Tile<T>::columns, c += row_c)
    for (size_t j = 0; j < columns; ++j) c[j] = static_cast<T>(add ? c[j] + tile[j] : tile[j]);
}

template <class T>
void blocked(const Gemm& g, const View<T>& a, const View<T>& b_columns, T* c) {
  using Tile = gemm::Tile<T>;
  const auto up = [](size_t n, size_t to) { return (n + to - 1) / to * to; };
  const size_t kc = std::min(g.k, block_k);
  // Not std::vector: what is packed next need not be zeroed first.
  const std::unique_ptr<T[]> pa(new T[up(std::min(g.m, block_m), Tile::rows) * kc]);
  const std::unique_ptr<T[]> pb(new T[up(std::min(g.n, block_n), Tile::columns) * kc]);
  alignas(16) T tile[Tile::rows * Tile::columns];
  for (size_t j0 = 0; j0 < g.n; j0 += block_n) {
    const size_t n = std::min(block_n, g.n - j0);
    for (size_t k0 = 0; k0 < g.k; k0 += block_k) {
      const size_t k = std::min(block_k, g.k - k0);
      const bool add = g.accumulate || k0 != 0;
      pack<Tile::columns>(b_columns, j0, n, k0, k, pb.get());
      for (size_t i0 = 0; i0 < g.m; i0 += block_m) {
        const size_t m = std::min(block_m, g.m - i0);
        pack<Tile::rows>(a, i0, m, k0, k, pa.get());
        for (size_t j = 0; j < n; j += Tile::columns)
          for (size_t i = 0; i < m; i += Tile::rows) {
            Tile::run(k, pa.get() + i * k, pb.get() + j * k, tile);
            add_tile(tile, std::min(Tile::rows, m - i), std::min(Tile::columns, n - j),
                     c + (i0 + i) * g.row_c + j0 + j, g.row_c, add);
          }
      }
    }
  }
}

// One row of the result, c[j] = sum of x[p] * b(p, j), without packing B, which is used only once.
template <class T>
void one_row(size_t n, size_t k, const T* x, size_t step_x, const View<T>& b, T* c, bool accumulate) {
  using V = typename Lanes<T>::type;
  constexpr size_t lanes = Lanes<T>::count;
  if (b.row == 1) {  // columns lie in one piece
    for (size_t j = 0; j < n; ++j) {
      T total = accumulate ? c[j] : T{};
      for (size_t p0 = 0; p0 < k; p0 += block_k) {
        const size_t end = std::min(k, p0 + block_k);
        V sum[2] = {};
        size_t p = p0;
        if (step_x == 1)
          for (; p + 2 * lanes <= end; p += 2 * lanes)
            for (size_t h = 0; h < 2; ++h) {
              V u, w;
              std::memcpy(&u, x + p + h * lanes, sizeof u);
              std::memcpy(&w, &b(p + h * lanes, j), sizeof w);
              sum[h] += u * w;
            }
        T part{};
        for (size_t i = 0; i < lanes; ++i) part = static_cast<T>(part + (sum[0][i] + sum[1][i]));
        for (; p < end; ++p) part = multiply_add(part, x[p * step_x], b(p, j));
        total = static_cast<T>(total + part);
      }
      c[j] = total;
    }
    return;
  }
  T part[block_n];
  for (size_t j0 = 0; j0 < n; j0 += block_n) {
    const size_t width = std::min(block_n, n - j0);
    if (!accumulate) std::fill_n(c + j0, width, T{});
    for (size_t p0 = 0; p0 < k; p0 += block_k) {
      std::fill_n(part, width, T{});
      for (size_t p = p0; p < std::min(k, p0 + block_k); ++p) {
        const T xp = x[p * step_x];
        const T* row = &b(p, j0);
        if (b.column == 1)
          for (size_t j = 0; j < width; ++j) part[j] = multiply_add(part[j], xp, row[j]);
        else
          for (size_t j = 0; j < width; ++j) part[j] = multiply_add(part[j], xp, row[j * b.column]);
      }
      for (size_t j = 0; j < width; ++j) c[j0 + j] = static_cast<T>(c[j0 + j] + part[j]);
    }
  }
}

template <class T>
void run(const Gemm& g, const T* a, const T* b, T* c) {
  if (g.m == 0 || g.n == 0) return;
  if (g.k == 0) {
    for (size_t i = 0; i < g.m && !g.accumulate; ++i) std::fill_n(c + i * g.row_c, g.n, T{});
    return;
  }
  const View<T> va{a, g.transpose_a ? 1 : g.row_a, g.transpose_a ? g.row_a : 1};
  const View<T> vb{b, g.transpose_b ? 1 : g.row_b, g.transpose_b ? g.row_b : 1};
  if (g.m < 4) {
    for (size_t i = 0; i < g.m; ++i)
      one_row(g.n, g.k, a + i * va.row, va.column, vb, c + i * g.row_c, g.accumulate);
  } else if (g.n == 1 && g.row_c == 1) {
    one_row(g.m, g.k, b, vb.row, View<T>{a, va.column, va.row}, c, g.accumulate);
  } else {
    blocked(g, va, View<T>{b, vb.column, vb.row}, c);
  }
}

}  // namespace gemm
}  // namespace mo::opset
