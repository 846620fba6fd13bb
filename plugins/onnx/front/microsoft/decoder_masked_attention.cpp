// DecoderMaskedMultiHeadAttention: one new token. Its key and value go into a cache with room for more,
// behind those that count; keys of another sequence come with their heads first, and without a cache.
// DecoderMaskedSelfAttention is the same with the projections of query, key and value as part of it, and a
// cache whose keys are stored in the order that its kernel reads them in.
#include "support/shared_cache.hpp"

namespace mo::onnx {

namespace ms {

namespace decoder_masked {

static int64_t heads(const SourceNode& n) {
  const auto count = n.native<int64_t>("num_heads");
  require(count > 0, "attribute 'num_heads' is ", count, ", expected at least 1");
  return count;
}

static void require_shared(const SourceNode& n, bool complete) {
  require(n.native("past_present_share_buffer", 0) != 0 && complete,
          "attribute 'past_present_share_buffer', the past keys and values and their number go together; one "
          "of them is left out");
}

// Query, key and value of input 0, one after the other, or of inputs 0 to 2.
static Ports parts(const Build& b, bool cached) {
  require(b.has(1) == b.has(2), "of inputs 1 and 2, key and value, one is left out");
  if (b.has(1)) return {b.in(0), b.in(1), b.in(2)};
  require(cached, "inputs 1 and 2, key and value, are left out, and there is no cache");
  return split(b, b.in(0), 2, 3);
}

// So many numbers have 16 bytes.
static int64_t chunk(const OutPort& cache) {
  const ElementType type = cache.type();
  require(type == ElementType::f32 || type == ElementType::f16, "the cache has type ", name(type),
          ", expected f32 or f16");
  return type == ElementType::f32 ? 4 : 8;
}

// [batch, heads, room, size], of which the kernel has chunks side by side: [batch, heads, chunks, room,
// chunk].
static OutPort keys_by_entries(const Build& b, const OutPort& keys, int64_t chunk) {
  const OutPort shape = b.concat({b.list({0, 0, -1}), b.dim(keys, 2), b.list({chunk})});
  return b.reshape(b.transpose(b.reshape(keys, shape, true), {0, 1, 3, 2, 4}), b.list({0, 0, 0, -1}), true);
}
static OutPort keys_by_chunks(const Build& b, const OutPort& keys, int64_t chunk) {
  const OutPort all = b.reshape(keys, b.list({0, 0, 0, -1, chunk}), true);
  return b.reshape(b.transpose(all, {0, 1, 3, 2, 4}), b.shape_of(keys));
}

}  // namespace decoder_masked

static Ports decoder_masked_attention(Build& b, const SourceNode& n) {
  const auto heads = decoder_masked::heads(n);
  const bool cached = b.has(5);
  const Ports parts = decoder_masked::parts(b, cached);
  Scores s;
  s.like = b.in(0);
  s.query = heads_first(b, parts[0], heads);
  const Ports bias = b.has(10) ? biases_of_heads(b, b.in(10), s.query, heads) : Ports{};
  if (!bias.empty()) s.query = b.add(s.query, bias[0]);
  s.key = cached ? heads_first(b, parts[1], heads) : parts[1];
  s.value = cached ? heads_first(b, parts[2], heads) : parts[2];
  OutPort key, value;
  if (cached) {
    decoder_masked::require_shared(n, b.has(6) && b.has(7));
    if (!bias.empty()) s.key = b.add(s.key, bias[1]);
    if (!bias.empty()) s.value = b.add(s.value, bias[2]);
    const SharedCache cache(b, s.query, b.in(7), optional(b, 9));
    key = cache.present(b.in(5), s.key);
    value = cache.present(b.in(6), s.value);
    s.key = cache.filled(key);
    s.value = cache.filled(value);
  }
  s.scale = n.native("scale", 0.0);
  s.masks = {key_mask(b, s.like, 3, s.query, s.key, n.native("mask_filter_value", -10000.0)), optional(b, 4)};
  Between between;
  Ports outputs{heads_merged(b, attend(b, s, &between)), key, value};
  if (n.native("output_qk", 0) != 0) outputs.push_back(between.scores);
  outputs.resize(std::min<size_t>(n.out_count(), outputs.size()));
  return outputs;
}

static Ports decoder_masked_self_attention(Build& b, const SourceNode& n) {
  const auto heads = decoder_masked::heads(n);
  require(n.native("do_rotary", 0) == 0, "attribute 'do_rotary' is 1, which is not supported");
  decoder_masked::require_shared(n, b.has(4) && b.has(6));
  const Ports parts = split(b, plus_input(b, b.matmul(b.in(0), b.in(1)), 2), 2, 3);
  const Ports past = split(b, b.in(4), 0, 2);
  const int64_t chunk = decoder_masked::chunk(b.in(4));
  Scores s;
  s.like = b.in(0);
  s.query = heads_first(b, parts[0], heads);
  const SharedCache cache(b, s.query, b.in(6), optional(b, 8));
  const OutPort past_keys = decoder_masked::keys_by_entries(b, b.squeeze(past[0], {0}), chunk);
  const OutPort key = cache.present(past_keys, heads_first(b, parts[1], heads));
  const OutPort value = cache.present(b.squeeze(past[1], {0}), heads_first(b, parts[2], heads));
  s.key = cache.filled(key);
  s.value = cache.filled(value);
  s.scale = n.native("scale", 0.0);
  s.masks = {key_mask(b, s.like, 3, s.query, s.key, n.native("mask_filter_value", -10000.0)), optional(b, 5)};
  const OutPort stored = decoder_masked::keys_by_chunks(b, key, chunk);
  const OutPort first = b.list({0});
  Ports outputs{heads_merged(b, attend(b, s)),
                b.concat({b.unsqueeze(stored, first), b.unsqueeze(value, first)}, 0)};
  outputs.resize(std::min<size_t>(n.out_count(), 2));
  return outputs;
}

}  // namespace ms

void register_decoder_masked_attention(Registry& r) {
  replace<ms::decoder_masked_attention>(
      r, {"DecoderMaskedMultiHeadAttention", "DecoderMaskedMultiHeadAttention(q, k, v, mask, …)",
          "SoftMax(q * k^T * scale + masks) * v, with k and v behind those of the cache", ms::domain});
  replace<ms::decoder_masked_self_attention>(
      r,
      {"DecoderMaskedSelfAttention", "DecoderMaskedSelfAttention(x, w, b, mask, past, …)",
       "q, k, v = Split(x * w + b); SoftMax(q * k^T * scale + masks) * v, with k and v behind those of the "
       "cache",
       ms::domain});
}

}  // namespace mo::onnx
