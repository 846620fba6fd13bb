#include "support/build.hpp"

namespace mo::onnx {

static OutPort gemm_scaled(const Build& b, const OutPort& x, const OutPort& like, double factor) {
  return factor == 1 ? x : b.multiply(x, b.like(like, factor));
}

static Ports gemm(Build& b, const SourceNode& n) {
  const Node m = b.node("MatMul", "opset1", {b.in(0), b.in(1)});
  m.set("transpose_a", n.native("transA", 0) != 0).set("transpose_b", n.native("transB", 0) != 0);
  const OutPort product = gemm_scaled(b, m.out_port(), b.in(0), n.native("alpha", 1.0));
  if (!b.has(2)) return {product};
  return {b.add(product, gemm_scaled(b, b.in(2), b.in(0), n.native("beta", 1.0)))};
}

void register_gemm(Registry& r) {
  replace<gemm>(r, {"Gemm", "Gemm(a, b, c)", "Add(Multiply(MatMul(a, b), alpha), Multiply(c, beta))"});
}

}  // namespace mo::onnx
