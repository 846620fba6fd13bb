#include "support/attention.hpp"
#include "support/rotary.hpp"

namespace mo::onnx {

namespace ms {

// One number is the position of the first token of each sequence; else each token has its own.
static OutPort token_positions(const Build& b, const OutPort& ids, const OutPort& length) {
  const OutPort all = b.convert(ids, ElementType::i64), from_zero = positions(b, length);
  const Shape s = ids.shape();
  if (s.has_rank()) return s.rank() == 1 ? add(b, all, from_zero) : all;
  const OutPort single = b.convert(b.op("Equal", "opset1", {b.rank(ids), b.integer(1)}), ElementType::i64);
  return add(b, all, multiply(b, from_zero, single));
}

// Heads by their number, or else by their size, which is twice the width of the tables.
static OutPort with_heads(const Build& b, const SourceNode& n) {
  const auto heads = n.native("num_heads", 0);
  require(heads >= 0, "attribute 'num_heads' is ", heads, ", expected at least 1");
  if (heads != 0) return heads_first(b, b.in(0), heads);
  require(n.native("rotary_embedding_dim", 0) == 0,
          "attribute 'rotary_embedding_dim' is there, and 'num_heads' is missing");
  const OutPort size = multiply(b, b.dim(b.in(2), 1), b.list({2}));
  return transpose(b, b.reshape(b.in(0), b.concat({b.list({0, 0, -1}), size}), true), {0, 2, 1, 3});
}

static Ports rotary_embedding(Build& b, const SourceNode& n) {
  require(n.native("is_packed_batching", 0) == 0,
          "attribute 'is_packed_batching' is 1: sequences without padding are not supported");
  const Shape s = b.in(0).shape();
  Rotary r;
  r.cosines = b.in(2);
  r.sines = b.in(3);
  r.interleaved = n.native("interleaved", 0) != 0;
  r.whole = n.native("rotary_embedding_dim", 0) == 0;
  // Without a rank the input is taken for one of 3 dimensions; those of 4 come from a Transpose or a graph
  // input.
  const bool merged = !s.has_rank() || s.rank() == 3;
  const OutPort x = merged ? with_heads(b, n) : b.in(0);
  r.positions = token_positions(b, b.in(1), b.dim(x, 2));
  const OutPort y = rotated(b, x, r);
  return {merged ? heads_merged(b, y) : y};
}

}  // namespace ms

void register_rotary_embedding(Registry& r) {
  replace<ms::rotary_embedding>(
      r, {"RotaryEmbedding", "RotaryEmbedding(x, positions, cos, sin)",
          "x1, x2 = Split(x); Concat(x1 * cos - x2 * sin, x2 * cos + x1 * sin)", ms::domain});
}

}  // namespace mo::onnx
