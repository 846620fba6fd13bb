// The interface "mo.kernels" as a plugin finds it.
#include <gtest/gtest.h>

#include <mo/kernels.h>

#include <chrono>
#include <cmath>
#include <random>
#include <vector>

#include "built.hpp"
#include "core/host/host_tables.hpp"
#include "load.hpp"

namespace mo::test {
namespace {

const mo_kernels& kernels() {
  static const mo_kernels* const table = [] {
    static core::Session session{core::host_table()};
    load_only(session, {build_folder + std::string("/lib/mo-host/kernels/kernels.mo.so")});
    return static_cast<const mo_kernels*>(
        session.registry().find_interface(MO_KERNELS_INTERFACE, MO_KERNELS_REVISION)->table);
  }();
  return *table;
}

mo_gemm plain(uint64_t m, uint64_t n, uint64_t k, uint32_t flags = 0) {
  mo_gemm g{};
  g.size = sizeof g;
  g.m = m;
  g.n = n;
  g.k = k;
  g.row_a = (flags & MO_GEMM_TRANSPOSE_A) != 0 ? m : k;
  g.row_b = (flags & MO_GEMM_TRANSPOSE_B) != 0 ? k : n;
  g.row_c = n;
  g.flags = flags;
  return g;
}

template <class T>
void check(const mo_gemm& g, mo_status (*run)(const mo_gemm*, const T*, const T*, T*), unsigned seed) {
  std::mt19937 random(seed);
  const auto fill = [&](uint64_t rows, uint64_t row) {
    std::vector<T> v(rows * row + 1);
    for (T& x : v) x = static_cast<T>(static_cast<double>(random() % 2001) / 1000 - 1);
    return v;
  };
  const bool ta = (g.flags & MO_GEMM_TRANSPOSE_A) != 0, tb = (g.flags & MO_GEMM_TRANSPOSE_B) != 0;
  const auto a = fill(ta ? g.k : g.m, g.row_a), b = fill(tb ? g.n : g.k, g.row_b);
  const auto before = fill(g.m, g.row_c);
  auto c = before;
  ASSERT_EQ(run(&g, a.data(), b.data(), c.data()), MO_OK);
  double worst = 0;
  for (uint64_t i = 0; i < g.m; ++i)
    for (uint64_t j = 0; j < g.row_c; ++j) {
      const uint64_t at = i * g.row_c + j;
      double sum = before[at];
      if (j < g.n) {
        if ((g.flags & MO_GEMM_ACCUMULATE) == 0) sum = 0;
        for (uint64_t p = 0; p < g.k; ++p)
          sum += static_cast<double>(ta ? a[p * g.row_a + i] : a[i * g.row_a + p]) *
                 static_cast<double>(tb ? b[j * g.row_b + p] : b[p * g.row_b + j]);
      }
      worst = std::max(worst, std::abs(sum - static_cast<double>(c[at])));
    }
  const double unit = sizeof(T) == 4 ? 1e-7 : 2e-16;
  EXPECT_LT(worst, unit * 4 * static_cast<double>(g.k + 4))
      << g.m << "x" << g.n << "x" << g.k << " flags " << g.flags;
}

TEST(Kernels, AllFormsOfTheProduct) {
  const uint64_t sizes[][3] = {{1, 1, 1},   {3, 5, 7},      {1, 40, 300}, {40, 1, 300},   {64, 64, 64},
                               {33, 17, 0}, {130, 300, 70}, {7, 700, 33}, {257, 129, 301}};
  unsigned seed = 0;
  for (const auto& s : sizes)
    for (uint32_t flags = 0; flags < 8; ++flags) {
      mo_gemm g = plain(s[0], s[1], s[2], flags);
      check<float>(g, kernels().gemm_f32, ++seed);
      g.row_a += 3;
      g.row_b += 1;
      g.row_c += 2;
      check<float>(g, kernels().gemm_f32, ++seed);
      check<double>(g, kernels().gemm_f64, ++seed);
    }
}

TEST(Kernels, ALargeProductOnAllProcessors) {
  check<float>(plain(400, 500, 300), kernels().gemm_f32, 1);
  check<double>(plain(500, 400, 300, MO_GEMM_TRANSPOSE_A | MO_GEMM_ACCUMULATE), kernels().gemm_f64, 2);
}

TEST(Kernels, WrongArgumentsAreRefused) {
  const std::vector<float> a(64, 1), b(64, 1);
  std::vector<float> c(64, 7);
  const auto run = [&](const mo_gemm* g, const float* pa, float* pc) {
    return kernels().gemm_f32(g, pa, b.data(), pc);
  };
  EXPECT_EQ(run(nullptr, a.data(), c.data()), MO_INVALID_ARGUMENT);
  mo_gemm g = plain(4, 4, 4);
  EXPECT_EQ(run(&g, nullptr, c.data()), MO_INVALID_ARGUMENT);
  EXPECT_EQ(run(&g, a.data(), nullptr), MO_INVALID_ARGUMENT);
  for (uint64_t mo_gemm::*row : {&mo_gemm::row_a, &mo_gemm::row_b, &mo_gemm::row_c}) {
    g = plain(4, 4, 4);
    g.*row = 3;
    EXPECT_EQ(run(&g, a.data(), c.data()), MO_INVALID_ARGUMENT);
    g.*row = UINT64_MAX / 2;
    EXPECT_EQ(run(&g, a.data(), c.data()), MO_INVALID_ARGUMENT);
  }
  g = plain(4, 4, 4, 8);
  EXPECT_EQ(run(&g, a.data(), c.data()), MO_INVALID_ARGUMENT);
  g = plain(4, 4, 4);
  g.reserved = 1;
  EXPECT_EQ(run(&g, a.data(), c.data()), MO_INVALID_ARGUMENT);
  g = plain(4, 4, 4);
  g.size = 8;
  EXPECT_EQ(run(&g, a.data(), c.data()), MO_INVALID_ARGUMENT);
  EXPECT_EQ(c, std::vector<float>(64, 7));
  g = plain(0, 4, 4);
  EXPECT_EQ(run(&g, nullptr, nullptr), MO_OK);
}

}  // namespace
}  // namespace mo::test
