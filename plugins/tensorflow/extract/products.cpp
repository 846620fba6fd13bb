// Products of matrices.
#include "support/extract.hpp"

#include <algorithm>

namespace mo::tensorflow {

static void set_product(SourceNode& n, bool a, bool b) {
  n.set_op("MatMul", "opset1");
  n.set("transpose_a", a).set("transpose_b", b);
}

static void extract_mat_mul(SourceNode& n) {
  set_product(n, n.native("transpose_a", false), n.native("transpose_b", false));
}

static void extract_batch_mat_mul(SourceNode& n) {
  set_product(n, n.native("adj_x", false), n.native("adj_y", false));
}

static void extract_einsum(SourceNode& n) {
  auto equation = n.native<std::string>("equation");
  equation.erase(std::remove(equation.begin(), equation.end(), ' '), equation.end());
  n.set_op("Einsum", "opset7");
  n.set("equation", equation);
}

static void extract_matrix_inverse(SourceNode& n) {
  const bool adjoint = n.native("adjoint", false);
  n.set_op("Inverse", "opset14");
  n.set("adjoint", adjoint);
}

void register_products(Registry& r) {
  extract<extract_mat_mul>(r, "MatMul");
  extract<extract_mat_mul>(r, "SparseMatMul");
  extract<extract_batch_mat_mul>(r, "BatchMatMul");
  extract<extract_batch_mat_mul>(r, "BatchMatMulV2");
  extract<extract_einsum>(r, "Einsum");
  extract<extract_matrix_inverse>(r, "MatrixInverse");
  extract<extract_matrix_inverse>(r, "BatchMatrixInverse");
}

}  // namespace mo::tensorflow
