#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/shapes.hpp"

#include <mo/equation.hpp>

namespace mo::mxnet {

namespace products {

static Ports batch_dot(Build& b, const SourceNode& n) {
  return {b.matmul(b.in(0), b.in(1), n.native("transpose_a", false), n.native("transpose_b", false))};
}

// The last dimension of x with the first one of y; transposed, the first with the last.
static Ports dot(Build& b, const SourceNode& n) {
  const bool turn_x = n.native("transpose_a", false), turn_y = n.native("transpose_b", false);
  const size_t rx = rank_of(b, b.in(0)), ry = rank_of(b, b.in(1));
  if (rx == 1 && ry == 1) return {b.reshape(b.matmul(b.in(0), b.in(1), false, false), Ints{1})};
  if (rx <= 2 && ry <= 2) return {b.matmul(b.in(0), b.in(1), turn_x && rx == 2, turn_y && ry == 2)};
  require(!turn_x && !turn_y && ry == 2, "a product of ", rx, " and ", ry,
          " dimensions is not supported; expected 1 or 2 of the second input");
  return {b.matmul(b.in(0), b.in(1), false, false)};
}

static OutPort times(const Build& b, const OutPort& x, double alpha) {
  return alpha == 1 ? x : b.multiply(x, b.like(x, alpha));
}

static Ports gemm(Build& b, const SourceNode& n) {
  const OutPort p =
      b.matmul(b.in(0), b.in(1), n.native("transpose_a", false), n.native("transpose_b", false));
  return {b.add(times(b, p, n.native("alpha", 1.0)), times(b, b.in(2), n.native("beta", 1.0)))};
}

static Ports gemm2(Build& b, const SourceNode& n) {
  const OutPort p =
      b.matmul(b.in(0), b.in(1), n.native("transpose_a", false), n.native("transpose_b", false));
  return {times(b, p, n.native("alpha", 1.0))};
}

static Ports einsum(Build& b, const SourceNode& n) {
  Ports inputs;
  for (size_t i = 0; b.has(i); ++i) inputs.push_back(b.in(i));
  const Node e = b.node("Einsum", "opset7", inputs);
  e.set("equation", explicit_equation(n.native<std::string>("subscripts")));
  return {e.out_port()};
}

}  // namespace products

void register_products(Registry& r) {
  convert<products::batch_dot>(r, "batch_dot _npx_batch_dot", "batch_dot(x, y)", "MatMul(x, y)");
  convert<products::dot>(r, "dot", "dot(x, y)", "MatMul(x, y)");
  convert<products::gemm>(r, "_linalg_gemm linalg_gemm", "_linalg_gemm(x, y, z)",
                          "Add(Multiply(MatMul(x, y), alpha), Multiply(z, beta))");
  convert<products::gemm2>(r, "_linalg_gemm2 linalg_gemm2", "_linalg_gemm2(x, y)",
                           "Multiply(MatMul(x, y), alpha)");
  convert<products::einsum>(r, "_npi_einsum", "_npi_einsum(x, y, ...)", "Einsum(x, y, ...)");
}

}  // namespace mo::mxnet
