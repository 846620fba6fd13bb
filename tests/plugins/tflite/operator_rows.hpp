// Models of one operator, and what TensorFlow Lite's own interpreter computes of them.
#pragma once

#include "tflite_file.hpp"

namespace mo::test::lite_rows {

struct Value {
  LiteType type;
  std::vector<int32_t> dims;
  std::vector<double> numbers;
  bool variable = false;
  bool absent = false;
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
};
inline void PrintTo(const Row& r, std::ostream* out) { *out << r.name; }

template <class T>
std::string bytes_as(const std::vector<double>& numbers) {
  std::vector<T> list;
  for (const double v : numbers) list.push_back(static_cast<T>(v));
  return lite_bytes(list);
}
inline std::string bytes_of(const Value& v) {
  switch (v.type) {
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

inline LiteFile model_of(const Row& row) {
  LiteFile file;
  LiteGraph& g = file.main();
  LiteOperator op{.code = row.code,
                  .options_type = row.options_type,
                  .options = row.options,
                  .custom = row.custom,
                  .custom_options = row.custom_options,
                  .version = row.version};
  for (const Value& v : row.inputs) {
    const std::string name = "in" + std::to_string(op.inputs.size());
    LiteTensor t{.name = name, .type = v.type, .dims = v.dims, .is_variable = v.variable};
    if (!v.variable) t.data = bytes_of(v);
    op.inputs.push_back(v.absent ? -1 : g.tensor(t));
  }
  for (const Value& v : row.outputs)
    op.outputs.push_back(
        g.output({.name = "out" + std::to_string(op.outputs.size()), .type = v.type, .dims = v.dims}));
  g.operators.push_back(op);
  return file;
}

std::vector<Row> all_rows();

}  // namespace mo::test::lite_rows
