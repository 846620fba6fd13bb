// Matrix products for the values of operations: by the fast kernels of <mo/kernels.h> where a plugin offers
// them, as when a model is run, and by the deterministic one where none does, as when constants are folded.
#pragma once

#include "support/elements.hpp"

#include <mo/kernels.h>

namespace mo::opset {

// C (+)= A * B; A is m x k, B k x n. Rows of the stored matrices start row_a, row_b, row_c elements apart; a
// transposed one is stored k x m or n x k.
struct Gemm {
  size_t m = 0, n = 0, k = 0;
  size_t row_a = 0, row_b = 0, row_c = 0;
  bool transpose_a = false, transpose_b = false, accumulate = false;
};

// The deterministic one. T is float, double or an unsigned integer, which wraps around.
template <class T>
void deterministic_gemm(const Gemm& g, const T* a, const T* b, T* c);

class Multiplier {
 public:
  explicit Multiplier(const Context& c);
  ~Multiplier();
  Multiplier(const Multiplier&) = delete;
  Multiplier& operator=(const Multiplier&) = delete;
  void operator()(const Gemm& g, const float* a, const float* b, float* c) const;
  void operator()(const Gemm& g, const double* a, const double* b, double* c) const;
  // Integers, which wrap around.
  template <class T>
  void operator()(const Gemm& g, const T* a, const T* b, T* c) const {
    count(g);
    using U = std::make_unsigned_t<T>;
    deterministic_gemm(g, reinterpret_cast<const U*>(a), reinterpret_cast<const U*>(b),
                       reinterpret_cast<U*>(c));
  }
  bool is_fast() const { return fast_ != nullptr; }

 private:
  void count(const Gemm&) const;

  Context context_;
  const mo_kernels* fast_ = nullptr;
  const mo_folding* folding_ = nullptr;
  mutable double steps_ = 0;  // not told yet
};

}  // namespace mo::opset
