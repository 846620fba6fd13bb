// GroupQueryAttention: several heads of the query share a head of key and value; causal, with a cache.
#include "support/attention.hpp"
#include "support/rotary.hpp"

namespace mo::onnx {

namespace ms {

namespace gqa {

struct Lengths {
  OutPort total;  // [batch, 1], the keys of each sequence
  OutPort past;   // [batch, 1], those before the new ones
  OutPort fresh;  // [1], new ones
};

static void refuse_unsupported(const Build& b, const SourceNode& n) {
  for (const char* name : {"k_quant_type", "v_quant_type"}) {
    const auto mode = n.native(name, "NONE");
    require(mode == "NONE", "attribute '", name, "' is '", mode, "': a quantized cache is not supported");
  }
  require(n.native("qk_output", 0) == 0, "attribute 'qk_output' is not 0: the scores are no output of ours");
  require(n.native("sliding_window_cache", 0) == 0,
          "attribute 'sliding_window_cache' is 1: a cache that drops entries is not supported");
  for (const size_t i : {14, 15})
    require(!b.has(i), "input ", i, ", a norm of query or key, is not supported");
}

// In a first prompt, sequences of the batch may be shorter than the others; they begin at 0 all the same.
static Lengths lengths(const Build& b, const OutPort& query) {
  Lengths l;
  l.fresh = b.dim(query, 2);
  const OutPort last = b.unsqueeze(b.convert(b.in(5), ElementType::i64), b.list({1}));
  l.total = add(b, b.reshape(last, b.list({-1, 1})), b.integer(1));
  const OutPort longest = b.reshape(b.convert(b.in(6), ElementType::i64), b.list({1}));
  const OutPort prompt = b.op("Equal", "opset1", {longest, l.fresh});
  l.past = b.select(prompt, b.integer(0), subtract(b, l.total, l.fresh));
  return l;
}

// The cache with the new entries right behind those that count; it may have room for more.
static OutPort cached(const Build& b, size_t input, const OutPort& fresh, const Lengths& l) {
  if (!b.has(input)) return fresh;
  const OutPort both = b.concat({b.in(input), fresh}, 2);
  const OutPort room = b.dim(b.in(input), 2);
  const OutPort longest = b.reshape(b.convert(b.in(6), ElementType::i64), b.list({1}));
  const OutPort place = b.unsqueeze(positions(b, b.op("Maximum", "opset1", {room, longest})), b.list({0}));
  const OutPort old = b.op("Less", "opset1", {place, l.past});
  const OutPort end = subtract(b, add(b, room, l.fresh), b.list({1}));
  const OutPort behind = b.op("Minimum", "opset1", {add(b, subtract(b, place, l.past), room), end});
  return gather(b, both, b.select(old, place, behind), 2, 1);
}

// [batch, groups, length, size] with each head repeated.
static OutPort repeated(const Build& b, const OutPort& x, int64_t times, int64_t heads) {
  if (times == 1) return x;
  const Node wide = b.node("Broadcast", "opset3", {b.unsqueeze(x, b.list({2})), b.list({1, 1, times, 1, 1})});
  wide.set("mode", "bidirectional");
  const OutPort shape = b.shape_of(x);
  return b.reshape(wide.out_port(), b.concat({b.part(shape, 0, 1), b.list({heads}), b.part(shape, 2, 4)}));
}

static OutPort mask(const Build& b, const SourceNode& n, const Lengths& l, const OutPort& key) {
  const auto logical = [&](const OutPort& x, const OutPort& y) {
    return b.op("LogicalAnd", "opset1", {x, y});
  };
  const OutPort column = b.reshape(positions(b, b.dim(key, 2)), b.list({1, 1, 1, -1}));
  const OutPort row =
      b.unsqueeze(add(b, l.past, b.unsqueeze(positions(b, l.fresh), b.list({0}))), b.list({1, 3}));
  const auto window = n.native("local_window_size", -1);
  OutPort kept;
  if (n.native("causal", 1) != 0)
    kept = b.op("LessEqual", "opset1", {column, row});
  else
    kept = b.op("Less", "opset1", {column, b.unsqueeze(l.total, b.list({1, 3}))});
  if (window > 0) {
    const OutPort first = subtract(b, row, b.integer(window));
    kept = logical(kept, b.op("Greater", "opset1", {column, first}));
  }
  return mask_where(b, b.in(0), kept, lowest(b.in(0)));
}

static Rotary rotary(const Build& b, const SourceNode& n, const Lengths& l) {
  require(b.has(7) && b.has(8), "attribute 'do_rotary' is 1, but there are no inputs 7 and 8, the tables");
  Rotary r;
  r.cosines = b.in(7);
  r.sines = b.in(8);
  r.interleaved = n.native("rotary_interleaved", 0) != 0;
  r.positions = b.has(9) ? b.in(9) : add(b, l.past, b.unsqueeze(positions(b, l.fresh), b.list({0})));
  const Shape table = r.cosines.shape(), past = b.has(3) ? b.in(3).shape() : Shape::unknown();
  r.whole = table.rank() == 2 && past.rank() == 4 && table[1].is_static() && past[3].is_static() &&
            past[3].value() == 2 * table[1].value();
  return r;
}

static OutPort sink(const Build& b, const SourceNode& n) {
  if (b.has(11)) return b.reshape(b.in(11), Ints{-1, 1, 1});
  return n.native("smooth_softmax", 0) > 0 ? b.like(b.in(0), {0}, {1, 1, 1}) : OutPort();
}

static Ports heads(const Build& b, int64_t queries, int64_t keys) {
  if (b.has(1)) {
    require(b.has(2), "input 1, the key, is given, and input 2, the value, is not");
    return {heads_first(b, b.in(0), queries), heads_first(b, b.in(1), keys), heads_first(b, b.in(2), keys)};
  }
  const OutPort all = heads_first(b, b.in(0), queries + 2 * keys);
  return split(b, all, 1, b.list({queries, keys, keys}), 3);
}

}  // namespace gqa

static Ports group_query_attention(Build& b, const SourceNode& n) {
  const auto heads = n.native<int64_t>("num_heads"), groups = n.native<int64_t>("kv_num_heads");
  require(heads > 0 && groups > 0 && heads % groups == 0, "attributes 'num_heads' and 'kv_num_heads' are ",
          heads, " and ", groups, ", expected a multiple and a number above 0");
  gqa::refuse_unsupported(b, n);
  const Ports parts = gqa::heads(b, heads, groups);
  const gqa::Lengths l = gqa::lengths(b, parts[0]);
  Scores s;
  s.like = b.in(0);
  s.query = parts[0];
  OutPort key = parts[1];
  if (n.native("do_rotary", 0) != 0) {
    const Rotary r = gqa::rotary(b, n, l);
    s.query = rotated(b, s.query, r);
    key = rotated(b, key, r);
  }
  key = gqa::cached(b, 3, key, l);
  const OutPort value = gqa::cached(b, 4, parts[2], l);
  s.key = gqa::repeated(b, key, heads / groups, heads);
  s.value = gqa::repeated(b, value, heads / groups, heads);
  s.scale = n.native("scale", 0.0);
  s.softcap = n.native("softcap", 0.0);
  s.masks = {optional(b, 10), gqa::mask(b, n, l, key)};
  s.sink = gqa::sink(b, n);
  Ports outputs{heads_merged(b, attend(b, s)), key, value};
  outputs.resize(std::min<size_t>(n.out_count(), 3));
  return outputs;
}

}  // namespace ms

void register_group_query_attention(Registry& r) {
  replace<ms::group_query_attention>(
      r, {"GroupQueryAttention", "GroupQueryAttention(q, k, v, past, lengths, …)",
          "SoftMax(q * k^T * scale + masks) * v, with each head of k and v repeated", ms::domain});
}

}  // namespace mo::onnx
