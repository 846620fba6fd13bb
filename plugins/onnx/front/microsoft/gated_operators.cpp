// What models with a recurrent state have around it: GatedRMSNorm, GatedAdd and LinearAttentionGate; and what those
// with several streams have: BranchwiseRMSNorm and HyperConnection….
#include "support/microsoft.hpp"

namespace mo::onnx {

namespace ms {

static OutPort gated_as_in(const Build& b, const OutPort& y, const OutPort& like) {
  return like.type() == ElementType::unknown ? b.op("ConvertLike", "opset1", {y, like})
                                             : b.convert(y, like.type());
}

// Over groups of as many numbers as there are weights.
static Ports gated_rms_norm(Build& b, const SourceNode& n) {
  const OutPort groups = b.concat({b.list({-1}), b.dim(b.in(1), 0)});
  const auto f32 = [&](size_t i) { return b.convert(b.in(i), ElementType::f32); };
  const OutPort x = b.reshape(b.in(0), groups);
  const OutPort y = rms_norm(b, x, b.in(1), n.native("epsilon", 1e-5), false).y;
  const OutPort all = b.reshape(y, b.shape_of(b.in(0)));
  return {gated_as_in(b, b.multiply(b.convert(all, ElementType::f32), silu(b, f32(2))), b.in(0))};
}

static Ports gated_add(Build& b, const SourceNode&) { return {b.add(b.in(0), b.multiply(b.in(1), b.in(2)))}; }

// What decays, and by how much the state is changed.
static Ports linear_attention_gate(Build& b, const SourceNode& n) {
  const OutPort raised = b.add(b.convert(b.in(0), ElementType::f32), b.in(1));
  const OutPort decay = b.multiply(b.op("SoftPlus", "opset4", {raised}), b.in(2));
  Ports outputs{gated_as_in(b, decay, b.in(0))};
  if (n.out_count() > 1 && b.wants(1)) outputs.push_back(b.op("Sigmoid", "opset1", {b.in(3)}));
  return outputs;
}

// Sigmoid(x) * x of scaled numbers.
static Ports scaled_silu(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  const OutPort scale = b.has(1) ? b.op("ConvertLike", "opset1", {as_scalar(b, b.in(1)), x})
                                 : b.like(x, n.native("alpha", 1.0));
  return {silu(b, b.multiply(x, scale))};
}

// [.., branches, width] in f32; the branches may be joined in the last dimension.
static OutPort branches(const Build& b, const SourceNode& n) {
  const OutPort x = b.convert(b.in(0), ElementType::f32);
  const auto count = n.native("num_branches", 0);
  if (count == 0) return x;
  return b.reshape(x, b.concat({b.part(b.shape_of(x), 0, -1), b.list({count, -1})}));
}

static Ports branchwise_rms_norm(Build& b, const SourceNode& n) {
  const OutPort x = branches(b, n);
  const OutPort mean = b.reduce("ReduceMean", b.multiply(x, x), b.list({-1}), true);
  OutPort y = b.divide(x, b.op("Sqrt", "opset1", {b.add(mean, b.number(n.native("epsilon", 1e-5)))}));
  if (b.has(1)) {
    const OutPort rows = b.concat({b.list({-1}), b.dim(x, -1)});
    y = b.multiply(y, b.reshape(b.convert(b.in(1), ElementType::f32), rows));
  }
  return {gated_as_in(b, b.reshape(y, b.shape_of(b.in(0))), b.in(0))};
}

// Gates of branches, or of each of their numbers.
static OutPort branch_gates(const Build& b, size_t i, const OutPort& x) {
  const OutPort lead = b.part(b.shape_of(x), 0, -1);
  return b.reshape(b.convert(b.in(i), ElementType::f32), b.concat({lead, b.list({-1})}));
}

static Ports hyper_connection_pre_mix(Build& b, const SourceNode& n) {
  const OutPort x = branches(b, n);
  const OutPort sum = b.reduce("ReduceSum", b.multiply(x, branch_gates(b, 1, x)), b.list({-2}), false);
  return {gated_as_in(b, b.multiply(sum, b.number(n.native("reduction_scale", 1.0))), b.in(0))};
}

static Ports hyper_connection_post_mix(Build& b, const SourceNode& n) {
  const OutPort x = branches(b, n);
  const OutPort mixed = b.has(3) ? b.matmul(b.convert(b.in(3), ElementType::f32), x, true, false) : x;
  const OutPort block = b.unsqueeze(b.convert(b.in(1), ElementType::f32), b.list({-2}));
  const OutPort y = b.add(mixed, b.multiply(branch_gates(b, 2, x), block));
  return {gated_as_in(b, b.reshape(y, b.shape_of(b.in(0))), b.in(0))};
}

}  // namespace ms

void register_gated_operators(Registry& r) {
  using namespace ms;
  replace<gated_rms_norm>(
      r, {"GatedRMSNorm", "GatedRMSNorm(x, w, gate)",
          "Multiply(Multiply(Multiply(x, 1 / root of mean square), w), Swish(gate))", domain});
  replace<scaled_silu>(r, {"ScaledSiLU", "ScaledSiLU(x, scale)", "Swish(Multiply(x, scale))", domain});
  replace<branchwise_rms_norm>(r, {"BranchwiseRMSNorm", "BranchwiseRMSNorm(x, scale)",
                                   "Multiply(Divide(x, root of mean square of a branch), scale)", domain});
  replace<hyper_connection_pre_mix>(r, {"HyperConnectionPreMix", "HyperConnectionPreMix(x, gates)",
                                        "ReduceSum(Multiply(x, gates)) over branches", domain});
  replace<hyper_connection_post_mix>(
      r, {"HyperConnectionPostMix", "HyperConnectionPostMix(x, block, gates, mix)",
          "Add(MatMul(mix, x), Multiply(gates, block))", domain});
  replace<gated_add>(r, {"GatedAdd", "GatedAdd(x, y, gate)", "Add(x, Multiply(y, gate))", domain});
  replace<linear_attention_gate>(r, {"LinearAttentionGate", "LinearAttentionGate(a, bias, scale, b)",
                                     "Multiply(SoftPlus(Add(a, bias)), scale), Sigmoid(b)", domain});
}

}  // namespace mo::onnx
