#include "support/attention.hpp"
#include "support/early_rank.hpp"
#include "support/rotary.hpp"

namespace mo::onnx {

namespace ms {

// One number is the position of the first token of each sequence; else each token has its own.
static OutPort token_positions(const Build& b, const OutPort& ids, const OutPort& length) {
  const OutPort all = b.convert(ids, ElementType::i64), from_zero = positions(b, length);
  if (const auto rank = early_rank(ids)) return *rank == 1 ? add(b, all, from_zero) : all;
  const OutPort single = b.convert(b.op("Equal", "opset1", {b.rank(ids), b.integer(1)}), ElementType::i64);
  return add(b, all, multiply(b, from_zero, single));
}

static Ports rotary_embedding(Build& b, const SourceNode& n) {
  require(n.native("is_packed_batching", 0) == 0,
          "attribute 'is_packed_batching' is 1: sequences without padding are not supported");
  const auto heads = n.native("num_heads", 0);
  require(heads >= 0, "attribute 'num_heads' is ", heads, ", expected at least 1");
  Rotary r;
  r.cosines = b.in(2);
  r.sines = b.in(3);
  r.interleaved = n.native("interleaved", 0) != 0;
  r.whole = n.native("rotary_embedding_dim", 0) == 0;
  require(r.whole || heads != 0 || early_rank(b.in(0)) == 4,
          "attribute 'rotary_embedding_dim' is there, and 'num_heads' is missing");
  // Without their number, heads have twice the width of the tables.
  const OutPort size = heads == 0 ? multiply(b, b.dim(b.in(2), 1), b.list({2})) : OutPort();
  const OutPort x = heads_of_input(b, b.in(0), heads, size);
  r.positions = token_positions(b, b.in(1), b.dim(x, 2));
  return {heads_as_in(b, rotated(b, x, r), b.in(0))};
}

}  // namespace ms

void register_rotary_embedding(Registry& r) {
  replace<ms::rotary_embedding>(
      r, {"RotaryEmbedding", "RotaryEmbedding(x, positions, cos, sin)",
          "x1, x2 = Split(x); Concat(x1 * cos - x2 * sin, x2 * cos + x1 * sin)", ms::domain});
}

}  // namespace mo::onnx
