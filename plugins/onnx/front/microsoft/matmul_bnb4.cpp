// MatMulBnb4: weights of bitsandbytes, which are places in a table of 16 numbers, in blocks with a factor
// each. They stay packed: Constant(u4) -> Convert -> Gather from the table -> Multiply -> Reshape.
#include "support/n_bits.hpp"

namespace mo::onnx {

namespace ms {

namespace bnb4 {

// "4-bit NormalFloat" of QLoRA (arXiv 2305.14314, appendix E).
static const std::vector<double> nf4{-1.0,
                                     -0.6961928009986877,
                                     -0.5250730514526367,
                                     -0.39491748809814453,
                                     -0.28444138169288635,
                                     -0.18477343022823334,
                                     -0.09105003625154495,
                                     0.0,
                                     0.07958029955625534,
                                     0.16093020141124725,
                                     0.24611230194568634,
                                     0.33791524171829224,
                                     0.44070982933044434,
                                     0.5626170039176941,
                                     0.7229568362236023,
                                     1.0};

// A sign, and eighths of 12 that bitsandbytes chose; no float of 4 bits has the second one.
static std::vector<double> fp4() {
  std::vector<double> table{0, 5.208333333e-03, 2.0 / 3, 1, 1.0 / 3, 0.5, 1.0 / 6, 0.25};
  for (size_t i = 0; i < 8; ++i) table.push_back(-table[i]);
  return table;
}

// The first of two numbers is in the higher bits there, and in the lower ones here. Zeros fill up the last
// block.
static Tensor places(const Build& b, const Tensor& packed, int64_t count, const Ints& dims) {
  require(packed.type() == ElementType::u8 && packed.bytes() == static_cast<uint64_t>((count + 1) / 2),
          "input 1, the weights, has ", packed.bytes(), " bytes, expected ", (count + 1) / 2);
  auto [t, data] = Tensor::create_bytes(b.context(), ElementType::u4, dims);
  const auto* const in = static_cast<const uint8_t*>(packed.data());
  auto* const out = static_cast<uint8_t*>(data);
  for (uint64_t i = 0; i < packed.bytes(); ++i) out[i] = static_cast<uint8_t>(in[i] << 4U | in[i] >> 4U);
  return std::move(t);
}

static OutPort weights(const Build& b, const SourceNode& n, int64_t rows, int64_t columns) {
  const auto kind = n.native<int64_t>("quant_type");
  require(kind == 0 || kind == 1, "attribute 'quant_type' is ", kind, ", expected 0 for FP4 or 1 for NF4");
  const int64_t size = n_bits::block_size(n);
  require(rows > 0 && columns > 0 && rows <= (INT64_MAX - size) / columns, "attributes 'N' and 'K' are ",
          rows, " and ", columns, ", expected numbers above 0");
  const int64_t count = rows * columns, blocks = (count + size - 1) / size;
  const Tensor factors = n_bits::known(b, 2, "the factors of blocks");
  require(factors.size() == static_cast<size_t>(blocks), "input 2, the factors of blocks, has ",
          factors.size(), " numbers, expected ", blocks);
  const ElementType type = factors.type();
  const Tensor packed = n_bits::known(b, 1, "the weights");
  const Node indices = b.node("Convert", "opset1", {b.constant(places(b, packed, count, {blocks, size}))});
  indices.set("destination_type", ElementType::i32).set(MO_ATTR_STOP_VALUE, true);
  const Tensor table = Tensor::filled(b.context(), type, kind == 1 ? nf4 : fp4(), {16});
  const OutPort numbers = gather(b, b.constant(table), indices.out_port(), 0);
  OutPort w = multiply(b, numbers, b.constant(factors.reshaped(b.context(), {blocks, 1})));
  if (blocks * size != count)
    w = b.op("Slice", "opset8",
             {b.reshape(w, b.list({-1})), b.list({0}), b.list({count}), b.list({1}), b.list({0})});
  return b.reshape(w, b.list({rows, columns}));
}

}  // namespace bnb4

static Ports matmul_bnb4(Build& b, const SourceNode& n) {
  const OutPort w = bnb4::weights(b, n, n.native<int64_t>("N"), n.native<int64_t>("K"));
  return {matmul(b, b.in(0), w, false, n.native("transB", 1) != 0)};
}

}  // namespace ms

void register_matmul_bnb4(Registry& r) {
  replace<ms::matmul_bnb4>(r,
                           {"MatMulBnb4", "MatMulBnb4(x, w, factors)",
                            "MatMul(x, Reshape(Multiply(Gather(table, Convert(w)), factors)))", ms::domain});
}

}  // namespace mo::onnx
