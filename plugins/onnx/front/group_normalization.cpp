#include "support/build.hpp"

namespace mo::onnx {

// Before version 21 scale and bias have an entry for each group, and from then on for each channel.
static Ports group_normalization(Build& b, const SourceNode& n) {
  const auto groups = n.native<int64_t>("num_groups");
  require(groups > 0, "attribute 'num_groups' is ", groups, ", expected at least 1");
  const OutPort channels = b.dim(b.in(0), 1);
  const auto for_channels = [&](const OutPort& list) {
    if (n.version() >= 21) return list;
    const OutPort each = b.divide(channels, b.list({groups}));
    const Node wide =
        b.node("Broadcast", "opset3", {b.unsqueeze(list, b.list({1})), b.concat({b.list({groups}), each})});
    wide.set("mode", "numpy");
    return b.reshape(wide.out_port(), b.list({-1}));
  };
  const Node g =
      b.node("GroupNormalization", "opset12", {b.in(0), for_channels(b.in(1)), for_channels(b.in(2))});
  g.set("num_groups", groups).set("epsilon", n.native("epsilon", 1e-5));
  return {g.out_port()};
}

void register_group_normalization(Registry& r) {
  replace<group_normalization>(r, {"GroupNormalization", "GroupNormalization(x, scale, bias)",
                                   "GroupNormalization-12(x, scale, bias)"});
}

}  // namespace mo::onnx
