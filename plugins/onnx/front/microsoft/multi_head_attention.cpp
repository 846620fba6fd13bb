// MultiHeadAttention: query, key and value are projected already; they may come in one tensor.
#include "support/early_rank.hpp"
#include "support/shared_cache.hpp"

namespace mo::onnx {

namespace ms {

// Entry i of a dimension of packed tensors, [batch, length, heads, parts, size].
static Ports unpacked(const Build& b, const OutPort& x, uint32_t parts) {
  Ports list;
  for (const OutPort& p : split(b, x, 3, parts)) list.push_back(b.transpose(b.squeeze(p, {3}), {0, 2, 1, 3}));
  return list;
}

// Without a past, the first query stands at the first key. But the last one sees all keys, which are more
// when they come from another sequence.
static OutPort keys_before(const Build& b, const Scores& s) {
  const OutPort rows = b.dim(s.query, 2);
  const OutPort last = b.op("Equal", "opset1", {positions(b, rows), b.subtract(rows, b.list({1}))});
  return b.select(last, b.subtract(b.dim(s.key, 2), rows), b.list({0}));
}

struct MultiHeadKeys {
  OutPort key, value;  // outputs 1 and 2
  OutPort before;      // keys in front of the first query
};

// Joins keys and values with those of the past. Without inputs 6 and 7, what inputs 8 and 9 say of a buffer
// has no meaning.
static MultiHeadKeys keep_multi_head_keys(const Build& b, Scores& s) {
  if (b.has(6) && b.has(8)) {
    const SharedCache cache(b, s.query, b.in(8), optional(b, 9));
    const MultiHeadKeys k{cache.present(b.in(6), s.key), cache.present(b.in(7), s.value), cache.past()};
    s.key = cache.filled(k.key);
    s.value = cache.filled(k.value);
    return k;
  }
  if (b.has(6)) s.key = b.concat({b.in(6), s.key}, 2);
  if (b.has(7)) s.value = b.concat({b.in(7), s.value}, 2);
  return {s.key, s.value, b.has(6) ? b.dim(b.in(6), 2) : keys_before(b, s)};
}

static Ports multi_head_attention(Build& b, const SourceNode& n) {
  const auto heads = n.native<int64_t>("num_heads");
  require(heads > 0, "attribute 'num_heads' is ", heads, ", expected at least 1");
  require(b.has(6) == b.has(7), "of inputs 6 and 7, the past keys and values, one is left out");
  Scores s;
  s.like = b.in(0);
  bool projected = true;  // key and value have their biases to come
  if (!b.has(1)) {
    const Ports all = unpacked(b, b.in(0), 3);
    s.query = all[0], s.key = all[1], s.value = all[2];
  } else {
    s.query = heads_first(b, b.in(0), heads);
    if (b.has(2)) {
      s.key = heads_of_input(b, b.in(1), heads);
      s.value = heads_of_input(b, b.in(2), heads);
      projected = early_rank(b.in(1)) != 4;
    } else {
      const Ports both = unpacked(b, b.in(1), 2);
      s.key = both[0], s.value = both[1];
    }
  }
  if (b.has(3)) {
    const Ports bias = biases_of_heads(b, b.in(3), s.query, heads);
    s.query = b.add(s.query, bias[0]);
    if (projected) s.key = b.add(s.key, bias[1]);
    if (projected) s.value = b.add(s.value, bias[2]);
  }
  const MultiHeadKeys kept = keep_multi_head_keys(b, s);
  s.scale = n.native("scale", 0.0);
  s.masks.push_back(key_mask(b, s.like, 4, s.query, s.key, n.native("mask_filter_value", -10000.0)));
  if (n.native("unidirectional", 0) != 0)
    s.masks.push_back(causal_mask(b, s.like, s.query, s.key, kept.before, lowest(s.like)));
  s.masks.push_back(optional(b, 5));
  Between between;
  const OutPort y = heads_merged(b, attend(b, s, &between));
  Ports outputs{y, kept.key, kept.value, between.scores};
  outputs.resize(std::min<size_t>(n.out_count(), 4));
  return outputs;
}

}  // namespace ms

void register_multi_head_attention(Registry& r) {
  replace<ms::multi_head_attention>(r,
                                    {"MultiHeadAttention", "MultiHeadAttention(q, k, v, bias, mask, …)",
                                     "SoftMax(q * k^T * scale + masks) * v, with heads first", ms::domain});
}

}  // namespace mo::onnx
