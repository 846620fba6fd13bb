// GroupQueryAttention: several heads of the query share a head of key and value; causal, with a cache, which
// may be kept in few bits, and which may have the last positions only.
#include "support/key_cache.hpp"
#include "support/quantized_cache.hpp"

namespace mo::onnx {

namespace ms {

namespace gqa {

static void refuse_unsupported(const Build& b, const SourceNode& n) {
  const auto scores = n.native("qk_output", 0);
  require(scores >= 0 && scores <= 2, "attribute 'qk_output' is ", scores, ", expected 0 to 2");
  require(b.has(14) == b.has(15), "of inputs 14 and 15, the norms of query and key, one is left out");
}

static KeyLengths lengths(const Build& b, const OutPort& query) {
  const OutPort last = b.convert(b.in(5), ElementType::i64);
  return key_lengths(b, query, b.add(last, b.integer(1)), b.in(6), optional(b, 16));
}

static std::optional<WindowCache> window_cache(const Build& b, const SourceNode& n, const KeyLengths& l) {
  if (n.native("sliding_window_cache", 0) == 0) return std::nullopt;
  const auto window = n.native("local_window_size", -1);
  require(window > 0, "attribute 'sliding_window_cache' is 1 and 'local_window_size' is ", window,
          ", expected at least 1");
  require(b.has(3) && b.has(4),
          "attribute 'sliding_window_cache' is 1, but there are no inputs 3 and 4, the cache");
  require(n.native("qk_output", 0) == 0 || n.out_count() < 4 || !b.wants(3),
          "attribute 'sliding_window_cache' is 1, and output 3, the scores of all positions, is read");
  return std::optional<WindowCache>(std::in_place, b, l, b.in(3), window);
}

// Of a window the bias has the columns of all positions, also of those that are dropped.
static OutPort bias(const Build& b, const std::optional<WindowCache>& window) {
  if (!b.has(10) || !window) return optional(b, 10);
  const OutPort batch = b.part(b.shape_of(window->positions()), 0, 1), x = b.in(10);
  const Node wide = b.node("Broadcast", "opset3", {x, b.concat({batch, b.list({1, 1, 1})})});
  wide.set("mode", "bidirectional");
  const OutPort last = b.subtract(b.dim(x, 3), b.list({1}));
  return gather(b, wide.out_port(), b.op("Minimum", "opset1", {window->positions(), last}), 3, 1);
}

// Which keys a query sees; `mask` says which of them count, where the lengths do not.
static OutPort seen(const Build& b, const SourceNode& n, const KeyLengths& l, const OutPort& column,
                    const OutPort& mask) {
  const OutPort row = query_rows(b, l);
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
  if (mask) {
    const OutPort counts = b.unsqueeze(b.convert(mask, ElementType::boolean), b.list({1, 2}));
    kept = b.op("LogicalAnd", "opset1", {counts, kept});
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
  const OutPort mask = b.has(16) ? OutPort() : mask_of_state(b, n, 3, 5, 1);
  const KeyLengths l = mask ? key_lengths(b, parts[0], b.in(3)) : gqa::lengths(b, parts[0]);
  // A state keeps what the window does not show, too: runtimes have one form of cache, and drop entries themselves.
  const auto window = mask ? std::nullopt : gqa::window_cache(b, n, l);
  const auto joined = [&](size_t past, const OutPort& fresh) {
    if (window) return window->entries(b.in(past), fresh);
    if (mask) return b.concat({b.in(past), fresh}, 2);
    return b.has(past) ? with_fresh(b, b.in(past), fresh, l) : fresh;
  };
  Scores s;
  s.like = b.in(0);
  s.query = parts[0];
  OutPort key = parts[1];
  if (b.has(14)) {
    const double epsilon = n.native("qk_norm_epsilon", 1e-6);
    s.query = rms_norm(b, s.query, b.in(14), n.native("q_norm_epsilon", epsilon), false).y;
    key = rms_norm(b, key, b.in(15), n.native("k_norm_epsilon", epsilon), false).y;
  }
  if (n.native("do_rotary", 0) != 0) {
    const OutPort given = b.has(9) || !mask ? optional(b, 9) : position_input(b.graph());
    const Rotary r = cache_rotary(b, n, 7, 8, given, l, gqa::head_size(b, keys));
    s.query = rotated(b, s.query, r);
    key = rotated(b, key, r);
  }
  key = joined(3, keys.stored(key));
  const OutPort value = joined(4, values.stored(parts[2]));
  s.key = repeated_heads(b, keys.read(key, b.in(0)), heads / groups, heads);
  s.value = repeated_heads(b, values.read(value, b.in(0)), heads / groups, heads);
  s.scale = n.native("scale", 0.0);
  s.softcap = n.native("softcap", 0.0);
  const OutPort columns = window ? key_columns(b, *window) : key_columns(b, key);
  const OutPort seen = gqa::seen(b, n, l, columns, mask);
  s.masks = {gqa::bias(b, window), mask_where(b, b.in(0), seen, lowest(b.in(0)))};
  s.sink = gqa::sink(b, n);
  Between between;
  const OutPort y = heads_merged(b, attend(b, s, &between));
  const auto kept = [&](const OutPort& x) { return window ? window->present(x) : x; };
  Ports outputs{y, kept(key), kept(value), gqa::scores(b, n.native("qk_output", 0), between, seen, l)};
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
