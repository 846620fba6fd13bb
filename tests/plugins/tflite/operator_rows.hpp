// Models of one operator, and what TensorFlow Lite's own interpreter computes of them.
#pragma once

#include "tflite_file.hpp"

#include <cmath>

namespace mo::test::lite_rows {

struct Value {
  LiteType type;
  std::vector<int32_t> dims;
  std::vector<double> numbers;
  bool variable = false;
  bool absent = false;
  LiteQuantization quantization = {};
  std::vector<double> block_scales = {};
  std::vector<LiteSparseDim> sparse = {};
  std::vector<int32_t> order = {}, block_map = {};
};
inline Value f(std::vector<int32_t> dims, std::vector<double> numbers) {
  return {LiteType::f32, std::move(dims), std::move(numbers)};
}
inline Value i(std::vector<int32_t> dims, std::vector<double> numbers) {
  return {LiteType::i32, std::move(dims), std::move(numbers)};
}
inline Value b(std::vector<int32_t> dims, std::vector<double> numbers) {
  return {LiteType::boolean, std::move(dims), std::move(numbers)};
}
inline Value state(std::vector<int32_t> dims) { return {LiteType::f32, std::move(dims), {}, true}; }
inline Value none() { return {LiteType::f32, {}, {}, false, true}; }
// -1, -0.9, … of this many elements, in an order that tells them apart.
inline Value spread(std::vector<int32_t> dims, double scale = 1) {
  int32_t count = 1;
  for (const int32_t d : dims) count *= d;
  std::vector<double> numbers;
  for (int32_t k = 0; k < count; ++k) numbers.push_back(scale * (((k * 7) % 11) - 5) / 10.0);
  return f(std::move(dims), numbers);
}

// What it computes is in operator_values.txt.
struct Row {
  std::string name;
  int32_t code;
  std::vector<Value> inputs;
  std::vector<Value> outputs;
  uint8_t options_type = 0;
  std::vector<LiteOption> options = {};
  int32_t version = 1;
  std::string custom = {}, custom_options = {};
  bool second_options = false;
  std::vector<Value> intermediates = {};
  double within = 0;   // so much may its numbers differ
  int32_t after = -1;  // an operator that takes the output, for one that interpreters do not run alone
  int32_t body = -1;   // the operator of a second sub-graph, of two scalars
  std::vector<LiteGraph> graphs = {};  // further sub-graphs
};
inline void PrintTo(const Row& r, std::ostream* out) { *out << r.name; }

template <class T>
std::string bytes_as(const std::vector<double>& numbers) {
  std::vector<T> list;
  for (const double v : numbers) list.push_back(static_cast<T>(v));
  return lite_bytes(list);
}
// Integers of a few bits, the lowest bits first.
inline std::string packed(const std::vector<double>& numbers, unsigned bits) {
  std::string bytes((numbers.size() * bits + 7) / 8, '\0');
  for (size_t k = 0; k < numbers.size(); ++k) {
    const auto part = static_cast<unsigned>(static_cast<int>(numbers[k])) & ((1U << bits) - 1);
    char& byte = bytes[k * bits / 8];
    byte = static_cast<char>(static_cast<unsigned char>(byte) | (part << (k * bits % 8)));
  }
  return bytes;
}
// Powers of two in 16 bits.
inline std::string halves(const std::vector<double>& numbers) {
  std::vector<uint16_t> list;
  for (const double v : numbers) list.push_back(static_cast<uint16_t>((std::ilogb(v) + 15) << 10));
  return lite_bytes(list);
}
inline std::string bytes_of(const Value& v) {
  switch (v.type) {
    case LiteType::i4:
      return packed(v.numbers, 4);
    case LiteType::i2:
      return packed(v.numbers, 2);
    case LiteType::i8:
      return bytes_as<int8_t>(v.numbers);
    case LiteType::i16:
      return bytes_as<int16_t>(v.numbers);
    case LiteType::f16:
      return halves(v.numbers);
    case LiteType::f32:
    case LiteType::complex64:
      return bytes_as<float>(v.numbers);
    case LiteType::i64:
      return bytes_as<int64_t>(v.numbers);
    case LiteType::boolean:
    case LiteType::u8:
      return bytes_as<uint8_t>(v.numbers);
    default:
      return bytes_as<int32_t>(v.numbers);
  }
}

inline LiteGraph body_of(int32_t code, LiteType type) {
  LiteGraph g;
  const int32_t x = g.input({.name = "x", .type = type}), y = g.input({.name = "y", .type = type});
  const int32_t z = g.output({.name = "z", .type = type});
  g.operators.push_back({.code = code, .inputs = {x, y}, .outputs = {z}});
  return g;
}

inline LiteFile model_of(const Row& row) {
  LiteFile file;
  LiteGraph& g = file.main();
  LiteOperator op{.code = row.code,
                  .options_type = row.options_type,
                  .options = row.options,
                  .custom = row.custom,
                  .custom_options = row.custom_options,
                  .second_options = row.second_options,
                  .version = row.version};
  const auto tensor_of = [](const Value& v, const std::string& name) {
    LiteTensor t{.name = name, .type = v.type, .dims = v.dims, .quantization = v.quantization};
    t.is_variable = v.variable;
    t.sparse = v.sparse;
    t.order = v.order;
    t.block_map = v.block_map;
    return t;
  };
  for (const Value& v : row.inputs) {
    LiteTensor t = tensor_of(v, "in" + std::to_string(op.inputs.size()));
    if (!v.variable) t.data = bytes_of(v);
    if (!v.block_scales.empty())
      t.quantization.block_scales =
          g.tensor({.name = t.name + "_scales",
                    .type = LiteType::f16,
                    .dims = {v.dims[0], static_cast<int32_t>(v.block_scales.size()) / v.dims[0]},
                    .data = halves(v.block_scales)});
    op.inputs.push_back(v.absent ? -1 : g.tensor(t));
  }
  for (const Value& v : row.intermediates)
    op.intermediates.push_back(g.tensor(tensor_of(v, "within" + std::to_string(op.intermediates.size()))));
  for (const Value& v : row.outputs)
    op.outputs.push_back(g.output(tensor_of(v, "out" + std::to_string(op.outputs.size()))));
  g.operators.push_back(op);
  if (row.after >= 0) {
    const int32_t last = g.output({.name = "after", .dims = row.outputs[0].dims});
    g.outputs = {last};
    g.operators.push_back({.code = row.after, .inputs = {op.outputs[0]}, .outputs = {last}});
  }
  if (row.body >= 0) file.graphs.push_back(body_of(row.body, row.inputs[0].type));
  file.graphs.insert(file.graphs.end(), row.graphs.begin(), row.graphs.end());
  return file;
}

// More of them, each in a file of its own.
std::vector<Row> quantized_rows();
std::vector<Row> stablehlo_rows();

std::vector<Row> all_rows();

}  // namespace mo::test::lite_rows
