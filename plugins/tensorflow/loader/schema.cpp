#include "loader/schema.hpp"

namespace mo::tensorflow {

namespace {
struct DataTypeInfo {
  DataType type;
  std::string_view name;
  ElementType element;
};
constexpr ElementType none = ElementType::unknown;
constexpr std::array<DataTypeInfo, 27> data_types{{
    {DataType::f32, "DT_FLOAT", ElementType::f32},
    {DataType::f64, "DT_DOUBLE", ElementType::f64},
    {DataType::i32, "DT_INT32", ElementType::i32},
    {DataType::u8, "DT_UINT8", ElementType::u8},
    {DataType::i16, "DT_INT16", ElementType::i16},
    {DataType::i8, "DT_INT8", ElementType::i8},
    {DataType::string, "DT_STRING", ElementType::string},
    {DataType::complex64, "DT_COMPLEX64", none},
    {DataType::i64, "DT_INT64", ElementType::i64},
    {DataType::boolean, "DT_BOOL", ElementType::boolean},
    {DataType::qint8, "DT_QINT8", ElementType::i8},
    {DataType::quint8, "DT_QUINT8", ElementType::u8},
    {DataType::qint32, "DT_QINT32", ElementType::i32},
    {DataType::bf16, "DT_BFLOAT16", ElementType::bf16},
    {DataType::qint16, "DT_QINT16", ElementType::i16},
    {DataType::quint16, "DT_QUINT16", ElementType::u16},
    {DataType::u16, "DT_UINT16", ElementType::u16},
    {DataType::complex128, "DT_COMPLEX128", none},
    {DataType::half, "DT_HALF", ElementType::f16},
    {DataType::resource, "DT_RESOURCE", none},
    {DataType::variant, "DT_VARIANT", none},
    {DataType::u32, "DT_UINT32", ElementType::u32},
    {DataType::u64, "DT_UINT64", ElementType::u64},
    {DataType::f8e5m2, "DT_FLOAT8_E5M2", ElementType::f8e5m2},
    {DataType::f8e4m3, "DT_FLOAT8_E4M3FN", ElementType::f8e4m3},
    {DataType::int4, "DT_INT4", ElementType::i8},
    {DataType::uint4, "DT_UINT4", ElementType::u8},
}};
const DataTypeInfo* info_of(DataType type) {
  for (const DataTypeInfo& i : data_types)
    if (i.type == type) return &i;
  return nullptr;
}
}  // namespace

ElementType element_type_of(DataType type) {
  const DataTypeInfo* i = info_of(type);
  return i == nullptr ? none : i->element;
}

std::string_view data_type_name(DataType type) {
  const DataTypeInfo* i = info_of(type);
  return i == nullptr ? "DT_INVALID" : i->name;
}

DataType data_type_of_name(std::string_view name) {
  for (const DataTypeInfo& i : data_types)
    if (i.name.substr(3) == name) return i.type;
  return DataType::invalid;
}

DataType data_type(uint64_t number) {
  constexpr uint64_t reference = 100;
  const auto type = static_cast<DataType>(number > reference ? number - reference : number);
  return number <= 2 * reference && info_of(type) != nullptr ? type : DataType::invalid;
}

}  // namespace mo::tensorflow
