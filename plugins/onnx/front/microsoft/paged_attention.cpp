// PagedAttention: tokens of many sequences one behind the other, and a pool of pages with the keys and values
// of all. A table says which pages a sequence has. New entries are written into their slots of the pool, and
// the pool is an output; the pages of each sequence are gathered, and queries padded to the longest sequence.
#include "support/attention.hpp"
#include "support/key_cache.hpp"
#include "support/quantized_cache.hpp"

namespace mo::onnx {

namespace ms {

namespace paged {

struct Text {
  int64_t heads, groups;
  bool latent;  // one pool, whose first numbers are the values, too
};

static Text text_of(const Build& b, const SourceNode& n) {
  Text t{n.native<int64_t>("num_heads"), n.native<int64_t>("kv_num_heads"), false};
  require(t.heads > 0 && t.groups > 0 && t.heads % t.groups == 0,
          "attributes 'num_heads' and 'kv_num_heads' "
          "are ",
          t.heads, " and ", t.groups, ", expected a multiple and a number above 0");
  const auto layout = n.native("kv_cache_layout", "SEPARATE");
  require(layout == "SEPARATE" || layout == "LATENT", "attribute 'kv_cache_layout' is '", layout,
          "', expected SEPARATE or LATENT");
  t.latent = layout == "LATENT";
  require(!t.latent || (b.has(1) && !b.has(2) && !b.has(4)),
          "attribute 'kv_cache_layout' is LATENT, which has a key and no value, in inputs 1 and 3");
  require(t.latent || b.has(1) == b.has(2), "of inputs 1 and 2, key and value, one is left out");
  require(b.has(12) == b.has(13), "of inputs 12 and 13, the norms of query and key, one is left out");
  return t;
}

// Where each token belongs. All are of type i64.
struct Tokens {
  OutPort past, lengths;  // [sequences]
  OutPort sequence;       // [tokens]
  OutPort offset;         // [tokens], from the first new token of the sequence on
  OutPort position;       // [tokens], from the sequence's beginning on
  OutPort starts;         // [sequences], of their first tokens
  OutPort longest;        // [1], the most new tokens of a sequence
};

static Tokens tokens_of(const Build& b) {
  Tokens t;
  const OutPort ends = b.convert(b.in(5), ElementType::i64);
  t.past = b.convert(b.in(6), ElementType::i64);
  t.starts = b.part(ends, 0, -1);
  const OutPort stops = b.part(ends, 1, INT64_MAX);
  t.lengths = b.subtract(stops, t.starts);
  t.longest = b.reshape(b.reduce("ReduceMax", t.lengths, b.list({0}), true), b.list({1}));
  const OutPort token = positions(b, b.dim(b.in(0), 0));
  // As many sequences have ended before it.
  const OutPort ended =
      b.op("LessEqual", "opset1", {b.unsqueeze(stops, b.list({0})), b.unsqueeze(token, b.list({1}))});
  t.sequence = b.reduce("ReduceSum", b.convert(ended, ElementType::i64), b.list({1}), false);
  t.offset = b.subtract(token, gather(b, t.starts, t.sequence, 0));
  t.position = b.add(gather(b, t.past, t.sequence, 0), t.offset);
  return t;
}

// Pages that no sequence has are marked by numbers that no page has.
static OutPort pages(const Build& b) {
  const OutPort last = b.subtract(b.dim(b.in(3), 0), b.list({1}));
  const OutPort table = b.op("Minimum", "opset1", {b.convert(b.in(7), ElementType::i64), last});
  return b.op("Maximum", "opset1", {table, b.integer(0)});
}

// [tokens], into the pool as a list of entries; -1 where a token is not kept.
static OutPort slots(const Build& b, const Tokens& t) {
  if (b.has(10)) return b.convert(b.in(10), ElementType::i64);
  const OutPort page = b.dim(b.in(3), 1);
  const OutPort place = b.divide(t.position, page);
  const OutPort row = b.multiply(t.sequence, b.dim(b.in(7), 1));
  const OutPort number = gather(b, b.reshape(pages(b), b.list({-1})), b.add(row, place), 0);
  return b.add(b.multiply(number, page), b.op("FloorMod", "opset1", {t.position, page}));
}

// The pool with new entries, [1, groups, tokens, size], in their slots.
static OutPort written(const Build& b, const OutPort& pool, const OutPort& slots, const OutPort& fresh) {
  const OutPort shape = b.shape_of(pool);
  const OutPort entry = b.part(shape, 2, 4);
  OutPort entries = b.reshape(pool, b.concat({b.list({-1}), entry}));
  OutPort places = slots;
  const OutPort room = b.dim(entries, 0);
  // Behind the last slot is room for what is not kept.
  if (b.has(10)) {
    const Node none = b.node("Broadcast", "opset3", {b.like(pool, 0), b.concat({b.list({1}), entry})});
    none.set("mode", "numpy");
    entries = b.concat({entries, none.out_port()});
    places = b.select(b.op("Less", "opset1", {slots, b.integer(0)}), room, slots);
  }
  const OutPort rows = b.transpose(b.squeeze(fresh, {0}), {1, 0, 2});
  OutPort all = b.op("ScatterNDUpdate", "opset4", {entries, b.unsqueeze(places, b.list({1})), rows});
  if (b.has(10)) all = b.op("Slice", "opset8", {all, b.list({0}), room, b.list({1}), b.list({0})});
  return b.reshape(all, shape);
}

// [sequences, groups, entries of its pages, size]
static OutPort read(const Build& b, const OutPort& pool) {
  const OutPort all = b.transpose(gather(b, pool, pages(b), 0), {0, 3, 1, 2, 4});
  return b.reshape(all, b.concat({b.list({0, 0, -1}), b.dim(pool, 3)}), true);
}

// [1, heads, tokens, size] as [sequences, heads, longest, size]; what stands behind the end of a sequence is
// somebody else's, and dropped later.
static OutPort padded(const Build& b, const OutPort& x, const Tokens& t, int64_t heads) {
  const OutPort rows = b.squeeze(heads_merged(b, x), {0});
  const OutPort column = b.unsqueeze(positions(b, t.longest), b.list({0}));
  const OutPort last = b.subtract(b.dim(rows, 0), b.list({1}));
  const OutPort place = b.op("Minimum", "opset1", {b.add(b.unsqueeze(t.starts, b.list({1})), column), last});
  return heads_first(b, gather(b, rows, place, 0), heads);
}

// [sequences, heads, longest, size] as [tokens, heads * size]
static OutPort packed(const Build& b, const OutPort& x, const Tokens& t) {
  const OutPort merged = heads_merged(b, x);
  const OutPort rows = b.reshape(merged, b.concat({b.list({-1}), b.dim(merged, 2)}));
  return gather(b, rows, b.add(b.multiply(t.sequence, t.longest), t.offset), 0);
}

static OutPort mask(const Build& b, const SourceNode& n, const Tokens& t, const OutPort& key) {
  const OutPort column = key_columns(b, key);
  const OutPort new_ones = b.unsqueeze(positions(b, t.longest), b.list({0}));
  const OutPort row = b.unsqueeze(b.add(b.unsqueeze(t.past, b.list({1})), new_ones), b.list({1, 3}));
  OutPort kept;
  if (n.native("is_causal", 1) != 0)
    kept = b.op("LessEqual", "opset1", {column, row});
  else
    kept = b.op("Less", "opset1", {column, b.unsqueeze(b.add(t.past, t.lengths), b.list({1, 2, 3}))});
  if (const auto window = n.native("local_window_size", -1); window > 0) {
    const OutPort first = b.subtract(row, b.integer(window));
    kept = b.op("LogicalAnd", "opset1", {kept, b.op("Greater", "opset1", {column, first})});
  }
  return mask_where(b, b.in(0), kept, lowest(b.in(0)));
}

// The part of each head from `offset` on is turned.
static OutPort turned(const Build& b, const OutPort& x, const Rotary& r, int64_t offset) {
  if (offset == 0) return rotated(b, x, r);
  const Ports parts = split(b, x, -1, b.list({offset, -1}), 2);
  return b.concat({parts[0], rotated(b, parts[1], r)}, -1);
}

static Rotary rotary(const Build& b, const SourceNode& n, const Tokens& t, int64_t numbers, int64_t offset) {
  require(b.has(8) && b.has(9), "attribute 'do_rotary' is 1, but there are no inputs 8 and 9, the tables");
  Rotary r;
  r.cosines = b.in(8);
  r.sines = b.in(9);
  r.interleaved = n.native("rotary_interleaved", 0) != 0;
  r.positions = b.unsqueeze(t.position, b.list({0}));
  const Shape table = r.cosines.shape(), pool = b.in(3).shape();
  r.whole = offset == 0 && table.rank() == 2 && table[1].is_static() && pool.rank() == 4 &&
            pool[3].is_static() && pool[3].value() * numbers == 2 * table[1].value();
  return r;
}

// Query, key and value as [1, heads, tokens, size]; of a latent cache there is no value.
static Ports new_parts(const Build& b, const Text& t) {
  const auto one_row = [&](size_t i) { return b.unsqueeze(b.in(i), b.list({0})); };
  if (t.latent) return {heads_first(b, one_row(0), t.heads), heads_first(b, one_row(1), t.groups)};
  if (b.has(1))
    return {heads_first(b, one_row(0), t.heads), heads_first(b, one_row(1), t.groups),
            heads_first(b, one_row(2), t.groups)};
  const OutPort all = heads_first(b, one_row(0), t.heads + 2 * t.groups);
  return split(b, all, 1, b.list({t.heads, t.groups, t.groups}), 3);
}

}  // namespace paged

static Ports paged_attention(Build& b, const SourceNode& n) {
  const paged::Text text = paged::text_of(b, n);
  const QuantizedCache keys(b, n, "k", 3, 14, text.groups), values(b, n, "v", 4, 15, text.groups);
  const paged::Tokens tokens = paged::tokens_of(b);
  Ports parts = paged::new_parts(b, text);
  if (b.has(12)) {
    const double epsilon = n.native("qk_norm_epsilon", 1e-6);
    parts[0] = rms_norm(b, parts[0], b.in(12), epsilon, false).y;
    parts[1] = rms_norm(b, parts[1], b.in(13), epsilon, false).y;
  }
  if (n.native("do_rotary", 0) != 0) {
    const auto offset = n.native("rotary_offset", 0);
    const Rotary r = paged::rotary(b, n, tokens, keys.numbers(), offset);
    parts[0] = paged::turned(b, parts[0], r, offset);
    parts[1] = paged::turned(b, parts[1], r, offset);
  }
  const OutPort slots = paged::slots(b, tokens);
  const OutPort key_pool = paged::written(b, b.in(3), slots, keys.stored(parts[1]));
  const OutPort key = keys.read(paged::read(b, key_pool), b.in(0));
  OutPort value_pool, value = key;
  if (!text.latent) {
    value_pool = paged::written(b, b.in(4), slots, values.stored(parts[2]));
    value = values.read(paged::read(b, value_pool), b.in(0));
  } else if (const auto size = n.native("v_head_size", 0); size != 0) {
    value = b.op("Slice", "opset8", {key, b.list({0}), b.list({size}), b.list({1}), b.list({3})});
  }
  Scores s;
  s.like = b.in(0);
  s.query = paged::padded(b, parts[0], tokens, text.heads);
  s.key = repeated_heads(b, key, text.heads / text.groups, text.heads);
  s.value = repeated_heads(b, value, text.heads / text.groups, text.heads);
  s.scale = n.native("scale", 0.0);
  s.softcap = n.native("softcap", 0.0);
  s.masks = {paged::mask(b, n, tokens, key)};
  if (b.has(11)) s.sink = b.reshape(b.in(11), Ints{-1, 1, 1});
  Ports outputs{paged::packed(b, attend(b, s), tokens), key_pool};
  if (!text.latent) outputs.push_back(value_pool);
  outputs.resize(std::min<size_t>(n.out_count(), outputs.size()));
  return outputs;
}

}  // namespace ms

void register_paged_attention(Registry& r) {
  replace<ms::paged_attention>(
      r,
      {"PagedAttention", "PagedAttention(q, k, v, pages, lengths, table, …)",
       "SoftMax(q * k^T * scale + masks) * v, with k and v of the pages that the table names", ms::domain});
}

}  // namespace mo::onnx
