#include "support/attention.hpp"

#include "support/early_rank.hpp"

namespace mo::onnx::ms {

OutPort heads_first(const Build& b, const OutPort& x, int64_t heads) {
  return b.transpose(b.reshape(x, b.list({0, 0, heads, -1}), true), {0, 2, 1, 3});
}

Ports biases_of_heads(const Build& b, const OutPort& all, const OutPort& query, int64_t heads) {
  const OutPort size = b.multiply(b.dim(query, 3), b.list({heads}));
  Ports list;
  for (const OutPort& p : split(b, all, 0, b.concat({size, size, b.list({-1})}), 3))
    list.push_back(b.reshape(p, b.list({1, heads, 1, -1})));
  return list;
}

// Whether x has its heads first already: by its rank, or computed from it.
static std::optional<bool> has_heads(const OutPort& x) {
  const auto rank = early_rank(x);
  if (!rank) return std::nullopt;
  require(*rank == 3 || *rank == 4, "an input of attention has ", *rank, " dimensions, expected 3 or 4");
  return *rank == 4;
}

static OutPort order_of_heads(const Build& b, const OutPort& x) {
  const OutPort three = b.op("Equal", "opset1", {b.rank(x), b.integer(3)});
  return b.select(three, b.list({0, 2, 1, 3}), b.list({0, 1, 2, 3}));
}

OutPort heads_of_input(const Build& b, const OutPort& x, int64_t heads, const OutPort& size) {
  const OutPort parts = heads != 0 ? b.list({0, 0, heads, -1}) : b.concat({b.list({0, 0, -1}), size});
  const auto known = has_heads(x);
  if (known && *known) return x;
  if (known) return b.transpose(b.reshape(x, parts, true), {0, 2, 1, 3});
  const OutPort three = b.op("Equal", "opset1", {b.rank(x), b.integer(3)});
  const OutPort shape = b.select(three, parts, b.list({0, 0, 0, -1}));
  return b.op("Transpose", "opset1", {b.reshape(x, shape, true), order_of_heads(b, x)});
}

OutPort heads_as_in(const Build& b, const OutPort& x, const OutPort& like) {
  const auto known = has_heads(like);
  if (known) return *known ? x : heads_merged(b, x);
  return b.reshape(b.op("Transpose", "opset1", {x, order_of_heads(b, like)}), b.shape_of(like));
}

OutPort heads_merged(const Build& b, const OutPort& x) {
  return b.reshape(b.transpose(x, {0, 2, 1, 3}), b.list({0, 0, -1}), true);
}

static OutPort as_type(const Build& b, const OutPort& f32, const OutPort& like) {
  const ElementType type = like.type();
  if (type == ElementType::unknown) return b.op("ConvertLike", "opset1", {f32, like});
  return type == ElementType::f32 ? f32 : b.convert(f32, type);
}

static OutPort scale_of(const Build& b, const Scores& s) {
  if (s.scale != 0) return b.like(s.like, s.scale);
  const auto f32 = [&](double v) {
    return b.constant(Tensor::filled(b.context(), ElementType::f32, {v}, {}));
  };
  const OutPort size = b.convert(b.squeeze(b.dim(s.query, 3), {0}), ElementType::f32);
  return as_type(b, b.op("Power", "opset1", {size, f32(-0.5)}), s.like);
}

OutPort attend(const Build& b, const Scores& s, Between* between) {
  OutPort scores = b.matmul(b.multiply(s.query, scale_of(b, s)), s.key, false, true);
  if (s.softcap > 0) {
    const OutPort cap = b.like(s.like, s.softcap);
    scores = b.multiply(b.op("Tanh", "opset1", {b.divide(scores, cap)}), cap);
  }
  for (const OutPort& m : s.masks)
    if (m) scores = b.add(scores, m);
  const auto softmax = [&](const OutPort& x) { return b.softmax(x, -1); };
  const auto weighted = [&](const OutPort& weights) {
    if (between) *between = {scores, weights};
    return b.matmul(weights, s.value);
  };
  if (!s.sink) return weighted(softmax(scores));
  const OutPort shape = b.concat({b.part(b.shape_of(s.query), 0, 3), b.list({1})});
  const Node sinks = b.node("Broadcast", "opset3", {s.sink, shape});
  sinks.set("mode", "bidirectional");
  const OutPort all = softmax(b.concat({scores, sinks.out_port()}, -1));
  return weighted(b.op("Slice", "opset8", {all, b.list({0}), b.list({-1}), b.list({1}), b.list({-1})}));
}

OutPort positions(const Build& b, const OutPort& count) {
  return b.range(b.integer(0), b.squeeze(count, {0}), 1);
}

OutPort mask_where(const Build& b, const OutPort& like, const OutPort& kept, double filler) {
  return b.select(kept, b.like(like, 0), b.like(like, filler));
}

double lowest(const OutPort& like) {
  switch (like.type()) {
    case ElementType::f16:
      return -65504;
    case ElementType::bf16:
      return -3.3895313892515355e38;
    default:
      return std::numeric_limits<float>::lowest();
  }
}

OutPort causal_mask(const Build& b, const OutPort& like, const OutPort& query, const OutPort& key,
                    const OutPort& past, double filler) {
  const OutPort row = b.unsqueeze(b.add(positions(b, b.dim(query, 2)), past), b.list({1}));
  return mask_where(b, like, b.op("LessEqual", "opset1", {positions(b, b.dim(key, 2)), row}), filler);
}

// The end of the keys of each sequence that count, and behind all of them, maybe, their starts.
static OutPort kept_by_length(const Build& b, const OutPort& lengths, const OutPort& query,
                              const OutPort& key) {
  const OutPort batch = b.dim(query, 0), all = b.convert(lengths, ElementType::i64);
  const OutPort column = b.reshape(positions(b, b.dim(key, 2)), b.list({1, 1, 1, -1}));
  const auto entry = [&](const OutPort& list) { return b.reshape(list, b.list({-1, 1, 1, 1})); };
  const auto from = [&](const OutPort& begin, const OutPort& end) {
    return b.op("Slice", "opset8", {all, begin, end, b.list({1}), b.list({0})});
  };
  const OutPort in_front = b.op("Less", "opset1", {column, entry(from(b.list({0}), batch))});
  const Shape s = lengths.shape(), q = b.in(0).shape();
  const bool has_starts = s.rank() == 1 && q.has_rank() && s[0].is_static() && q[0].is_static() &&
                          s[0].value() == 2 * q[0].value();
  if (!has_starts) return in_front;
  const OutPort behind =
      b.op("GreaterEqual", "opset1", {column, entry(from(batch, b.multiply(batch, b.list({2}))))});
  return b.op("LogicalAnd", "opset1", {in_front, behind});
}

// By lengths when the mask turns out to have one dimension, and else by a number for each key.
static OutPort kept_by_either(const Build& b, const OutPort& mask, const OutPort& key) {
  const OutPort rank = b.rank(mask), shape = b.shape_of(mask);
  const Node ones =
      b.node("Broadcast", "opset3", {b.integer(1), b.reshape(b.subtract(b.integer(4), rank), Ints{1})});
  ones.set("mode", "numpy");
  // [batch, 1, 1, 1], [batch, 1, 1, keys] or [batch, 1, queries, keys]
  const OutPort all =
      b.reshape(b.convert(mask, ElementType::i64),
                b.concat({b.part(shape, 0, 1), ones.out_port(), b.part(shape, 1, INT64_MAX)}));
  const OutPort column = b.reshape(positions(b, b.dim(key, 2)), b.list({1, 1, 1, -1}));
  const OutPort lengths = b.op("Equal", "opset1", {rank, b.integer(1)});
  return b.op("Greater", "opset1", {all, b.select(lengths, column, b.integer(0))});
}

OutPort key_mask(const Build& b, const OutPort& like, size_t i, const OutPort& query, const OutPort& key,
                 double filler) {
  if (!b.has(i)) return {};
  const OutPort mask = b.in(i);
  const Shape s = mask.shape(), q = b.in(0).shape();
  const auto rank = early_rank(mask);
  require(!rank || (*rank >= 1 && *rank <= 4), "input ", i, ", the mask, has shape ", s,
          ", expected 1 to 4 dimensions");
  if (rank == 1) {
    const bool packed = q.has_rank() && q[0].is_static() && s.rank() == 1 && s[0].is_static() &&
                        s[0].value() == 3 * q[0].value() + 2;
    require(!packed, "input ", i, ", the mask, has the lengths of sequences without padding, which is not ",
            "supported");
    return mask_where(b, like, kept_by_length(b, mask, query, key), filler);
  }
  // A mask of one column is a dummy.
  if (s.rank() == 2 && s[1] == Dim(1)) return {};
  const OutPort kept = b.op("Greater", "opset1", {mask, b.like(mask, 0)});
  if (!rank) return mask_where(b, like, kept_by_either(b, mask, key), filler);
  if (*rank == 2) return mask_where(b, like, b.unsqueeze(kept, b.list({1, 2})), filler);
  if (*rank == 3) return mask_where(b, like, b.unsqueeze(kept, b.list({1})), filler);
  // One square for the longest sequence: rows of these queries, columns of these keys.
  const OutPort rows = b.dim(query, 2), columns = b.dim(key, 2);
  const OutPort part = b.op("Slice", "opset8",
                            {kept, b.concat({b.subtract(columns, rows), b.list({0})}),
                             b.concat({columns, columns}), b.list({1, 1}), b.list({2, 3})});
  return mask_where(b, like, part, filler);
}

}  // namespace mo::onnx::ms
