// GroupNorm and SkipGroupNorm, whose channels are last or second.
#include "support/microsoft.hpp"

namespace mo::onnx {

namespace ms {

static OutPort group_norm_of(const Build& b, const SourceNode& n, const OutPort& x) {
  const auto groups = n.native<int64_t>("groups"), activation = n.native<int64_t>("activation");
  require(groups > 0, "attribute 'groups' is ", groups, ", expected at least 1");
  require(activation == 0 || activation == 1, "attribute 'activation' is ", activation, ", expected 0 or 1");
  const bool last = n.native("channels_last", 1) != 0;
  const size_t rank = b.in(0).shape().has_rank() ? b.in(0).shape().size() : 4;
  const auto parameter = [&](size_t i) {
    const ElementType type = b.in(0).type();
    return type == ElementType::unknown ? b.op("ConvertLike", "opset1", {b.in(i), b.in(0)})
                                        : b.convert(b.in(i), type);
  };
  const Node g = b.node("GroupNormalization", "opset12",
                        {last ? channels_first(b, x, rank) : x, parameter(1), parameter(2)});
  g.set("num_groups", groups).set("epsilon", n.native("epsilon", 1e-5));
  OutPort y = g.out_port();
  if (activation == 1) y = silu(b, y);
  return last ? channels_last(b, y, rank) : y;
}

static Ports group_norm(Build& b, const SourceNode& n) { return {group_norm_of(b, n, b.in(0))}; }

// What is added may be the same for all pixels: [batch, channels], or with pixels of its own.
static Ports skip_group_norm(Build& b, const SourceNode& n) {
  const bool last = n.native("channels_last", 1) != 0;
  OutPort skip = b.in(3);
  if (skip.shape().rank() == 2) skip = b.unsqueeze(skip, last ? b.list({1, 2}) : b.list({2, 3}));
  OutPort sum = b.add(b.in(0), skip);
  if (b.has(4)) sum = b.add(sum, last ? b.in(4) : b.reshape(b.in(4), Ints{1, -1, 1, 1}));
  Ports outputs{group_norm_of(b, n, sum), sum};
  outputs.resize(std::min<size_t>(n.out_count(), 2));
  return outputs;
}

}  // namespace ms

void register_group_norm(Registry& r) {
  using namespace ms;
  constexpr std::string_view after = "Transpose(GroupNormalization-12(Transpose(x), scale, shift))";
  replace<group_norm>(r, {"GroupNorm", "GroupNorm(x, scale, shift)", after, domain});
  replace<group_norm>(r, {"NhwcGroupNorm", "NhwcGroupNorm(x, scale, shift)", after, domain});
  replace<skip_group_norm>(
      r, {"SkipGroupNorm", "SkipGroupNorm(x, scale, shift, skip, bias)",
          "Transpose(GroupNormalization-12(Transpose(x + skip + bias), scale, shift))", domain});
}

}  // namespace mo::onnx
