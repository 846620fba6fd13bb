// A bias and what follows it: BiasAdd, BiasSoftmax, BiasDropout.
#include "support/microsoft.hpp"

namespace mo::onnx {

namespace ms {

static Ports bias_add(Build& b, const SourceNode&) { return {b.add(b.add(b.in(0), b.in(1)), b.in(2))}; }

// The softmax goes over all dimensions from `axis` on. With inner broadcast the bias lacks dimensions in
// front of `axis`, without it those between.
static Ports bias_softmax(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  const auto axis = axis_of(n, 1);
  const OutPort matrix = to_matrix(b, b.add(x, b.in(1)), axis);
  const Node s = b.node("SoftMax", "opset1", {matrix});
  s.set("axis", 1);
  return {b.reshape(s.out_port(), b.shape_of(x))};
}

static Ports bias_dropout(Build& b, const SourceNode& n) {
  const bool training = b.has(4) && b.ints(4) != Ints{0};
  require(!training, "input 4, training_mode, is not a constant false: training is not converted");
  require(!b.wants(1) || n.out_count() < 2, "output 1, the mask, is read: training is not converted");
  Ports outputs{plus_input(b, b.add(b.in(0), b.in(1)), 2)};
  outputs.resize(n.out_count());
  return outputs;
}

}  // namespace ms

void register_bias_operators(Registry& r) {
  using namespace ms;
  replace<bias_add>(r, {"BiasAdd", "BiasAdd(x, bias, skip)", "Add(Add(x, bias), skip)", domain});
  replace<bias_softmax>(r, {"BiasSoftmax", "BiasSoftmax(x, bias)", "SoftMax(Add(x, bias))", domain});
  replace<bias_dropout>(
      r, {"BiasDropout", "BiasDropout(x, bias, residual)", "Add(Add(x, bias), residual)", domain});
}

}  // namespace mo::onnx
