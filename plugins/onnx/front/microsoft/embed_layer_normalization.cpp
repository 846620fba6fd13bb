// Embeddings of words, positions and segments are added and normalized.
#include "support/microsoft.hpp"

namespace mo::onnx {

namespace ms {

static OutPort position_embedding(const Build& b) {
  if (b.has(8)) return gather(b, b.in(3), b.in(8), 0);
  const OutPort length = b.squeeze(b.dim(b.in(0), 1), {0});
  return gather(b, b.in(3), b.range(b.integer(0), length, 1), 0);
}

// How many tokens of each sequence count; without a mask the runtime writes zeros.
static OutPort lengths(const Build& b) {
  const OutPort ids = b.convert(b.in(0), ElementType::i32);
  const OutPort mask = b.has(7) ? b.op("Equal", "opset1", {b.in(7), b.like(b.in(7), 1)})
                                : b.op("NotEqual", "opset1", {ids, ids});
  return b.reduce("ReduceSum", b.convert(mask, ElementType::i32), b.list({1}), false);
}

static Ports embed_layer_norm(Build& b, const SourceNode& n) {
  OutPort sum = b.add(gather(b, b.in(2), b.in(0), 0), position_embedding(b));
  if (b.has(1)) {
    require(b.has(4), "input 1 gives segments, but there is no input 4, their embedding");
    sum = b.add(sum, gather(b, b.in(4), b.in(1), 0));
  }
  const Node mvn = b.node("MVN", "opset6", {sum, b.list({-1})});
  mvn.set("normalize_variance", true).set("eps", n.native("epsilon", 1e-12)).set("eps_mode", "inside_sqrt");
  Ports outputs{b.add(b.multiply(mvn.out_port(), b.in(5)), b.in(6))};
  outputs.resize(std::min<size_t>(n.out_count(), 3));
  if (outputs.size() > 1 && b.wants(1)) outputs[1] = lengths(b);
  if (outputs.size() > 2 && b.wants(2)) outputs[2] = sum;
  return outputs;
}

}  // namespace ms

void register_embed_layer_normalization(Registry& r) {
  replace<ms::embed_layer_norm>(
      r, {"EmbedLayerNormalization", "EmbedLayerNormalization(ids, segments, words, positions, …)",
          "Add(Multiply(MVN(Gather(words, ids) + positions + Gather(segments)), scale), shift)", ms::domain});
}

}  // namespace mo::onnx
