// What models with a recurrent state have around it: GatedRMSNorm, GatedAdd and LinearAttentionGate.
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

}  // namespace ms

void register_gated_operators(Registry& r) {
  using namespace ms;
  replace<gated_rms_norm>(
      r, {"GatedRMSNorm", "GatedRMSNorm(x, w, gate)",
          "Multiply(Multiply(Multiply(x, 1 / root of mean square), w), Swish(gate))", domain});
  replace<gated_add>(r, {"GatedAdd", "GatedAdd(x, y, gate)", "Add(x, Multiply(y, gate))", domain});
  replace<linear_attention_gate>(r, {"LinearAttentionGate", "LinearAttentionGate(a, bias, scale, b)",
                                     "Multiply(SoftPlus(Add(a, bias)), scale), Sigmoid(b)", domain});
}

}  // namespace mo::onnx
