// Element types: names, sizes, and the C++ types that hold them.
#pragma once

#include <mo/plugin.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace mo {

// Whether this is a set of OpenVINO's: "opset1", "opset2", … Sets of vendors have other names, "opset_acme"
// included.
constexpr bool is_operation_set(std::string_view opset) {
  if (opset.size() <= 5 || opset.substr(0, 5) != "opset") return false;
  for (const char c : opset.substr(5))  // asked of each node: no search for each character in a text
    if (c < '0' || c > '9') return false;
  return true;
}

enum class ElementType : int32_t {
  unknown = MO_TYPE_UNKNOWN,
  boolean = MO_BOOL,
  bf16 = MO_BF16,
  f16 = MO_F16,
  f32 = MO_F32,
  f64 = MO_F64,
  i4 = MO_I4,
  i8 = MO_I8,
  i16 = MO_I16,
  i32 = MO_I32,
  i64 = MO_I64,
  u1 = MO_U1,
  u2 = MO_U2,
  u3 = MO_U3,
  u4 = MO_U4,
  u6 = MO_U6,
  u8 = MO_U8,
  u16 = MO_U16,
  u32 = MO_U32,
  u64 = MO_U64,
  nf4 = MO_NF4,
  f8e4m3 = MO_F8E4M3,
  f8e5m2 = MO_F8E5M2,
  f4e2m1 = MO_F4E2M1,
  f8e8m0 = MO_F8E8M0,
  string = MO_STRING,
};

struct ElementTypeInfo {
  ElementType type;
  std::string_view name;       // as attributes spell it: "f32"
  std::string_view precision;  // as IR ports spell it: "FP32"
  int bits;                    // 0: no fixed size
  char kind;                   // 'f' float, 'i' signed, 'u' unsigned, 'b' boolean, 's' string, '?' unknown
};

inline constexpr std::array<ElementTypeInfo, 26> element_types{{
    {ElementType::unknown, "dynamic", "UNSPECIFIED", 0, '?'},
    {ElementType::boolean, "boolean", "BOOL", 8, 'b'},
    {ElementType::bf16, "bf16", "BF16", 16, 'f'},
    {ElementType::f16, "f16", "FP16", 16, 'f'},
    {ElementType::f32, "f32", "FP32", 32, 'f'},
    {ElementType::f64, "f64", "FP64", 64, 'f'},
    {ElementType::i4, "i4", "I4", 4, 'i'},
    {ElementType::i8, "i8", "I8", 8, 'i'},
    {ElementType::i16, "i16", "I16", 16, 'i'},
    {ElementType::i32, "i32", "I32", 32, 'i'},
    {ElementType::i64, "i64", "I64", 64, 'i'},
    {ElementType::u1, "u1", "BIN", 1, 'u'},
    {ElementType::u2, "u2", "U2", 2, 'u'},
    {ElementType::u3, "u3", "U3", 3, 'u'},
    {ElementType::u4, "u4", "U4", 4, 'u'},
    {ElementType::u6, "u6", "U6", 6, 'u'},
    {ElementType::u8, "u8", "U8", 8, 'u'},
    {ElementType::u16, "u16", "U16", 16, 'u'},
    {ElementType::u32, "u32", "U32", 32, 'u'},
    {ElementType::u64, "u64", "U64", 64, 'u'},
    {ElementType::nf4, "nf4", "NF4", 4, 'f'},
    {ElementType::f8e4m3, "f8e4m3", "F8E4M3", 8, 'f'},
    {ElementType::f8e5m2, "f8e5m2", "F8E5M2", 8, 'f'},
    {ElementType::f4e2m1, "f4e2m1", "F4E2M1", 4, 'f'},
    {ElementType::f8e8m0, "f8e8m0", "F8E8M0", 8, 'f'},
    {ElementType::string, "string", "STRING", 0, 's'},
}};

constexpr bool is_valid(ElementType t) {
  return static_cast<int32_t>(t) >= 0 && static_cast<size_t>(t) < element_types.size();
}
constexpr const ElementTypeInfo& info(ElementType t) {
  return element_types[is_valid(t) ? static_cast<size_t>(t) : 0];
}
constexpr std::string_view name(ElementType t) { return info(t).name; }
constexpr int bits(ElementType t) { return info(t).bits; }
constexpr bool is_float(ElementType t) { return info(t).kind == 'f'; }
constexpr bool is_integer(ElementType t) { return info(t).kind == 'i' || info(t).kind == 'u'; }
constexpr bool is_signed(ElementType t) { return info(t).kind == 'i' || info(t).kind == 'f'; }

// ElementType::unknown when there is no such name.
constexpr ElementType element_type_from_name(std::string_view text) {
  for (const auto& e : element_types)
    if (e.name == text) return e.type;
  return ElementType::unknown;
}

// The C++ type of the elements; 16-bit floats are held as their bits, see mo/half.hpp.
template <class T>
constexpr ElementType element_type_of() {
  if constexpr (std::is_same_v<T, bool>) return ElementType::boolean;
  if constexpr (std::is_same_v<T, float>) return ElementType::f32;
  if constexpr (std::is_same_v<T, double>) return ElementType::f64;
  if constexpr (std::is_same_v<T, int8_t>) return ElementType::i8;
  if constexpr (std::is_same_v<T, int16_t>) return ElementType::i16;
  if constexpr (std::is_same_v<T, int32_t>) return ElementType::i32;
  if constexpr (std::is_same_v<T, int64_t>) return ElementType::i64;
  if constexpr (std::is_same_v<T, uint8_t>) return ElementType::u8;
  if constexpr (std::is_same_v<T, uint16_t>) return ElementType::u16;
  if constexpr (std::is_same_v<T, uint32_t>) return ElementType::u32;
  if constexpr (std::is_same_v<T, uint64_t>) return ElementType::u64;
  return ElementType::unknown;
}

}  // namespace mo
