// The products of one kind of processor: included once by each product_<variant>.cpp, which is compiled for
// it. Nothing here or in what is included may end up as a function shared with another variant.
#include "product.hpp"

#include <Eigen/Core>

namespace mo::kernels {

namespace {

template <class T>
void product(const mo_gemm& g, const T* pa, const T* pb, T* pc) {
  using Eigen::Dynamic;
  using Matrix = Eigen::Matrix<T, Dynamic, Dynamic, Eigen::RowMajor>;
  using Columns = Eigen::Matrix<T, Dynamic, Dynamic, Eigen::ColMajor>;
  using Stride = Eigen::OuterStride<>;
  const auto at = [](uint64_t v) { return static_cast<Eigen::Index>(v); };
  const Eigen::Index m = at(g.m), n = at(g.n), k = at(g.k);
  Eigen::Map<Matrix, 0, Stride> c(pc, m, n, Stride(at(g.row_c)));
  const auto put = [&](const auto& a, const auto& b) {
    if ((g.flags & MO_GEMM_ACCUMULATE) != 0)
      c.noalias() += a * b;
    else
      c.noalias() = a * b;
  };
  // Rows of a transposed matrix are columns of the matrix itself.
  const Eigen::Map<const Matrix, 0, Stride> a(pa, m, k, Stride(at(g.row_a)));
  const Eigen::Map<const Columns, 0, Stride> at_a(pa, m, k, Stride(at(g.row_a)));
  const Eigen::Map<const Matrix, 0, Stride> b(pb, k, n, Stride(at(g.row_b)));
  const Eigen::Map<const Columns, 0, Stride> at_b(pb, k, n, Stride(at(g.row_b)));
  const bool turn_a = (g.flags & MO_GEMM_TRANSPOSE_A) != 0, turn_b = (g.flags & MO_GEMM_TRANSPOSE_B) != 0;
  if (turn_a && turn_b)
    put(at_a, at_b);
  else if (turn_a)
    put(at_a, b);
  else if (turn_b)
    put(a, at_b);
  else
    put(a, b);
}

}  // namespace

#define MO_JOIN_(a, b) a##b
#define MO_JOIN(a, b) MO_JOIN_(a, b)
extern const Products MO_JOIN(products_, MO_VARIANT) = {&product<float>, &product<double>};

}  // namespace mo::kernels
