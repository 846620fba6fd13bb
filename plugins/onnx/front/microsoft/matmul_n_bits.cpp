// Products with weights of 2, 4 or 8 bits, and rows gathered from such a table. The weights stay packed:
// Constant(u4) -> Convert -> Subtract -> Multiply -> Reshape, which runtimes take for compressed weights.
#include "support/n_bits.hpp"

#include <numeric>

namespace mo::onnx {

namespace ms {

// With g_idx, columns of a block are scattered: column k is in block g_idx[k], also where zero points are
// concerned. They are put one behind the other, and those of x in the same order.
static std::optional<Ints> order_of_columns(const Build& b, int64_t depth, int64_t size) {
  if (!b.has(4)) return {};
  const Ints groups = n_bits::known(b, 4, "g_idx").to_ints();
  require(static_cast<int64_t>(groups.size()) == depth, "input 4, g_idx, has ", groups.size(),
          " entries, expected ", depth);
  Ints order(groups.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t l, int64_t r) {
    return groups[static_cast<size_t>(l)] < groups[static_cast<size_t>(r)];
  });
  for (size_t i = 0; i < order.size(); ++i)
    require(groups[static_cast<size_t>(order[i])] == static_cast<int64_t>(i) / size,
            "input 4, g_idx, gives some block not ", size, " columns, which is not supported");
  return order;
}

// Packed rows of `depth` numbers with the numbers in this order.
static Tensor reordered(const Build& b, const Tensor& packed, const Ints& order, int64_t rows,
                        int64_t row_bytes, int64_t width) {
  const auto [t, data] = Tensor::create_bytes(b.context(), packed.type(), packed.dims());
  auto* const out = static_cast<uint8_t*>(data);
  const auto* const in = static_cast<const uint8_t*>(packed.data());
  const auto each = static_cast<size_t>(width), row_size = static_cast<size_t>(row_bytes);
  for (size_t r = 0; r < static_cast<size_t>(rows); ++r)
    for (size_t k = 0; k < order.size(); ++k) {
      const size_t from = static_cast<size_t>(order[k]) * each, to = k * each;
      const unsigned v = in[r * row_size + from / 8] >> (from % 8) & ((1U << each) - 1);
      uint8_t& byte = out[r * row_size + to / 8];
      byte = static_cast<uint8_t>(byte | v << (to % 8));
    }
  return t;
}

static Ports matmul_n_bits(Build& b, const SourceNode& n) {
  const auto columns = n.native<int64_t>("N"), depth = n.native<int64_t>("K");
  constexpr int64_t most = int64_t{1} << 40;
  require(columns > 0 && depth > 0 && columns < most && depth < most, "attributes 'N' and 'K' are ", columns,
          " and ", depth, ", expected numbers above 0");
  const int64_t size = n_bits::block_size(n);
  const auto width = n.native<int64_t>("bits", 4);
  Tensor packed = n_bits::known(b, 1, "the weights");
  const int64_t blocks = (depth + size - 1) / size;
  require(static_cast<int64_t>(packed.bytes()) / columns >= blocks, "input 1, the weights, has shape ",
          packed.shape(), ", expected [", columns, ',', blocks, ',', size * width / 8, ']');
  OutPort x = b.in(0);
  if (const auto order = order_of_columns(b, depth, size)) {
    packed = reordered(b, packed, *order, columns, blocks * size * width / 8, width);
    x = gather(b, x, b.list(*order), -1);
  }
  OutPort w = n_bits::weights(b, packed, 2, 3, {columns, blocks, size, width});
  w = n_bits::first_columns(b, w, depth, blocks * size);
  const ElementType type = b.in(0).type();
  if (type != b.in(2).type())
    w = type == ElementType::unknown ? b.op("ConvertLike", "opset1", {w, b.in(0)}) : b.convert(w, type);
  return {plus_input(b, b.matmul(x, w, false, true), 5)};
}

// A table of embeddings whose last dimension comes in blocks.
// A table whose type says how many bits its numbers have; zero points are 0 where none are given.
static OutPort typed_table(const Build& b, const SourceNode& n, const Tensor& t) {
  const auto rank = static_cast<int64_t>(t.rank()), axis = n.native("quantize_axis", 1);
  require(axis >= -rank && axis < rank, "attribute 'quantize_axis' is ", axis, ", and the table has shape ",
          t.shape());
  const size_t at = normalize_axis(axis, t.rank());
  const bool whole = n.native<int64_t>("block_size", 128) == 0;
  require(!whole || is_float(t.type()), "attribute 'block_size' is 0, which only tables of floats have");
  const Blocks blocks(b, b.in(0), static_cast<int64_t>(at), whole ? t.dim(at) : n_bits::block_size(n));
  const ElementType type = n_bits::known(b, 2, "the scales").type();
  const OutPort points = b.has(3) ? blocks.parameter(b.in(3)) : OutPort();
  return blocks.whole(dequantized(b, blocks.data(), blocks.parameter(b.in(2)), points, type));
}

static Ports gather_block_quantized(Build& b, const SourceNode& n) {
  const Tensor t = n_bits::known(b, 0, "the table");
  if (t.type() != ElementType::u8) {
    const bool known = t.type() == ElementType::u4 || t.type() == ElementType::i4 ||
                       t.type() == ElementType::f8e4m3 || t.type() == ElementType::f8e5m2 ||
                       t.type() == ElementType::f4e2m1;
    require(known, "input 0, the table, is of type ", name(t.type()),
            ", expected u8, u4, i4 or a small float");
    return {gather(b, typed_table(b, n, t), b.in(1), n.native("gather_axis", 0))};
  }
  const auto width = n.native<int64_t>("bits", 4);
  const Tensor scales = n_bits::known(b, 2, "the scales");
  const auto rank = static_cast<int64_t>(t.rank());
  require(rank >= 2 && scales.rank() == t.rank(), "input 0, the table, has shape ", t.shape(),
          ", and the scales ", scales.shape(), ", expected as many dimensions, and at least 2");
  const auto axis = n.native("quantize_axis", 1), gathered = n.native("gather_axis", 0);
  require(axis == rank - 1 || axis == -1, "attribute 'quantize_axis' is ", axis, ", expected the last axis");
  require(gathered >= -rank && gathered < rank - 1 && gathered != -1, "attribute 'gather_axis' is ", gathered,
          ", expected another axis than the last one");
  const int64_t size = n_bits::block_size(n), blocks = scales.dim(t.rank() - 1), last = t.dim(t.rank() - 1);
  const int64_t columns = last * 8 / width;
  Ints dims = t.dims();
  dims.pop_back();
  int64_t rows = 1;
  for (const int64_t d : dims) rows *= d;
  require(static_cast<int64_t>(scales.size()) == rows * blocks && columns == blocks * size,
          "input 2, the scales, has shape ", scales.shape(), ", expected one for each ", size, " of ",
          columns, " columns");
  OutPort table = n_bits::weights(b, t, 2, 3, {rows, blocks, size, width});
  if (rank != 2) {
    dims.push_back(columns);
    table = b.reshape(table, b.list(dims));
  }
  return {gather(b, table, b.in(1), gathered)};
}

}  // namespace ms

void register_matmul_n_bits(Registry& r) {
  using namespace ms;
  replace<matmul_n_bits>(
      r, {"MatMulNBits", "MatMulNBits(x, w, scales, zeros, bias)",
          "Add(MatMul(x, Reshape(Multiply(Subtract(Convert(w), zeros), scales))), bias)", domain});
  replace<gather_block_quantized>(
      r, {"GatherBlockQuantized", "GatherBlockQuantized(table, indices, scales, zeros)",
          "Gather(Reshape(Multiply(Subtract(Convert(table), zeros), scales)), indices)", domain});
}

}  // namespace mo::onnx
