// Matrix products, one set of functions for each kind of processor.
#pragma once

#include <mo/kernels.h>

namespace mo::kernels {

// C (+)= A * B on the calling thread; the arguments are known to be right.
struct Products {
  void (*f32)(const mo_gemm& g, const float* a, const float* b, float* c);
  void (*f64)(const mo_gemm& g, const double* a, const double* b, double* c);
};

extern const Products products_baseline, products_avx2, products_avx512;

}  // namespace mo::kernels
