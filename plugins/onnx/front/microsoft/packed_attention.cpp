// Sequences without padding, one behind the other: RemovePadding, RestorePadding, and attention on what is
// between them, PackedAttention and PackedMultiHeadAttention. The padding is on the right of each sequence.
#include "support/attention.hpp"

namespace mo::onnx {

namespace ms {

namespace packed {

// [batch, length] of `offsets`: places of all tokens, then those of the padding.
static OutPort places(const Build& b, const OutPort& offsets, const OutPort& tokens) {
  const OutPort all = b.convert(b.reshape(offsets, b.list({-1})), ElementType::i64);
  return b.op("Slice", "opset8", {all, b.list({0}), b.dim(tokens, 0), b.list({1}), b.list({0})});
}

// [tokens, size] as [batch, length, size] with zeros.
static OutPort restored(const Build& b, const OutPort& x, const OutPort& offsets) {
  const OutPort shape = b.shape_of(offsets), size = b.dim(x, 1);
  const OutPort all = b.reduce("ReduceProd", shape, b.list({0}), true);
  const Node zeros = b.node("Broadcast", "opset3", {b.like(x, 0), b.concat({all, size})});
  zeros.set("mode", "numpy");
  const OutPort at = b.unsqueeze(places(b, offsets, x), b.list({1}));
  const OutPort y = b.op("ScatterNDUpdate", "opset4", {zeros.out_port(), at, x});
  return b.reshape(y, b.concat({shape, size}));
}

// [batch, length, size] without the padding.
static OutPort removed(const Build& b, const OutPort& x, const OutPort& places) {
  return gather(b, b.reshape(x, b.concat({b.list({-1}), b.dim(x, 2)})), places, 0);
}

struct Inputs {
  size_t offsets, ends, bias;
};

// The query, key and value of `s` have their heads first and zeros where the padding is.
static OutPort attended(const Build& b, const SourceNode& n, Scores s, const Inputs& in) {
  const OutPort ends = b.convert(b.in(in.ends), ElementType::i64);
  const OutPort lengths = b.subtract(b.part(ends, 1, INT64_MAX), b.part(ends, 0, -1));
  const OutPort column = b.reshape(positions(b, b.dim(s.key, 2)), b.list({1, 1, 1, -1}));
  const OutPort kept = b.op("Less", "opset1", {column, b.unsqueeze(lengths, b.list({1, 2, 3}))});
  s.scale = n.native("scale", 0.0);
  s.masks = {optional(b, in.bias), mask_where(b, s.like, kept, lowest(s.like))};
  return removed(b, heads_merged(b, attend(b, s)), places(b, b.in(in.offsets), b.in(0)));
}

static int64_t heads(const SourceNode& n) {
  const auto count = n.native<int64_t>("num_heads");
  require(count > 0, "attribute 'num_heads' is ", count, ", expected at least 1");
  return count;
}

}  // namespace packed

static Ports remove_padding(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0), counts = b.convert(b.in(1), ElementType::i64);
  const OutPort column = b.unsqueeze(positions(b, b.dim(x, 1)), b.list({0}));
  const OutPort is_token = b.op("Less", "opset1", {column, b.unsqueeze(counts, b.list({1}))});
  const auto numbers = [&](const OutPort& where) {
    const Node found = b.node("NonZero", "opset3", {b.reshape(where, b.list({-1}))});
    found.set("output_type", ElementType::i64);
    return b.squeeze(found.out_port(), {0});
  };
  const OutPort tokens = numbers(is_token);
  const auto as_counts = [&](const OutPort& y) { return b.convert(y, ElementType::i32); };
  Ports outputs{packed::removed(b, x, tokens)};
  outputs.resize(std::min<size_t>(n.out_count(), 4));
  const auto wants = [&](size_t i) { return i < outputs.size() && b.wants(i); };
  if (wants(1)) {
    const OutPort padding = numbers(b.op("LogicalNot", "opset1", {is_token}));
    outputs[1] = as_counts(b.reshape(b.concat({tokens, padding}), b.part(b.shape_of(x), 0, 2)));
  }
  if (wants(2)) {
    const Node sums = b.node("CumSum", "opset3", {counts, b.integer(0)});
    sums.set("exclusive", false).set("reverse", false);
    outputs[2] = as_counts(b.concat({b.list({0}), sums.out_port()}));
  }
  if (wants(3)) outputs[3] = as_counts(b.reduce("ReduceMax", counts, b.list({0}), true));
  return outputs;
}

static Ports restore_padding(Build& b, const SourceNode&) { return {packed::restored(b, b.in(0), b.in(1))}; }

static Ports packed_attention(Build& b, const SourceNode& n) {
  const auto heads = packed::heads(n);
  const OutPort all = plus_input(b, b.matmul(b.in(0), b.in(1)), 2);
  const auto sizes = n.find_native<Ints>("qkv_hidden_sizes").value_or(Ints{});
  require(sizes.empty() || sizes.size() == 3, "attribute 'qkv_hidden_sizes' has ", sizes.size(),
          " entries, expected 3");
  const Ports parts = sizes.empty() ? split(b, all, 1, 3) : split(b, all, 1, b.list(sizes), 3);
  const auto part = [&](size_t i) { return heads_first(b, packed::restored(b, parts[i], b.in(3)), heads); };
  Scores s;
  s.like = b.in(0);
  s.query = part(0);
  s.key = part(1);
  s.value = part(2);
  return {packed::attended(b, n, s, {3, 4, 5})};
}

static Ports packed_multi_head_attention(Build& b, const SourceNode& n) {
  const auto heads = packed::heads(n);
  require(b.has(1) == b.has(2), "of inputs 1 and 2, key and value, one is left out");
  Ports parts;
  if (b.has(1)) {
    parts = {b.in(0), b.in(1), b.in(2)};
  } else {
    for (const OutPort& p : split(b, b.in(0), 2, 3)) parts.push_back(b.reshape(p, b.list({0, -1}), true));
  }
  const auto part = [&](size_t i, const OutPort& bias) {
    const OutPort x = bias ? b.add(parts[i], bias) : parts[i];
    return heads_first(b, packed::restored(b, x, b.in(4)), heads);
  };
  Ports biases(3);
  if (b.has(3)) {
    const OutPort size = b.dim(parts[0], 1);
    biases = split(b, b.in(3), 0, b.concat({size, size, b.list({-1})}), 3);
  }
  Scores s;
  s.like = b.in(0);
  s.query = part(0, biases[0]);
  s.key = part(1, biases[1]);
  s.value = part(2, biases[2]);
  return {packed::attended(b, n, s, {4, 5, 6})};
}

}  // namespace ms

void register_packed_attention(Registry& r) {
  using namespace ms;
  replace<remove_padding>(
      r, {"RemovePadding", "RemovePadding(x, lengths)", "Gather(x, places of tokens)", domain});
  replace<restore_padding>(
      r, {"RestorePadding", "RestorePadding(x, places)", "ScatterNDUpdate(0, places, x)", domain});
  replace<packed_attention>(
      r, {"PackedAttention", "PackedAttention(x, w, b, places, lengths, bias)",
          "q, k, v = Split(x * w + b), with padding; SoftMax(q * k^T * scale + masks) * v, without", domain});
  replace<packed_multi_head_attention>(
      r, {"PackedMultiHeadAttention", "PackedMultiHeadAttention(q, k, v, b, places, lengths, bias)",
          "SoftMax(q * k^T * scale + masks) * v, with padding, then without", domain});
}

}  // namespace mo::onnx
