// Operators on 8-bit matrices that say how these are stored: by rows, which is how everything is stored here,
// by columns, or in the tiles of one vendor's GPUs. What reads and writes such bytes puts them in order.
#include "support/attention.hpp"
#include "support/early_rank.hpp"
#include "support/microsoft_quantized.hpp"

namespace mo::onnx {

namespace ms {

namespace ordered {

// How the bytes of a matrix lie: cublasLtOrder_t, which the operators' documentation refers to.
enum Order : int64_t { by_columns = 0, by_rows = 1, by_32 = 2, by_8_of_32 = 3, by_32_of_32 = 4 };

// Bytes as a tensor whose dimensions are parts of the rows and of the columns; `to_rows` puts those of the
// rows first. A size of 0 is what is left of the columns, and of the rows.
struct Tiles {
  int64_t rows, columns;
  Ints sizes;
  std::vector<size_t> to_rows;
};

static const Tiles& tiles_of(int64_t order) {
  static const Tiles columns{1, 1, {0, 0}, {1, 0}}, strips{1, 32, {0, 0, 32}, {1, 0, 2}},
      // Within 8 rows of 32: even rows and odd ones, then 4 columns, the row of these, the column.
      turing{8, 32, {0, 0, 2, 8, 4, 4}, {1, 4, 2, 0, 3, 5}},
      // Within 32 rows of 32: pairs of rows of 8, which 8, the row of the pair, the column.
      ampere{32, 32, {0, 0, 4, 4, 2, 32}, {1, 3, 2, 4, 0, 5}};
  if (order == by_32) return strips;
  if (order == by_8_of_32) return turing;
  return order == by_32_of_32 ? ampere : columns;
}

static int64_t order_of(const SourceNode& n, const char* attribute) {
  const auto order = n.native(attribute, int64_t{by_rows});
  require(order >= by_columns && order <= by_32_of_32, "attribute '", attribute, "' is ", order,
          ", expected 0 to 4");
  return order;
}

static OutPort part_of(const Build& b, const OutPort& dim, int64_t tile) {
  return tile == 1 ? dim : b.divide(dim, b.list({tile}));
}

// Sizes of the tiles, behind those of the batch. `in_rows` has those of a row first.
static OutPort tile_sizes(const Build& b, const Tiles& t, const OutPort& rows, const OutPort& columns,
                          bool in_rows) {
  Ports all{b.list({-1})};
  for (size_t i = 0; i < t.sizes.size(); ++i) {
    const size_t at = in_rows ? t.to_rows[i] : i;
    if (at == 0)
      all.push_back(part_of(b, columns, t.columns));
    else if (at == 1)
      all.push_back(part_of(b, rows, t.rows));
    else
      all.push_back(b.list({t.sizes[at]}));
  }
  return b.concat(all);
}

// [batch, rows, columns] of the bytes of `x`.
static OutPort matrices(const Build& b, const OutPort& x, int64_t order, const OutPort& rows,
                        const OutPort& columns) {
  const Tiles& t = tiles_of(order);
  Ints turn{0};
  for (const size_t from : t.to_rows) turn.push_back(static_cast<int64_t>(from) + 1);
  const OutPort parts = b.transpose(b.reshape(x, tile_sizes(b, t, rows, columns, false)), turn);
  return b.reshape(parts, b.concat({b.list({-1}), rows, columns}));
}

static OutPort rows_in(const Build& b, const OutPort& x) {
  return early_rank(x) == 1 ? b.list({1}) : b.dim(x, -2);
}

// A tensor that is stored in this order, by rows.
static OutPort to_rows(const Build& b, const OutPort& x, int64_t order) {
  if (order == by_rows) return x;
  return b.reshape(matrices(b, x, order, rows_in(b, x), b.dim(x, -1)), b.shape_of(x));
}
static OutPort from_rows(const Build& b, const OutPort& x, int64_t order) {
  if (order == by_rows) return x;
  const Tiles& t = tiles_of(order);
  Ints turn(t.to_rows.size() + 1);
  for (size_t i = 0; i < t.to_rows.size(); ++i) turn[t.to_rows[i] + 1] = static_cast<int64_t>(i) + 1;
  const OutPort parts = b.reshape(x, tile_sizes(b, t, rows_in(b, x), b.dim(x, -1), true));
  return b.reshape(b.transpose(parts, turn), b.shape_of(x));
}

// Zero points are 0.
static OutPort numbers(const Build& b, size_t i, int64_t order) {
  return dequantized(b, to_rows(b, b.in(i), order), as_scalar(b, b.in(i + 1)), OutPort());
}
static OutPort bytes(const Build& b, const OutPort& y, size_t scale, int64_t order = by_rows) {
  return from_rows(b, requantized(b, y, as_scalar(b, b.in(scale)), OutPort(), ElementType::i8), order);
}

// Matrix i of [rows, columns], turned when its bytes go along the columns: that of weights which are
// multiplied with is stored turned, and the turned matrix in tiles.
struct Weights {
  OutPort w;
  bool turned;
};
static Weights weights(const Build& b, size_t i, size_t scales, int64_t order, const char* attribute) {
  const bool turned = order != by_rows;
  OutPort w = b.in(i);
  if (turned) {
    const auto value = b.constant(i);
    require(value && value->rank() == 2, "attribute '", attribute, "' is ", order,
            ", which needs constant weights of two dimensions in input ", i);
    const Ints dims{value->dim(1), value->dim(0)};
    if (order == by_columns) {
      w = b.constant(value->reshaped(b.context(), dims));
    } else {
      const Tiles& t = tiles_of(order);
      require(dims[0] % t.rows == 0 && dims[1] % t.columns == 0, "input ", i, ", the weights, has shape ",
              value->shape(), ", expected multiples of ", t.columns, " and ", t.rows, " for order ", order);
      w = b.reshape(matrices(b, w, order, b.list({dims[0]}), b.list({dims[1]})), b.list(dims));
    }
  }
  const Shape s = b.in(scales).shape();
  OutPort scale = b.in(scales);
  if (s.rank() == 1 && s[0] == Dim(1))
    scale = as_scalar(b, scale);
  else if (turned && s.rank() == 1)
    scale = b.reshape(scale, Ints{-1, 1});
  return {dequantized(b, w, scale, OutPort()), turned};
}

}  // namespace ordered

static Ports quantize_with_order(Build& b, const SourceNode& n) {
  const OutPort x = ordered::to_rows(b, b.in(0), ordered::order_of(n, "order_input"));
  return {ordered::bytes(b, x, 1, ordered::order_of(n, "order_output"))};
}

static Ports dequantize_with_order(Build& b, const SourceNode& n) {
  const auto to = n.native<int64_t>("to");
  require(to == 1 || to == 10, "attribute 'to' is ", to, ", expected 1 for f32 or 10 for f16");
  const OutPort y = ordered::numbers(b, 0, ordered::order_of(n, "order_input"));
  return {ordered::from_rows(b, b.convert(y, to == 1 ? ElementType::f32 : ElementType::f16),
                             ordered::order_of(n, "order_output"))};
}

static Ports q_ordered_matmul(Build& b, const SourceNode& n) {
  const auto a = ordered::order_of(n, "order_A"), w = ordered::order_of(n, "order_B"),
             y = ordered::order_of(n, "order_Y");
  const bool tiled = w > ordered::by_rows;
  const auto wanted = tiled ? ordered::by_32 : ordered::by_rows;
  require(a == wanted && y == wanted, "attributes 'order_A', 'order_B' and 'order_Y' are ", a, ", ", w,
          " and ", y, "; expected 'order_A' and 'order_Y' ", int64_t{wanted}, " with this 'order_B'");
  const auto [weights, turned] = ordered::weights(b, 2, 3, w, "order_B");
  OutPort sum = plus_input(b, b.matmul(ordered::numbers(b, 0, a), weights, false, turned), 5);
  if (b.has(6)) sum = b.add(sum, ordered::numbers(b, 6, y));
  return {ordered::bytes(b, sum, 4, y)};
}

// Each byte by itself, wherever it is.
static Ports q_ordered_gelu(Build& b, const SourceNode& n) {
  const auto x = ordered::order_of(n, "order_X"), y = ordered::order_of(n, "order_Y");
  require(x == y, "attributes 'order_X' and 'order_Y' are ", x, " and ", y, ", expected the same");
  return {ordered::bytes(b, gelu(b, ordered::numbers(b, 0, ordered::by_rows), false), 2)};
}

static Ports q_ordered_layer_normalization(Build& b, const SourceNode& n) {
  const auto x = ordered::order_of(n, "order_X"), order = ordered::order_of(n, "order_Y");
  require(x == order, "attributes 'order_X' and 'order_Y' are ", x, " and ", order, ", expected the same");
  const auto f32 = [&](size_t i) { return b.has(i) ? b.convert(b.in(i), ElementType::f32) : OutPort(); };
  const OutPort y = layer_norm(b, ordered::numbers(b, 0, x), f32(2), f32(3), n.native("epsilon", 1e-5), false,
                               axis_of(n, -1))
                        .y;
  return {ordered::bytes(b, y, 4, order)};
}

// Everything in between is rounded to 8 bits, too; masked keys do not take part.
static Ports q_ordered_attention(Build& b, const SourceNode& n) {
  const auto heads = n.native<int64_t>("num_heads");
  require(heads > 0, "attribute 'num_heads' is ", heads, ", expected at least 1");
  require(n.native("unidirectional", 0) == 0,
          "attribute 'unidirectional' is 1, which its kernel does not do");
  require(!b.has(18) && !b.has(19), "inputs 18 and 19, past and bias of the scores, are not supported");
  const auto rounded = [&](const OutPort& y, size_t scale) {
    const OutPort s = as_scalar(b, b.in(scale));
    return dequantized(b, requantized(b, y, s, OutPort(), ElementType::i8), s, OutPort());
  };
  const OutPort x = ordered::numbers(b, 0, ordered::order_of(n, "order_input"));
  const auto order = ordered::order_of(n, "order_weight");
  const auto projected = [&](size_t i) {
    const auto [w, turned] = ordered::weights(b, 5 + i, 8 + i, order, "order_weight");
    const OutPort y = plus_input(b, b.matmul(x, w, false, turned), 11 + i);
    return heads_first(b, rounded(y, 2 + i), heads);
  };
  const OutPort query = projected(0), key = projected(1), value = projected(2);
  const OutPort size = b.convert(b.squeeze(b.dim(query, 3), {0}), ElementType::f32);
  OutPort scores = b.divide(rounded(b.matmul(query, key, false, true), 14), b.op("Sqrt", "opset1", {size}));
  const OutPort like = b.in(11);
  if (const OutPort mask = key_mask(b, like, 17, query, key, lowest(like))) scores = b.add(scores, mask);
  const Node weights = b.node("SoftMax", "opset8", {scores});
  weights.set("axis", -1);
  const OutPort y = heads_merged(b, b.matmul(rounded(weights.out_port(), 15), value));
  return {ordered::bytes(b, y, 16, ordered::order_of(n, "order_output"))};
}

}  // namespace ms

void register_q_ordered(Registry& r) {
  using namespace ms;
  replace<quantize_with_order>(r, {"QuantizeWithOrder", "QuantizeWithOrder(x, s)", "quantized x", domain});
  replace<dequantize_with_order>(
      r, {"DequantizeWithOrder", "DequantizeWithOrder(x, s)", "Multiply(Convert(x), s)", domain});
  replace<q_ordered_matmul>(r, {"QOrderedMatMul", "QOrderedMatMul(a, …, b, …, bias, c)",
                                "quantized Add(Add(MatMul(a, b), bias), c)", domain});
  replace<q_ordered_gelu>(r, {"QOrderedGelu", "QOrderedGelu(x, …)", "quantized Gelu(x)", domain});
  replace<q_ordered_attention>(
      r, {"QOrderedAttention", "QOrderedAttention(x, …, wq, wk, wv, …, mask)",
          "quantized SoftMax(q * k^T * scale + mask) * v, with q, k and v, scores and weights quantized",
          domain});
  replace<q_ordered_layer_normalization>(
      r, {"QOrderedLayerNormalization", "QOrderedLayerNormalization(x, …, w, b)",
          "quantized Add(Multiply(MVN(x), w), b)", domain});
}

}  // namespace mo::onnx
