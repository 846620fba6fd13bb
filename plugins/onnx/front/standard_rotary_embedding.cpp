// RotaryEmbedding of ONNX itself (from version 23 on): its tables come before the positions, which may be
// left out.
#include "support/attention.hpp"
#include "support/rotary.hpp"

namespace mo::onnx {

static Ports standard_rotary_embedding(Build& b, const SourceNode& n) {
  const auto heads = n.native("num_heads", 0), width = n.native("rotary_embedding_dim", 0);
  require(heads >= 0 && width >= 0, "attributes 'num_heads' and 'rotary_embedding_dim' are ", heads, " and ",
          width, ", expected at least 0");
  ms::Rotary r;
  r.cosines = b.in(1);
  r.sines = b.in(2);
  if (b.has(3)) r.positions = b.convert(b.in(3), ElementType::i64);
  r.interleaved = n.native("interleaved", 0) != 0;
  r.whole = width == 0;
  // Without their number, heads have twice the width of the tables.
  const OutPort size = heads == 0 ? b.multiply(b.dim(b.in(1), -1), b.list({2})) : OutPort();
  const OutPort x = ms::heads_of_input(b, b.in(0), heads, size);
  return {ms::heads_as_in(b, ms::rotated(b, x, r), b.in(0))};
}

void register_standard_rotary_embedding(Registry& r) {
  replace<standard_rotary_embedding>(r,
                                     {"RotaryEmbedding", "RotaryEmbedding(x, cos, sin, positions)",
                                      "x1, x2 = Split(x); Concat(x1 * cos - x2 * sin, x2 * cos + x1 * sin)"});
}

}  // namespace mo::onnx
