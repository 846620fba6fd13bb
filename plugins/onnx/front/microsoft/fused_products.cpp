// Products with transposes, factors and activations: FusedMatMul, TransposeMatMul, FusedGemm.
#include "support/microsoft.hpp"

namespace mo::onnx {

namespace ms {

// Dimension 0 goes behind the batch, in front of the last one.
static OutPort batch_first(const Build& b, const OutPort& x) {
  const Shape s = x.shape();
  if (s.has_rank()) {
    require(s.rank() >= 2, "an input of shape ", s, " cannot be transposed");
    Ints order;
    for (int64_t i = 1; i + 1 < s.rank(); ++i) order.push_back(i);
    order.push_back(0);
    order.push_back(s.rank() - 1);
    return b.transpose(x, order);
  }
  const OutPort last = b.op("Subtract", "opset1", {b.rank(x), b.integer(1)});
  const OutPort batch = b.range(b.integer(1), last, 1);
  return b.op("Transpose", "opset1", {x, b.concat({batch, b.list({0}), b.reshape(last, Ints{1})})});
}

static OutPort scaled(const Build& b, const OutPort& x, double factor) {
  return factor == 1 ? x : b.multiply(x, b.like(b.in(0), factor));
}

static Ports fused_matmul(Build& b, const SourceNode& n) {
  const OutPort l = n.native("transBatchA", 0) != 0 ? batch_first(b, b.in(0)) : b.in(0);
  const OutPort r = n.native("transBatchB", 0) != 0 ? batch_first(b, b.in(1)) : b.in(1);
  const OutPort product = b.matmul(l, r, n.native("transA", 0) != 0, n.native("transB", 0) != 0);
  return {scaled(b, product, n.native("alpha", 1.0))};
}

static std::vector<double> activation_numbers(const SourceNode& n) {
  std::vector<double> numbers;
  for (const char* name : {"activation_alpha", "activation_beta", "activation_gamma"})
    if (const auto v = n.find_native<double>(name)) numbers.push_back(*v);
  return numbers;
}

static Ports fused_matmul_activation(Build& b, const SourceNode& n) {
  return {activated(b, fused_matmul(b, n)[0], n.native<std::string>("activation"), activation_numbers(n))};
}

static Ports fused_gemm(Build& b, const SourceNode& n) {
  const OutPort product = b.matmul(b.in(0), b.in(1), n.native("transA", 0) != 0, n.native("transB", 0) != 0);
  OutPort y = scaled(b, product, n.native("alpha", 1.0));
  if (b.has(2)) y = b.add(y, scaled(b, b.in(2), n.native("beta", 1.0)));
  return {activated(b, y, n.native("activation", ""), activation_numbers(n))};
}

}  // namespace ms

void register_fused_products(Registry& r) {
  using namespace ms;
  replace<fused_matmul>(
      r, {"FusedMatMul", "FusedMatMul(a, b)", "Multiply(MatMul(Transpose(a), Transpose(b)), alpha)", domain});
  replace<fused_matmul>(
      r, {"TransposeMatMul", "TransposeMatMul(a, b)", "Multiply(MatMul(a, b), alpha)", domain});
  replace<fused_matmul_activation>(r, {"FusedMatMulActivation", "FusedMatMulActivation(a, b)",
                                       "activation(Multiply(MatMul(a, b), alpha))", domain});
  replace<fused_gemm>(r, {"FusedGemm", "FusedGemm(a, b, c)",
                          "activation(Add(Multiply(MatMul(a, b), alpha), Multiply(c, beta)))", domain});
}

}  // namespace mo::onnx
