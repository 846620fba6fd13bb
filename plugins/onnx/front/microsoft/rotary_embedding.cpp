#include "support/attention.hpp"
#include "support/early_rank.hpp"
#include "support/rotary.hpp"

namespace mo::onnx {

namespace ms {

// One number is the position of the first token of each sequence; else each token has its own.
static OutPort token_positions(const Build& b, const OutPort& ids, const OutPort& length) {
  const OutPort all = b.convert(ids, ElementType::i64), from_zero = positions(b, length);
  if (const auto rank = early_rank(ids)) return *rank == 1 ? b.add(all, from_zero) : all;
  const OutPort single = b.convert(b.op("Equal", "opset1", {b.rank(ids), b.integer(1)}), ElementType::i64);
  return b.add(all, b.multiply(from_zero, single));
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
  const OutPort size = heads == 0 ? b.multiply(b.dim(b.in(2), 1), b.list({2})) : OutPort();
  const OutPort x = heads_of_input(b, b.in(0), heads, size);
  r.positions = token_positions(b, b.in(1), b.dim(x, 2));
  return {heads_as_in(b, rotated(b, x, r), b.in(0))};
}

// Which of three positions of a token, in time, height and width, turns each pair.
static std::vector<int> position_of_pairs(const SourceNode& n) {
  const auto sections = n.native<Ints>("mrope_section");
  require(sections.size() == 3 && *std::min_element(sections.begin(), sections.end()) >= 0,
          "attribute 'mrope_section' is ", sections, ", expected three numbers of at least 0");
  const auto layout = n.native("mrope_layout", 0);
  require(layout == 0 || layout == 1, "attribute 'mrope_layout' is ", layout, ", expected 0 or 1");
  const int64_t pairs = sections[0] + sections[1] + sections[2];
  require(pairs <= 65536, "attribute 'mrope_section' is ", sections, ", expected smaller numbers");
  std::vector<int> which(static_cast<size_t>(pairs), 0);
  for (int64_t i = 0; i < pairs; ++i) {
    int& w = which[static_cast<size_t>(i)];
    if (layout == 0)
      w = i < sections[0] ? 0 : i < sections[0] + sections[1] ? 1 : 2;
    else if (i % 3 != 0 && i < 3 * sections[static_cast<size_t>(i % 3)])
      w = static_cast<int>(i % 3);
  }
  return which;
}

// A table of [3, batch, length, pairs] as [batch, length, pairs].
static OutPort of_positions(const Build& b, const OutPort& table, const std::vector<int>& which) {
  const Ports streams = split(b, table, 0, 3);
  OutPort y = b.squeeze(streams[0], {0});
  for (const int w : {1, 2}) {
    const auto count = static_cast<int64_t>(which.size());
    std::vector<double> mine;
    for (const int v : which) mine.push_back(v == w ? 1 : 0);
    const OutPort mask = b.constant(Tensor::filled(b.context(), ElementType::boolean, mine, {count}));
    y = b.select(mask, b.squeeze(streams[static_cast<size_t>(w)], {0}), y);
  }
  return y;
}

static Ports m_rotary_embedding(Build& b, const SourceNode& n) {
  require(n.native("is_packed_batching", 0) == 0,
          "attribute 'is_packed_batching' is 1: sequences without padding are not supported");
  const auto heads = n.native("num_heads", 0), width = n.native("rotary_embedding_dim", 0);
  require(heads >= 0 && width >= 0, "attributes 'num_heads' and 'rotary_embedding_dim' are ", heads, " and ",
          width, ", expected at least 0");
  require(width == 0 || heads != 0 || early_rank(b.in(0)) == 4,
          "attribute 'rotary_embedding_dim' is there, and 'num_heads' is missing");
  const auto which = position_of_pairs(n);
  const OutPort places = b.convert(b.in(1), ElementType::i64);
  Rotary r;
  r.cosines = of_positions(b, gather(b, b.in(2), places, 0), which);
  r.sines = of_positions(b, gather(b, b.in(3), places, 0), which);
  r.interleaved = n.native("interleaved", 0) != 0;
  r.whole = width == 0;
  const OutPort size = heads == 0 ? b.multiply(b.dim(b.in(2), 1), b.list({2})) : OutPort();
  const OutPort x = heads_of_input(b, b.in(0), heads, size);
  return {heads_as_in(b, rotated(b, x, r), b.in(0))};
}

}  // namespace ms

void register_rotary_embedding(Registry& r) {
  replace<ms::rotary_embedding>(
      r, {"RotaryEmbedding", "RotaryEmbedding(x, positions, cos, sin)",
          "x1, x2 = Split(x); Concat(x1 * cos - x2 * sin, x2 * cos + x1 * sin)", ms::domain});
  replace<ms::m_rotary_embedding>(
      r, {"MRotaryEmbedding", "MRotaryEmbedding(x, three positions, cos, sin)",
          "cos, sin by one of the positions each; Concat(x1 * cos - x2 * sin, x2 * cos + x1 * sin)",
          ms::domain});
}

}  // namespace mo::onnx
