// Gelu and its relatives: with a bias, with tanh, with a sigmoid, of one half times the other.
#include "support/microsoft.hpp"

namespace mo::onnx {

namespace ms {

static Ports exact_gelu(Build& b, const SourceNode&) { return {gelu(b, b.in(0), false)}; }
static Ports bias_gelu(Build& b, const SourceNode&) { return {gelu(b, b.add(b.in(0), b.in(1)), false)}; }
static Ports fast_gelu(Build& b, const SourceNode&) { return {gelu(b, plus_input(b, b.in(0), 1), true)}; }

static Ports quick_gelu(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  return {b.op("Swish", "opset4", {x, b.like(x, n.native("alpha", 1.702))})};
}

static Ports bias_split_gelu(Build& b, const SourceNode&) {
  const Ports halves = split(b, b.add(b.in(0), b.in(1)), -1, 2);
  return {b.multiply(halves[0], gelu(b, halves[1], false))};
}

static Ports gemm_fast_gelu(Build& b, const SourceNode&) {
  return {gelu(b, plus_input(b, b.matmul(b.in(0), b.in(1)), 2), true)};
}

}  // namespace ms

void register_gelus(Registry& r) {
  using namespace ms;
  replace<exact_gelu>(r, {"Gelu", "Gelu(x)", "Gelu-7(x)", domain});
  replace<bias_gelu>(r, {"BiasGelu", "BiasGelu(x, bias)", "Gelu-7(Add(x, bias))", domain});
  replace<fast_gelu>(r, {"FastGelu", "FastGelu(x, bias)", "Gelu-7(Add(x, bias)) with tanh", domain});
  replace<quick_gelu>(r, {"QuickGelu", "QuickGelu(x)", "Swish(x, alpha)", domain});
  replace<bias_split_gelu>(r, {"BiasSplitGelu", "BiasSplitGelu(x, bias)",
                               "left, right = Split(Add(x, bias)); Multiply(left, Gelu-7(right))", domain});
  replace<gemm_fast_gelu>(
      r, {"GemmFastGelu", "GemmFastGelu(x, w, bias)", "Gelu-7(Add(MatMul(x, w), bias)) with tanh", domain});
}

}  // namespace mo::onnx
