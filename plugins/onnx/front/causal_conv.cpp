// CausalConvWithState: a depthwise convolution that looks back only; what it looks back at is its state.
#include "support/microsoft.hpp"

namespace mo::onnx {

static Ports causal_conv_with_state(Build& b, const SourceNode& n) {
  const auto activation = n.native("activation", "none");
  require(activation == "none" || activation == "silu" || activation == "swish",
          "attribute 'activation' is '", activation, "', expected 'none', 'silu' or 'swish'");
  const OutPort x = b.in(0);
  const OutPort before = ms::subtract(b, b.dim(b.in(1), 2), b.list({1}));
  OutPort all;
  if (b.has(3)) {
    all = b.concat({b.in(3), x}, 2);
  } else {
    const Node p =
        b.node("Pad", "opset1", {x, b.concat({b.list({0, 0}), before}), b.list({0, 0, 0}), b.like(x, 0)});
    p.set("pad_mode", "constant");
    all = p.out_port();
  }
  // [channels, 1, k] as [channels, 1, 1, k]
  const Node c = b.node("GroupConvolution", "opset1", {all, b.unsqueeze(b.in(1), b.list({1}))});
  c.set("strides", Ints{1}).set("dilations", Ints{1}).set("pads_begin", Ints{0}).set("pads_end", Ints{0});
  c.set("auto_pad", "explicit");
  OutPort y = c.out_port();
  if (b.has(2)) y = ms::add(b, y, b.reshape(b.in(2), Ints{1, -1, 1}));
  if (activation != "none") y = ms::silu(b, y);
  Ports outputs{y, {}};
  outputs.resize(std::min<size_t>(n.out_count(), 2));
  if (outputs.size() == 2 && b.wants(1)) {
    const OutPort end = b.dim(all, 2);
    outputs[1] = b.op("Slice", "opset8", {all, ms::subtract(b, end, before), end, b.list({1}), b.list({2})});
  }
  return outputs;
}

void register_causal_conv(Registry& r) {
  replace<causal_conv_with_state>(
      r, {"CausalConvWithState", "CausalConvWithState(x, w, b, past)",
          "Swish(Add(GroupConvolution(Concat(past, x), w), b)), and the end of Concat"});
}

}  // namespace mo::onnx
