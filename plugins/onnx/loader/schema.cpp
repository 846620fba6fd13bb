#include "loader/schema.hpp"

#include <array>

namespace mo::onnx {

namespace {
struct DataType {
  std::string_view name;
  ElementType type;
  ElementType holder = ElementType::unknown;  // where the IR has no such type
};
constexpr std::array<DataType, 27> data_types{{
    {"undefined", ElementType::unknown},
    {"float", ElementType::f32},
    {"uint8", ElementType::u8},
    {"int8", ElementType::i8},
    {"uint16", ElementType::u16},
    {"int16", ElementType::i16},
    {"int32", ElementType::i32},
    {"int64", ElementType::i64},
    {"string", ElementType::string},
    {"bool", ElementType::boolean},
    {"float16", ElementType::f16},
    {"double", ElementType::f64},
    {"uint32", ElementType::u32},
    {"uint64", ElementType::u64},
    {"complex64", ElementType::unknown},
    {"complex128", ElementType::unknown},
    {"bfloat16", ElementType::bf16},
    {"float8e4m3fn", ElementType::f8e4m3},
    {"float8e4m3fnuz", ElementType::unknown, ElementType::f16},
    {"float8e5m2", ElementType::f8e5m2},
    {"float8e5m2fnuz", ElementType::unknown, ElementType::f16},
    {"uint4", ElementType::u4},
    {"int4", ElementType::i4},
    {"float4e2m1", ElementType::f4e2m1},
    {"float8e8m0", ElementType::f8e8m0},
    {"uint2", ElementType::u2},
    {"int2", ElementType::unknown, ElementType::i4},
}};
bool is_data_type(int64_t n) { return n >= 0 && n < static_cast<int64_t>(data_types.size()); }
}  // namespace

ElementType element_type_of_onnx(int64_t data_type) {
  return is_data_type(data_type) ? data_types[static_cast<size_t>(data_type)].type : ElementType::unknown;
}

ValueType value_type_of_onnx(int64_t data_type) {
  if (!is_data_type(data_type)) return {};
  const DataType& d = data_types[static_cast<size_t>(data_type)];
  if (d.holder == ElementType::unknown) return d.type;
  return {d.holder, static_cast<Held>(data_type)};
}

std::string_view name_of(Held type) { return data_type_name(static_cast<int64_t>(type)); }

std::string_view data_type_name(int64_t data_type) {
  return is_data_type(data_type) ? data_types[static_cast<size_t>(data_type)].name : "an unknown type";
}

int64_t data_type_of_name(std::string_view name) {
  for (size_t i = 0; i < data_types.size(); ++i)
    if (data_types[i].name == name) return static_cast<int64_t>(i);
  return 0;
}

}  // namespace mo::onnx
