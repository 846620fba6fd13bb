// SparseAttention: GroupQueryAttention that leaves out blocks of keys, by a constant list of those that
// count.
#include "support/key_cache.hpp"
#include "support/n_bits.hpp"

namespace mo::onnx {

namespace ms {

namespace sparse {

// Which blocks of keys a block of queries looks at: [layouts, blocks, blocks], from its rows and columns as
// "compressed sparse rows".
static Tensor block_mask(const Build& b) {
  const Tensor rows = n_bits::known(b, 5, "the rows of blocks"),
               columns = n_bits::known(b, 6, "the columns of blocks");
  require(rows.rank() == 2 && columns.rank() == 2 && rows.dim(0) == columns.dim(0) && rows.dim(0) > 0 &&
              rows.dim(1) > 1,
          "inputs 5 and 6, the blocks, have shapes ", rows.shape(), " and ", columns.shape(),
          ", expected [layouts, blocks + 1] and [layouts, entries]");
  const int64_t layouts = rows.dim(0), blocks = rows.dim(1) - 1, entries = columns.dim(1);
  const Ints first = rows.to_ints(), column = columns.to_ints();
  auto [mask, data] = Tensor::create_bytes(b.context(), ElementType::boolean, {layouts, blocks, blocks});
  auto* const kept = static_cast<uint8_t*>(data);
  for (int64_t l = 0; l < layouts; ++l)
    for (int64_t r = 0; r < blocks; ++r) {
      const auto at = static_cast<size_t>(l * (blocks + 1) + r);
      require(first[at] >= 0 && first[at] <= first[at + 1] && first[at + 1] <= entries, "input 5 gives row ",
              r, " the entries ", first[at], " to ", first[at + 1], " of ", entries);
      for (int64_t e = first[at]; e < first[at + 1]; ++e) {
        const int64_t c = column[static_cast<size_t>(l * entries + e)];
        require(c >= 0 && c < blocks, "input 6 has block ", c, " of ", blocks);
        kept[(l * blocks + r) * blocks + c] = 1;
      }
    }
  return std::move(mask);
}

// [batch, heads, queries, keys]: causal, and of blocks that count. Layouts take turns among the heads.
static OutPort kept(const Build& b, const SourceNode& n, const KeyLengths& l, const OutPort& key,
                    int64_t heads) {
  const auto size = n.native<int64_t>("sparse_block_size");
  require(size > 0, "attribute 'sparse_block_size' is ", size, ", expected at least 1");
  const Tensor blocks = block_mask(b);
  const int64_t layouts = blocks.dim(0);
  require(heads % layouts == 0, "attribute 'num_heads' is ", heads, ", expected a multiple of ", layouts,
          ", the layouts of input 5");
  const OutPort column = key_columns(b, key), row = query_rows(b, l);
  const OutPort last = b.integer(blocks.dim(1) - 1);
  // Room behind the last block is never looked at.
  const auto block_of = [&](const OutPort& position) {
    return b.op("Minimum", "opset1", {b.divide(position, b.integer(size)), last});
  };
  const OutPort rows = gather(b, b.constant(blocks), b.squeeze(block_of(row), {1, 3}), 1);
  const OutPort all = gather(b, rows, b.reshape(block_of(column), b.list({-1})), 3);
  OutPort by_head = b.transpose(all, {1, 0, 2, 3});
  if (heads != layouts) by_head = b.op("Tile", "opset1", {by_head, b.list({1, heads / layouts, 1, 1})});
  return b.op("LogicalAnd", "opset1", {b.op("LessEqual", "opset1", {column, row}), by_head});
}

}  // namespace sparse

static Ports sparse_attention(Build& b, const SourceNode& n) {
  const auto heads = n.native<int64_t>("num_heads"), groups = n.native<int64_t>("kv_num_heads");
  require(heads > 0 && groups > 0 && heads % groups == 0, "attributes 'num_heads' and 'kv_num_heads' are ",
          heads, " and ", groups, ", expected a multiple and a number above 0");
  const Ports parts = grouped_heads(b, heads, groups);
  const KeyLengths l = key_lengths(b, parts[0], b.in(8), b.in(7));
  Scores s;
  s.like = b.in(0);
  s.query = parts[0];
  OutPort key = parts[1];
  if (n.native("do_rotary", 0) != 0) {
    const Shape past = b.in(3).shape();
    const bool known = past.rank() == 4 && past[3].is_static();
    const Rotary r = cache_rotary(b, n, 9, 10, {}, l, known ? std::optional(past[3].value()) : std::nullopt);
    s.query = rotated(b, s.query, r);
    key = rotated(b, key, r);
  }
  key = with_fresh(b, b.in(3), key, l);
  const OutPort value = with_fresh(b, b.in(4), parts[2], l);
  s.key = repeated_heads(b, key, heads / groups, heads);
  s.value = repeated_heads(b, value, heads / groups, heads);
  s.scale = n.native("scale", 0.0);
  s.masks = {mask_where(b, b.in(0), sparse::kept(b, n, l, key, heads), lowest(b.in(0)))};
  Ports outputs{heads_merged(b, attend(b, s)), key, value};
  outputs.resize(std::min<size_t>(n.out_count(), 3));
  return outputs;
}

}  // namespace ms

void register_sparse_attention(Registry& r) {
  replace<ms::sparse_attention>(
      r, {"SparseAttention", "SparseAttention(q, k, v, past, blocks, lengths, …)",
          "SoftMax(q * k^T * scale + masks) * v, without the keys of some blocks", ms::domain});
}

}  // namespace mo::onnx
