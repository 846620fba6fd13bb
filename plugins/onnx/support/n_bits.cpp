#include "support/n_bits.hpp"

namespace mo::onnx::ms::n_bits {

static ElementType unsigned_type(int64_t bits) {
  switch (bits) {
    case 2:
      return ElementType::u2;
    case 4:
      return ElementType::u4;
    case 8:
      return ElementType::u8;
    default:
      fail("attribute 'bits' is ", bits, ", expected 2, 4 or 8");
  }
}

Tensor known(const Build& b, size_t i, std::string_view what) {
  auto t = b.constant(i);
  if (!t) {
    // Tied embeddings are the weights of the last layer, reshaped: what is computed from constants is one.
    b.graph().infer_marked();
    t = b.constant(i);
  }
  require(t.has_value(), "input ", i, ", ", what, ", is not a constant");
  return *t;
}

// Rows of `count` numbers whose bytes are filled up at the end become dense.
Tensor dense(const Build& b, const Tensor& packed, int64_t rows, int64_t count, int64_t width) {
  const ElementType type = unsigned_type(width);
  const auto row_bytes = static_cast<uint64_t>((count * width + 7) / 8);
  require(packed.bytes() == static_cast<uint64_t>(rows) * row_bytes, "packed numbers have ", packed.bytes(),
          " bytes, expected ", rows, " times ", row_bytes);
  if (count * width % 8 == 0) return packed.slice(b.context(), 0, type, {rows, count});
  const auto [t, data] = Tensor::create_bytes(b.context(), type, {rows, count});
  auto* const out = static_cast<uint8_t*>(data);
  const auto* const in = static_cast<const uint8_t*>(packed.data());
  const auto each = static_cast<uint64_t>(width);
  const auto mask = static_cast<uint8_t>((1U << each) - 1);
  uint64_t to = 0;
  for (uint64_t r = 0; r < static_cast<uint64_t>(rows); ++r)
    for (uint64_t from = r * row_bytes * 8, k = 0; k < static_cast<uint64_t>(count);
         ++k, from += each, to += each) {
      const auto v = static_cast<unsigned>((in[from / 8] >> (from % 8)) & mask);
      out[to / 8] = static_cast<uint8_t>(out[to / 8] | (v << (to % 8)));
    }
  return t;
}

// Without zero points the middle of the range is taken; they may be packed, or of the type of the scales.
static OutPort zero_points(const Build& b, size_t i, const Blocks& d, ElementType type) {
  if (!b.has(i)) {
    const int64_t middle = int64_t{1} << (d.bits - 1);
    if (d.bits != 4) return b.constant(Tensor::filled(b.context(), type, {static_cast<double>(middle)}, {}));
    // Devices take it into their product in 4 bits only where it has the type of the weights.
    const auto [point, data] = Tensor::create_bytes(b.context(), unsigned_type(d.bits), {});
    *static_cast<uint8_t*>(data) = static_cast<uint8_t>(middle);
    const OutPort converted = b.convert(b.constant(point), type);
    converted.node().set(MO_ATTR_STOP_VALUE, true);
    return converted;
  }
  const Tensor t = known(b, i, "the zero points");
  const Ints dims{d.rows, d.blocks, 1};
  if (t.type() != ElementType::u8) {
    require(t.size() == static_cast<size_t>(d.rows * d.blocks), "input ", i, ", the zero points, has ",
            t.size(), " numbers, expected ", d.rows, " times ", d.blocks);
    return b.convert(b.constant(t.reshaped(b.context(), dims)), type);
  }
  const Tensor points = dense(b, t, d.rows, d.blocks, d.bits);
  return converted_packed(b, b.constant(points.reshaped(b.context(), dims)), type);
}

// [rows, blocks * size] as numbers of the type of the scales.
OutPort weights(const Build& b, const Tensor& bytes, size_t scales, size_t points, const Blocks& d) {
  const Ints dims{d.rows, d.blocks, d.size};
  const Tensor packed = dense(b, bytes, d.rows * d.blocks, d.size, d.bits).reshaped(b.context(), dims);
  const Tensor s = known(b, scales, "the scales");
  require(s.size() == static_cast<size_t>(d.rows * d.blocks), "input ", scales, ", the scales, has ",
          s.size(), " numbers, expected ", d.rows, " times ", d.blocks);
  const ElementType type = s.type();
  const OutPort scale = b.constant(s.reshaped(b.context(), {d.rows, d.blocks, 1}));
  const OutPort centred =
      b.subtract(converted_packed(b, b.constant(packed), type), zero_points(b, points, d, type));
  return b.reshape(b.multiply(centred, scale), b.list({d.rows, d.blocks * d.size}));
}

int64_t block_size(const SourceNode& n) {
  const auto size = n.native<int64_t>("block_size");
  require(size >= 16 && size <= 65536 && (size & (size - 1)) == 0, "attribute 'block_size' is ", size,
          ", expected a power of 2 from 16 on");
  return size;
}

OutPort first_columns(const Build& b, const OutPort& x, int64_t count, int64_t have) {
  if (count == have) return x;
  return b.op("Slice", "opset8", {x, b.list({0}), b.list({count}), b.list({1}), b.list({1})});
}

}  // namespace mo::onnx::ms::n_bits
