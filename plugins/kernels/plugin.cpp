// The interface "mo.kernels" of <mo/kernels.h> with Eigen's matrix products, on all processors.
#include "product.hpp"

#include <mo/sdk.hpp>

#include <exception>
#include <new>
#include <thread>
#include <vector>

namespace mo::kernels {

static const Products& best_products() {
  static const Products& best = []() -> const Products& {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
      return products_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return products_avx2;
    return products_baseline;
  }();
  return best;
}

// A thread is worth starting from about this many multiplications on.
constexpr double work_of_a_thread = 4e6;

static uint64_t threads_for(const mo_gemm& g) {
  const double work = static_cast<double>(g.m) * static_cast<double>(g.n) * static_cast<double>(g.k);
  const uint64_t processors = std::max(1U, std::thread::hardware_concurrency());
  return work >= 2 * work_of_a_thread
             ? std::min(processors, static_cast<uint64_t>(std::min(work / work_of_a_thread, 1e6)))
             : 1;
}

// Sizes and distances that fit into memory at all, and pointers where there is something to point at.
static bool is_right(const mo_gemm* g, const void* a, const void* b, const void* c, size_t width) {
  if (g == nullptr || g->size < sizeof(mo_gemm)) return false;
  const bool ta = (g->flags & MO_GEMM_TRANSPOSE_A) != 0, tb = (g->flags & MO_GEMM_TRANSPOSE_B) != 0;
  if ((g->flags & ~7U) != 0 || g->reserved != 0) return false;
  const auto fits = [width](uint64_t rows, uint64_t columns, uint64_t row, const void* p) {
    if (rows == 0 || columns == 0) return true;
    uint64_t bytes;
    return p != nullptr && row >= columns && !__builtin_mul_overflow(rows, row, &bytes) &&
           !__builtin_mul_overflow(bytes, width, &bytes) && bytes <= uint64_t{1} << 62;
  };
  return fits(ta ? g->k : g->m, ta ? g->m : g->k, g->row_a, a) &&
         fits(tb ? g->n : g->k, tb ? g->k : g->n, g->row_b, b) && fits(g->m, g->n, g->row_c, c);
}

// A part of the rows, or of the columns where there are more of those.
template <class T>
struct Part {
  mo_gemm g;
  const T *a, *b;
  T* c;
};
template <class T>
static Part<T> part(const mo_gemm& g, const T* a, const T* b, T* c, uint64_t i, uint64_t parts) {
  Part<T> p{g, a, b, c};
  const bool rows = g.m >= g.n;
  // In steps of 16, a multiple of what the kernels work on at once.
  const uint64_t count = rows ? g.m : g.n, step = ((count + parts - 1) / parts + 15) / 16 * 16;
  const uint64_t first = std::min(count, i * step), last = std::min(count, first + step);
  if (rows) {
    p.g.m = last - first;
    p.a += (g.flags & MO_GEMM_TRANSPOSE_A) != 0 ? first : first * g.row_a;
    p.c += first * g.row_c;
  } else {
    p.g.n = last - first;
    p.b += (g.flags & MO_GEMM_TRANSPOSE_B) != 0 ? first * g.row_b : first;
    p.c += first;
  }
  return p;
}

template <class T>
static mo_status gemm(const mo_gemm* g, const T* a, const T* b, T* c,
                      void (*run)(const mo_gemm&, const T*, const T*, T*)) {
  if (!is_right(g, a, b, c, sizeof(T))) return MO_INVALID_ARGUMENT;
  if (g->m == 0 || g->n == 0) return MO_OK;
  if (g->k == 0) {
    for (uint64_t i = 0; i < g->m && (g->flags & MO_GEMM_ACCUMULATE) == 0; ++i)
      std::fill_n(c + i * g->row_c, g->n, T{});
    return MO_OK;
  }
  const uint64_t count = threads_for(*g);
  std::vector<mo_status> status(count, MO_OK);
  const auto one = [&](uint64_t i) noexcept {
    try {
      const Part<T> p = part(*g, a, b, c, i, count);
      if (p.g.m != 0 && p.g.n != 0) run(p.g, p.a, p.b, p.c);
    } catch (const std::bad_alloc&) {
      status[i] = MO_NO_MEMORY;
    }
  };
  std::vector<std::thread> threads;
  uint64_t started = 1;
  try {
    threads.reserve(count - 1);
    for (; started < count; ++started) threads.emplace_back(one, started);
  } catch (const std::exception&) {
    // Parts without a thread of their own are done by this one.
  }
  one(0);
  for (; started < count; ++started) one(started);
  for (std::thread& t : threads) t.join();
  for (const mo_status s : status)
    if (s != MO_OK) return s;
  return MO_OK;
}

template <class T, class Run>
static mo_status guarded_gemm(const mo_gemm* g, const T* a, const T* b, T* c, Run run) noexcept {
  try {
    return gemm<T>(g, a, b, c, run);
  } catch (const std::exception&) {
    return MO_NO_MEMORY;
  }
}

static mo_status gemm_f32(const mo_gemm* g, const float* a, const float* b, float* c) {
  return guarded_gemm(g, a, b, c, best_products().f32);
}
static mo_status gemm_f64(const mo_gemm* g, const double* a, const double* b, double* c) {
  return guarded_gemm(g, a, b, c, best_products().f64);
}

static void register_all(Registry& r) {
  static const mo_kernels table = {sizeof(mo_kernels), &gemm_f32, &gemm_f64};
  r.add_interface(MO_KERNELS_INTERFACE, MO_KERNELS_REVISION, &table);
}

}  // namespace mo::kernels

MO_PLUGIN("org.mo-host.kernels", MO_PLUGIN_VERSION, "mo-host", "Apache-2.0",
          "fast matrix products for running a model", "", mo::kernels::register_all)
