// MoE and QMoE: for each token the outputs of a few networks, the experts, are summed up. The IR has no
// operation that runs some of them only: all run on all tokens, and those that were not chosen count 0.
#include "support/n_bits.hpp"

namespace mo::onnx {

namespace ms {

namespace experts {

// [tokens, experts]: how much each counts.
static OutPort shares(const Build& b, const SourceNode& n, const OutPort& router) {
  const auto count = n.native<int64_t>("k", 1);
  require(count > 0, "attribute 'k' is ", count, ", expected at least 1");
  require(n.native("use_sparse_mixer", 0) == 0, "attribute 'use_sparse_mixer' is 1, which is not supported");
  const Node soft = b.node("SoftMax", "opset8", {router});
  soft.set("axis", -1);
  const Node top = b.node("TopK", "opset3", {soft.out_port(), b.integer(count)}, 2);
  top.set("axis", -1).set("mode", "max").set("sort", "value").set("index_element_type", ElementType::i64);
  OutPort chosen = top.out_port(0);
  if (n.native("normalize_routing_weights", 0) != 0)
    chosen = b.divide(chosen, b.reduce("ReduceSum", chosen, b.list({-1}), true));
  const OutPort none = b.multiply(soft.out_port(), b.like(router, 0));
  return b.op("ScatterElementsUpdate", "opset3", {none, top.out_port(1), chosen, b.integer(1)});
}

// Gates and what they let through stand in turn.
static OutPort swiglu(const Build& b, const SourceNode& n, const OutPort& x) {
  require(n.native("swiglu_fusion", 0) == 1, "attribute 'swiglu_fusion' is ", n.native("swiglu_fusion", 0),
          ": gates and values must stand in turn, which is 1");
  const OutPort pairs = b.reshape(x, b.list({0, 0, -1, 2}), true);
  const Ports halves = split(b, pairs, 3, 2);
  OutPort gate = b.squeeze(halves[0], {3}), value = b.squeeze(halves[1], {3});
  if (const auto limit = n.find_native<double>("swiglu_limit")) {
    gate = b.op("Minimum", "opset1", {gate, b.like(b.in(0), *limit)});
    const Node c = b.node("Clamp", "opset1", {value});
    c.set("min", -*limit).set("max", *limit);
    value = c.out_port();
  }
  const OutPort swish = b.op("Swish", "opset4", {gate, b.like(b.in(0), n.native("activation_alpha", 1.0))});
  return b.multiply(swish, b.add(value, b.like(b.in(0), n.native("activation_beta", 0.0))));
}

static OutPort activated_experts(const Build& b, const SourceNode& n, const OutPort& x) {
  const auto type = n.native("activation_type", "relu");
  if (type == "relu") return b.op("ReLU", "opset1", {x});
  if (type == "gelu") return gelu(b, x, true);  // as the runtime has it
  if (type == "silu") return silu(b, x);
  if (type == "swiglu") return swiglu(b, n, x);
  require(type == "identity", "attribute 'activation_type' is '", type,
          "', expected relu, gelu, silu, swiglu or identity");
  return x;
}

struct Layer {
  OutPort weights;  // [experts, outputs, inputs]
  size_t bias;      // number of an input
};

static OutPort applied(const Build& b, const OutPort& x, const Layer& l) {
  const OutPort y = b.matmul(x, l.weights, false, true);
  return b.has(l.bias) ? b.add(y, b.unsqueeze(b.in(l.bias), b.list({1}))) : y;
}

static Ports mixed(const Build& b, const SourceNode& n, const Layer& first, const Layer& second) {
  const OutPort x = b.in(0);
  const OutPort tokens = b.reshape(x, b.concat({b.list({1, -1}), b.dim(x, -1)}));
  const OutPort inner = activated_experts(b, n, applied(b, tokens, first));
  const OutPort each = applied(b, inner, second);  // [experts, tokens, size]
  const OutPort share = b.unsqueeze(b.transpose(shares(b, n, b.in(1)), {1, 0}), b.list({2}));
  return {b.reshape(b.reduce("ReduceSum", b.multiply(each, share), b.list({0}), false), b.shape_of(x))};
}

// Packed numbers of [experts, outputs, inputs] with scales [experts, outputs] or [experts, outputs, blocks].
static OutPort unpacked(const Build& b, const SourceNode& n, size_t input, size_t points) {
  const auto width = n.native<int64_t>("expert_weight_bits", 4);
  require(width == 4 || width == 8 || width == 2, "attribute 'expert_weight_bits' is ", width,
          ", expected 2, 4 or 8");
  const Tensor t = n_bits::known(b, input, "weights of experts"),
               scales = n_bits::known(b, input + 1, "their scales");
  require(t.rank() == 3 && (scales.rank() == 2 || scales.rank() == 3), "input ", input,
          ", weights of experts, has shape ", t.shape(), ", and its scales ", scales.shape(),
          ", expected 3 and 2 or 3 dimensions");
  const int64_t columns = t.dim(2) * 8 / width, blocks = scales.rank() == 3 ? scales.dim(2) : 1;
  require(blocks > 0 && columns % blocks == 0, "input ", input + 1, ", the scales, has ", blocks,
          " blocks for ", columns, " columns");
  const OutPort all =
      n_bits::weights(b, t, input + 1, points, {t.dim(0) * t.dim(1), blocks, columns / blocks, width});
  const OutPort w = b.reshape(all, b.list({t.dim(0), t.dim(1), columns}));
  const ElementType type = b.in(0).type();
  return type == scales.type() || type == ElementType::unknown ? w : b.convert(w, type);
}

}  // namespace experts

static Ports moe(Build& b, const SourceNode& n) {
  for (const size_t i : {6, 7})
    require(!b.has(i), "input ", i, " is given: gates in a layer of their own (fc3) are not supported");
  return experts::mixed(b, n, {b.in(2), 3}, {b.in(4), 5});
}

static Ports q_moe(Build& b, const SourceNode& n) {
  for (const size_t i : {8, 9, 10})
    require(!b.has(i), "input ", i, " is given: gates in a layer of their own (fc3) are not supported");
  return experts::mixed(b, n, {experts::unpacked(b, n, 2, 11), 4}, {experts::unpacked(b, n, 5, 12), 7});
}

}  // namespace ms

void register_mixture_of_experts(Registry& r) {
  using namespace ms;
  const auto made = "ReduceSum(experts(x) * share), with all experts at once";
  replace<moe>(r, {"MoE", "MoE(x, router, w1, b1, w2, b2)", made, domain});
  replace<q_moe>(r, {"QMoE", "QMoE(x, router, w1, scales1, b1, w2, scales2, b2)", made, domain});
}

}  // namespace mo::onnx
