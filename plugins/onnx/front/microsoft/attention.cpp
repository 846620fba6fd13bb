// Attention and QAttention: the projections of query, key and value are part of the operator.
#include "support/microsoft_quantized.hpp"
#include "support/shared_cache.hpp"

namespace mo::onnx {

namespace ms {

struct AttentionInputs {
  OutPort like;                     // tells the type
  size_t mask, past, bias, length;  // numbers of inputs; SIZE_MAX: there is none
};

struct AttentionKept {
  OutPort key, value;  // output 1
  OutPort before;      // keys in front of the first query
};

// Joins keys and values with those of the past, which may be one buffer with those of the output.
static AttentionKept attention_keys(const Build& b, const SourceNode& n, const AttentionInputs& in,
                                    Scores& s) {
  const bool shared = n.native("past_present_share_buffer", 0) != 0;
  require(
      !shared || (b.has(in.past) && b.has(in.length)),
      "attribute 'past_present_share_buffer' is 1, but the past or the number of its keys, inputs 4 and 6 "
      "of Attention, is left out");
  if (!b.has(in.past)) return {s.key, s.value, b.list({0})};
  const Ports past = split(b, b.in(in.past), 0, 2);
  const OutPort keys = b.squeeze(past[0], {0}), values = b.squeeze(past[1], {0});
  if (!shared) {
    s.key = b.concat({keys, s.key}, 2);
    s.value = b.concat({values, s.value}, 2);
    return {s.key, s.value, b.dim(b.in(in.past), 3)};
  }
  const SharedCache cache(b, s.query, b.in(in.length), {});
  const AttentionKept k{cache.present(keys, s.key), cache.present(values, s.value), cache.past()};
  s.key = cache.filled(k.key);
  s.value = cache.filled(k.value);
  return k;
}

static Ports projected_parts(const Build& b, const SourceNode& n, const OutPort& projected) {
  const auto sizes = n.find_native<Ints>("qkv_hidden_sizes").value_or(Ints{});
  if (sizes.empty()) return split(b, projected, 2, 3);
  require(sizes.size() == 3, "attribute 'qkv_hidden_sizes' has ", sizes.size(), " entries, expected 3");
  return split(b, projected, 2, b.list(sizes), 3);
}

// The state has a key and a value in its first dimension.
static Ports attention_of(Build& b, const SourceNode& n, const OutPort& projected,
                          const AttentionInputs& in) {
  const auto heads = n.native<int64_t>("num_heads");
  require(heads > 0, "attribute 'num_heads' is ", heads, ", expected at least 1");
  require(n.native("do_rotary", 0) == 0, "attribute 'do_rotary' is 1, which is not supported");
  const Ports parts = projected_parts(b, n, projected);
  Scores s;
  s.like = in.like;
  s.query = heads_first(b, parts[0], heads);
  s.key = heads_first(b, parts[1], heads);
  s.value = heads_first(b, parts[2], heads);
  const AttentionKept kept = attention_keys(b, n, in, s);
  s.scale = n.native("scale", 0.0);
  const double filler = n.native("mask_filter_value", -10000.0);
  s.masks.push_back(key_mask(b, in.like, in.mask, s.query, s.key, filler));
  if (n.native("unidirectional", 0) != 0)
    s.masks.push_back(causal_mask(b, in.like, s.query, s.key, kept.before, lowest(in.like)));
  if (in.bias != SIZE_MAX && b.has(in.bias)) s.masks.push_back(b.in(in.bias));
  Ports outputs{heads_merged(b, attend(b, s))};
  outputs.resize(std::min<size_t>(n.out_count(), 2));
  if (outputs.size() > 1 && b.wants(1))
    outputs[1] = b.concat({b.unsqueeze(kept.key, b.list({0})), b.unsqueeze(kept.value, b.list({0}))}, 0);
  return outputs;
}

static Ports attention(Build& b, const SourceNode& n) {
  return attention_of(b, n, plus_input(b, b.matmul(b.in(0), b.in(1)), 2), {b.in(0), 3, 4, 5, 6});
}

// Scales and zero points of the weights may be one for each column.
static Ports q_attention(Build& b, const SourceNode& n) {
  const OutPort input =
      dequantized(b, b.in(0), as_scalar(b, b.in(3)), b.has(6) ? as_scalar(b, b.in(6)) : OutPort());
  const OutPort weights = dequantized(b, b.in(1), b.in(4), optional(b, 7));
  return attention_of(b, n, b.add(b.matmul(input, weights), b.in(2)), {b.in(2), 5, 8, SIZE_MAX, SIZE_MAX});
}

}  // namespace ms

void register_attention(Registry& r) {
  using namespace ms;
  replace<attention>(r, {"Attention", "Attention(x, w, b, mask, past, bias)",
                         "q, k, v = Split(x * w + b); SoftMax(q * k^T * scale + masks) * v", domain});
  replace<q_attention>(r, {"QAttention", "QAttention(x, w, b, …, mask, past)",
                           "q, k, v = Split(x * w + b); SoftMax(q * k^T * scale + masks) * v", domain});
}

}  // namespace mo::onnx
