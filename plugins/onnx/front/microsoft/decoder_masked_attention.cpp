// DecoderMaskedMultiHeadAttention: one new token. Its key and value go into a cache with room for more,
// behind those that count; keys of another sequence come with their heads first, and without a cache.
#include "support/early_rank.hpp"
#include "support/key_cache.hpp"

namespace mo::onnx {

namespace ms {

namespace decoder_masked {

static void refuse_unsupported(const Build& b, const SourceNode& n) {
  require(!b.has(9),
          "input 9, the table of beams, is given: the IR has no cache whose entries are chosen one by one. "
          "Export the model without beams; the input beam_idx of a stateful model chooses whole rows");
  require(b.has(1) && b.has(2), "inputs 1 and 2, key and value, are left out: one tensor for all is not ",
          "supported");
  require(n.out_count() < 4 || !b.wants(3), "output 3, the scores, is read, which is not supported");
}

}  // namespace decoder_masked

static Ports decoder_masked_attention(Build& b, const SourceNode& n) {
  const auto heads = n.native<int64_t>("num_heads");
  require(heads > 0, "attribute 'num_heads' is ", heads, ", expected at least 1");
  decoder_masked::refuse_unsupported(b, n);
  const bool cached = b.has(5);
  Scores s;
  s.like = b.in(0);
  s.query = heads_first(b, b.in(0), heads);
  const Ports bias = b.has(10) ? biases_of_heads(b, b.in(10), s.query, heads) : Ports{};
  if (!bias.empty()) s.query = add(b, s.query, bias[0]);
  OutPort key = cached ? heads_first(b, b.in(1), heads) : b.in(1);
  OutPort value = cached ? heads_first(b, b.in(2), heads) : b.in(2);
  if (cached) {
    require(n.native("past_present_share_buffer", 0) != 0 && b.has(6) && b.has(7),
            "inputs 6 and 7, the past values and their number, and attribute 'past_present_share_buffer' go "
            "together with input 5");
    if (!bias.empty()) key = add(b, key, bias[1]);
    if (!bias.empty()) value = add(b, value, bias[2]);
    const OutPort past = b.reshape(b.convert(b.in(7), ElementType::i64), b.list({1, 1}));
    KeyLengths l;
    l.past = past;
    l.fresh = b.list({1});
    l.total = add(b, past, b.integer(1));
    l.longest = b.reshape(l.total, b.list({1}));
    // As many rows as there are sequences, for the choice of each.
    const OutPort rows = b.concat({b.dim(s.query, 0), b.list({1})});
    const Node spread = b.node("Broadcast", "opset3", {l.past, rows});
    spread.set("mode", "numpy");
    l.past = spread.out_port();
    key = with_fresh(b, b.in(5), key, l);
    value = with_fresh(b, b.in(6), value, l);
    const auto filled = [&](const OutPort& x) {
      return b.op("Slice", "opset8", {x, b.list({0}), l.longest, b.list({1}), b.list({2})});
    };
    s.key = filled(key);
    s.value = filled(value);
  } else {
    s.key = key;
    s.value = value;
  }
  s.scale = n.native("scale", 0.0);
  s.masks = {key_mask(b, s.like, 3, s.query, s.key, n.native("mask_filter_value", -10000.0)), optional(b, 4)};
  Ports outputs{heads_merged(b, attend(b, s))};
  if (cached) outputs.insert(outputs.end(), {key, value});
  outputs.resize(std::min<size_t>(n.out_count(), 3));
  return outputs;
}

}  // namespace ms

void register_decoder_masked_attention(Registry& r) {
  replace<ms::decoder_masked_attention>(
      r, {"DecoderMaskedMultiHeadAttention", "DecoderMaskedMultiHeadAttention(q, k, v, mask, …)",
          "SoftMax(q * k^T * scale + masks) * v, with k and v behind those of the cache", ms::domain});
}

}  // namespace mo::onnx
