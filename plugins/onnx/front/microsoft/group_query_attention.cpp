// GroupQueryAttention: several heads of the query share a head of key and value; causal, with a cache, which
// may be kept in few bits.
#include "support/key_cache.hpp"
#include "support/quantized_cache.hpp"

namespace mo::onnx {

namespace ms {

namespace gqa {

static void refuse_unsupported(const Build& b, const SourceNode& n) {
  const auto scores = n.native("qk_output", 0);
  require(scores >= 0 && scores <= 2, "attribute 'qk_output' is ", scores, ", expected 0 to 2");
  require(n.native("sliding_window_cache", 0) == 0,
          "attribute 'sliding_window_cache' is 1: a cache that drops entries is not supported");
  require(b.has(14) == b.has(15), "of inputs 14 and 15, the norms of query and key, one is left out");
}

// Which keys a query sees.
static OutPort seen(const Build& b, const SourceNode& n, const KeyLengths& l, const OutPort& key) {
  const OutPort column = key_columns(b, key), row = query_rows(b, l);
  const auto window = n.native("local_window_size", -1);
  OutPort kept;
  if (n.native("causal", 1) != 0)
    kept = b.op("LessEqual", "opset1", {column, row});
  else
    kept = b.op("Less", "opset1", {column, b.unsqueeze(l.total, b.list({1, 3}))});
  if (window > 0) {
    const OutPort first = b.subtract(row, b.integer(window));
    kept = b.op("LogicalAnd", "opset1", {kept, b.op("Greater", "opset1", {column, first})});
  }
  return kept;
}

// Output 3: before the softmax, or behind it; 0 for keys that are not seen.
static OutPort scores(const Build& b, int64_t which, const Between& between, const OutPort& seen,
                      const KeyLengths& l) {
  if (which == 0) return {};
  const OutPort all = which == 1 ? b.select(seen, between.scores, b.like(b.in(0), 0)) : between.weights;
  return b.op("Slice", "opset8", {all, b.list({0}), l.longest, b.list({1}), b.list({3})});
}

static OutPort sink(const Build& b, const SourceNode& n) {
  if (b.has(11)) return b.reshape(b.in(11), Ints{-1, 1, 1});
  return n.native("smooth_softmax", 0) > 0 ? b.like(b.in(0), {0}, {1, 1, 1}) : OutPort();
}

static std::optional<int64_t> head_size(const Build& b, const QuantizedCache& cache) {
  const Shape past = b.has(3) ? b.in(3).shape() : Shape::unknown();
  if (past.rank() != 4 || !past[3].is_static()) return std::nullopt;
  return past[3].value() * cache.numbers();
}

}  // namespace gqa

static Ports group_query_attention(Build& b, const SourceNode& n) {
  const auto heads = n.native<int64_t>("num_heads"), groups = n.native<int64_t>("kv_num_heads");
  require(heads > 0 && groups > 0 && heads % groups == 0, "attributes 'num_heads' and 'kv_num_heads' are ",
          heads, " and ", groups, ", expected a multiple and a number above 0");
  gqa::refuse_unsupported(b, n);
  const QuantizedCache keys(b, n, "k", 3, 12, groups), values(b, n, "v", 4, 13, groups);
  const Ports parts = grouped_heads(b, heads, groups);
  const OutPort last = b.convert(b.in(5), ElementType::i64);
  const KeyLengths l = key_lengths(b, parts[0], b.add(last, b.integer(1)), b.in(6));
  const auto joined = [&](size_t past, const OutPort& fresh) {
    return b.has(past) ? with_fresh(b, b.in(past), fresh, l) : fresh;
  };
  Scores s;
  s.like = b.in(0);
  s.query = parts[0];
  OutPort key = parts[1];
  if (b.has(14)) {
    const double epsilon = n.native("qk_norm_epsilon", 1e-6);
    s.query = rms_norm(b, s.query, b.in(14), epsilon, false).y;
    key = rms_norm(b, key, b.in(15), epsilon, false).y;
  }
  if (n.native("do_rotary", 0) != 0) {
    const Rotary r = cache_rotary(b, n, 7, 8, 9, l, gqa::head_size(b, keys));
    s.query = rotated(b, s.query, r);
    key = rotated(b, key, r);
  }
  key = joined(3, keys.stored(key));
  const OutPort value = joined(4, values.stored(parts[2]));
  s.key = repeated_heads(b, keys.read(key, b.in(0)), heads / groups, heads);
  s.value = repeated_heads(b, values.read(value, b.in(0)), heads / groups, heads);
  s.scale = n.native("scale", 0.0);
  s.softcap = n.native("softcap", 0.0);
  const OutPort seen = gqa::seen(b, n, l, key);
  s.masks = {optional(b, 10), mask_where(b, b.in(0), seen, lowest(b.in(0)))};
  s.sink = gqa::sink(b, n);
  Between between;
  const OutPort y = heads_merged(b, attend(b, s, &between));
  Ports outputs{y, key, value, gqa::scores(b, n.native("qk_output", 0), between, seen, l)};
  outputs.resize(std::min<size_t>(n.out_count(), 4));
  return outputs;
}

}  // namespace ms

void register_group_query_attention(Registry& r) {
  replace<ms::group_query_attention>(
      r, {"GroupQueryAttention", "GroupQueryAttention(q, k, v, past, lengths, …)",
          "SoftMax(q * k^T * scale + masks) * v, with each head of k and v repeated", ms::domain});
}

}  // namespace mo::onnx
