// CausalConvWithState: a depthwise convolution that looks back only; what it looks back at is its state.
#include "support/microsoft.hpp"

namespace mo::onnx {

// [batch, length, channels …] as [batch, channels, length], and back in the shape of `like`.
static OutPort causal_conv_turned(const Build& b, const OutPort& x) {
  return b.transpose(b.reshape(x, b.list({0, 0, -1}), true), {0, 2, 1});
}

static Ports causal_conv_with_state(Build& b, const SourceNode& n) {
  const auto activation = n.native("activation", "none");
  require(activation == "none" || activation == "silu" || activation == "swish",
          "attribute 'activation' is '", activation, "', expected 'none', 'silu' or 'swish'");
  // What com.microsoft has beyond the standard.
  const auto dimensions = n.native("ndim", 1), window = n.native("state_window", 0),
             dilation = n.native("dilation", 1);
  require(dimensions == 1, "attribute 'ndim' is ", dimensions, "; more dimensions than 1 are not supported");
  require(window == 0, "attribute 'state_window' is ", window, "; states before the last are not supported");
  require(dilation > 0, "attribute 'dilation' is ", dilation, ", expected at least 1");
  const bool last = n.native("channels_last", 0) != 0;
  const auto first = [&](const OutPort& x) { return last ? causal_conv_turned(b, x) : x; };
  const OutPort x = first(b.in(0));
  const OutPort taps = b.subtract(b.dim(b.in(1), 2), b.list({1}));
  const OutPort before = dilation == 1 ? taps : b.multiply(taps, b.list({dilation}));
  OutPort all;
  if (b.has(3)) {
    all = b.concat({first(b.in(3)), x}, 2);
  } else {
    const Node p = b.node("Pad", "opset1",
                          {x, b.concat({b.list({0, 0}), before}), b.list({0, 0, 0}), b.like(b.in(0), 0)});
    p.set("pad_mode", "constant");
    all = p.out_port();
  }
  // [channels, 1, k] as [channels, 1, 1, k]
  const Node c = b.node("GroupConvolution", "opset1", {all, b.unsqueeze(b.in(1), b.list({1}))});
  c.set("strides", Ints{1}).set("dilations", Ints{dilation}).set("pads_begin", Ints{0});
  c.set("pads_end", Ints{0}).set("auto_pad", "explicit");
  OutPort y = c.out_port();
  if (b.has(2)) y = b.add(y, b.reshape(b.in(2), Ints{1, -1, 1}));
  if (activation != "none") y = ms::silu(b, y);
  if (last) y = b.reshape(b.transpose(y, {0, 2, 1}), b.shape_of(b.in(0)));
  Ports outputs{y, {}};
  outputs.resize(std::min<size_t>(n.out_count(), 2));
  if (outputs.size() == 2 && b.wants(1)) {
    const OutPort end = b.dim(all, 2);
    const OutPort kept =
        b.op("Slice", "opset8", {all, b.subtract(end, before), end, b.list({1}), b.list({2})});
    outputs[1] = kept;
    if (last) {
      const OutPort channels = b.part(b.shape_of(b.in(0)), 2, INT64_MAX);
      outputs[1] = b.reshape(b.transpose(kept, {0, 2, 1}), b.concat({b.dim(b.in(0), 0), before, channels}));
    }
  }
  return outputs;
}

void register_causal_conv(Registry& r) {
  replace<causal_conv_with_state>(
      r, {"CausalConvWithState", "CausalConvWithState(x, w, b, past)",
          "Swish(Add(GroupConvolution(Concat(past, x), w), b)), and the end of Concat", "", "", ms::domain});
}

}  // namespace mo::onnx
