// Attention of several heads, whose queries, keys and values lie beside one another: [time, batch, heads *
// parts * size].
#include "support/numbers.hpp"
#include "support/registering.hpp"
#include "support/shapes.hpp"

#include <cmath>

namespace mo::mxnet {

namespace attention {

// One of `count` parts, [batch, heads, time, size].
static OutPort part(const Build& b, const SourceNode& n, const OutPort& x, int64_t index, int64_t count) {
  const auto heads = n.native<int64_t>("heads");
  require(heads > 0, "attribute 'heads' is ", heads);
  if (count == 1) return b.transpose(b.reshape(x, Ints{0, 0, heads, -1}), {1, 2, 0, 3});
  const Node parts = b.node("Split", "opset1", {b.reshape(x, Ints{0, 0, heads, count, -1}), b.integer(3)},
                            static_cast<uint32_t>(count));
  parts.set("num_splits", count);
  return b.transpose(b.squeeze(parts.out_port(static_cast<size_t>(index)), {3}), {1, 2, 0, 3});
}

static OutPort product(const Build& b, const OutPort& x, const OutPort& y, bool turned) {
  return b.matmul(x, y, false, turned);
}

// [batch * heads, time of the queries, time of the keys]
static OutPort weights(const Build& b, const OutPort& queries, const OutPort& keys, const OutPort& times,
                       const OutPort& others) {
  const double size = static_cast<double>(dim_of(b, queries, 3));
  const OutPort scaled = b.divide(queries, b.like(queries, std::sqrt(size)));
  return b.reshape(product(b, scaled, keys, true), b.concat({b.list({-1}), times, others}));
}

static OutPort weighted(const Build& b, const SourceNode& n, const OutPort& values) {
  const OutPort all = b.reshape(
      b.in(1), b.concat({b.list({-1, n.native<int64_t>("heads")}), b.dim(b.in(1), 1), b.dim(b.in(1), 2)}));
  return b.reshape(b.transpose(product(b, all, values, false), {2, 0, 1, 3}), Ints{0, 0, -1});
}

static Ports own_weights(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0), time = b.dim(x, 0);
  return {weights(b, part(b, n, x, 0, 3), part(b, n, x, 1, 3), time, time)};
}
static Ports own_values(Build& b, const SourceNode& n) { return {weighted(b, n, part(b, n, b.in(0), 2, 3))}; }

static Ports others_weights(Build& b, const SourceNode& n) {
  return {
      weights(b, part(b, n, b.in(0), 0, 1), part(b, n, b.in(1), 0, 2), b.dim(b.in(0), 0), b.dim(b.in(1), 0))};
}
static Ports others_values(Build& b, const SourceNode& n) {
  return {weighted(b, n, part(b, n, b.in(0), 1, 2))};
}

}  // namespace attention

void register_attention(Registry& r) {
  convert<attention::own_weights>(r, "_contrib_interleaved_matmul_selfatt_qk",
                                  "interleaved_matmul_selfatt_qk(x)",
                                  "MatMul(Divide(queries, sqrt(size)), Transpose(keys))");
  convert<attention::own_values>(r, "_contrib_interleaved_matmul_selfatt_valatt",
                                 "interleaved_matmul_selfatt_valatt(x, weights)", "MatMul(weights, values)");
  convert<attention::others_weights>(r, "_contrib_interleaved_matmul_encdec_qk",
                                     "interleaved_matmul_encdec_qk(queries, x)",
                                     "MatMul(Divide(queries, sqrt(size)), Transpose(keys))");
  convert<attention::others_values>(r, "_contrib_interleaved_matmul_encdec_valatt",
                                    "interleaved_matmul_encdec_valatt(x, weights)",
                                    "MatMul(weights, values)");
}

}  // namespace mo::mxnet
