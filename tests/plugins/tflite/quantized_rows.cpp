// Operators of quantized tensors, and constants that are packed, or listed in part.
#include "operator_rows.hpp"

namespace mo::test::lite_rows {

namespace {

using Dims = std::vector<int32_t>;
constexpr int8_t tanh_activation = 4;
constexpr int32_t neg = 59;

int32_t count_of(const Dims& dims) {
  int32_t count = 1;
  for (const int32_t d : dims) count *= d;
  return count;
}

// Integers from -most to most in an order that tells them apart.
Value integers(LiteType type, const Dims& dims, double most, float scale, int64_t zero = 0,
               int32_t start = 0) {
  std::vector<double> numbers;
  const auto span = static_cast<int64_t>(2 * most + 1);
  for (int32_t k = 0; k < count_of(dims); ++k)
    numbers.push_back(static_cast<double>(((k + start) * int64_t{7919} + 5) % span) - most);
  Value v{type, dims, numbers};
  v.quantization = {{scale}, {zero}};
  return v;
}
Value i8(const Dims& dims, float scale, int64_t zero = 0, int32_t start = 0) {
  return integers(LiteType::i8, dims, 120, scale, zero, start);
}
Value kept(LiteType type, const Dims& dims, float scale, int64_t zero = 0) {
  Value v = state(dims);
  v.type = type;
  v.quantization = {{scale}, {zero}};
  return v;
}
Value without_values(Value v) {
  v.numbers.clear();
  return v;
}

constexpr float cells = 1.0F / 4096, x_scale = 1.0F / 64, w_scale = 1.0F / 100, hidden = 1.0F / 120,
                out_scale = 1.0F / 40, norm = 1.0F / 20000;

// x [1, 3, 2], 4 cells, 3 outputs with a projection. `sums` is the scale in front of normalizations, 0: there
// are none.
std::vector<Value> quantized_lstm_inputs(bool projection, bool coupled, float sums) {
  const int32_t out = projection ? 3 : 4;
  const float h_scale = projection ? out_scale : hidden;
  const int64_t h_zero = projection ? -4 : 3;
  std::vector<Value> list{i8({1, 3, 2}, x_scale, -3)};
  for (const int32_t width : {2, out})
    for (int32_t g = 0; g < 4; ++g)
      list.push_back(coupled && g == 0 ? none() : i8({4, width}, w_scale, 0, 11 * g + width));
  for (int g = 0; g < 3; ++g) list.push_back(none());
  const float bias = sums > 0 ? norm / 1024 : x_scale * w_scale;
  for (int32_t g = 0; g < 4; ++g)
    list.push_back(coupled && g == 0 ? none()
                                     : integers(LiteType::i32, {4}, sums > 0 ? 9000000 : 3000, bias, 0, g));
  list.push_back(projection ? i8({out, 4}, w_scale, 0, 5) : none());
  list.push_back(none());
  list.push_back(kept(LiteType::i8, {1, out}, h_scale, h_zero));
  list.push_back(kept(LiteType::i16, {1, 4}, cells));
  for (int32_t g = 0; g < 4; ++g)
    list.push_back(sums == 0 || (coupled && g == 0) ? none()
                                                    : integers(LiteType::i16, {4}, 30000, norm, 0, 3 * g));
  return list;
}
Row lstm_row(const std::string& name, bool projection, bool coupled, float sums) {
  Row row{name, 44, quantized_lstm_inputs(projection, coupled, sums), {}, 71, {}, 3};
  row.options = {{0, tanh_activation}, {1, 0.0F}, {2, 0.0F}, {3, false}};
  const Dims shape{1, 3, projection ? 3 : 4};
  row.outputs = {without_values(projection ? i8(shape, out_scale, -4) : i8(shape, hidden, 3))};
  for (int g = 0; g < 4; ++g)
    row.intermediates.push_back(without_values(integers(LiteType::i16, {1}, 1, sums > 0 ? sums : cells)));
  row.intermediates.push_back(without_values(i8({1}, hidden, 3)));
  row.within = 1;
  return row;
}

Row svdf_row() {
  Row row{"q_svdf", 27, {}, {without_values(i8({1, 2}, 1.0F / 16, 7))}, 6, {{0, 2}, {1, int8_t{1}}}, 3};
  row.inputs = {i8({1, 3}, x_scale, 2), i8({4, 3}, w_scale, 0, 3),
                integers(LiteType::i16, {4, 5}, 20000, 1.0F / 16384, 0, 7),
                integers(LiteType::i32, {2}, 9000, 1.0F / 8192 / 16384),
                kept(LiteType::i16, {1, 20}, 1.0F / 8192)};
  row.within = 1;
  return row;
}

// Rows 1 and 0 of a table, which gives the constant as it is.
Row looked_up(const std::string& name, Value table) {
  const int32_t columns = table.dims[1];
  return {name, 7, {i({2}, {1, 0}), std::move(table)}, {f({2, columns}, {})}, 0, {}, 5};
}
std::vector<Row> packed_rows() {
  Value four = integers(LiteType::i4, {2, 6}, 7, 0.5F), two = integers(LiteType::i2, {2, 8}, 1, 0.25F);
  four.numbers.back() = -8;
  two.numbers[2] = -2;
  Value by_row = four, two_by_row = two;
  by_row.quantization = {{0.5F, 0.125F}, {0, 0}, 0};
  two_by_row.quantization = {{0.5F, 0.125F}, {0, 0}, 0};
  Value blocks = integers(LiteType::i4, {2, 64}, 7, 1);
  blocks.quantization = {.block = 32};
  blocks.block_scales = {0.5, 0.25, 0.125, 1};
  return {looked_up("lookup_i4", four), looked_up("lookup_i4_rows", by_row), looked_up("lookup_i2", two),
          looked_up("lookup_i2_rows", two_by_row), looked_up("lookup_i4_blocks", blocks)};
}

std::vector<Row> sparse_rows() {
  // [[1, 0, 2], [0, 0, 3]] by rows.
  Value rows = f({2, 3}, {1, 2, 3});
  rows.sparse = {{.size = 2}, {.sparse = true, .segments = {0, 2, 3}, .indices = {0, 2, 2}}};
  // [[0, 0, 1, 2], [0, 0, 3, 4], [5, 6, 0, 0], [7, 8, 0, 0]] in blocks of 2 x 2.
  Value blocks = f({4, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  blocks.sparse = {
      {.size = 2}, {.sparse = true, .segments = {0, 1, 2}, .indices = {1, 0}}, {.size = 2}, {.size = 2}};
  blocks.order = {0, 1, 2, 3};
  blocks.block_map = {0, 1};
  Row row{"densify_rows", 124, {rows}, {f({2, 3}, {})}};
  row.after = neg;
  Row block_row{"densify_blocks", 124, {blocks}, {f({4, 4}, {})}};
  block_row.after = neg;
  return {row, block_row};
}

}  // namespace

std::vector<Row> quantized_rows() {
  std::vector<Row> rows{lstm_row("q_sequence_lstm", false, false, 0),
                        lstm_row("q_sequence_lstm_coupled", true, true, 0),
                        lstm_row("q_sequence_lstm_projection", true, false, 0),
                        lstm_row("q_sequence_lstm_norms", true, false, 1.0F / 8192),
                        lstm_row("q_sequence_lstm_norms_cut", true, false, 1.0F / 131072),
                        svdf_row()};
  for (const auto& part : {packed_rows(), sparse_rows()}) rows.insert(rows.end(), part.begin(), part.end());
  return rows;
}

}  // namespace mo::test::lite_rows
