#include "loader/program.hpp"

#include <array>

namespace mo::paddle {

namespace {

struct Type {
  int64_t number;  // of VarType.Type
  std::string_view name, pir;
  ElementType type;
};

constexpr std::array types{
    Type{0, "bool", "0.t_bool", ElementType::boolean},
    Type{1, "int16", "0.t_i16", ElementType::i16},
    Type{2, "int32", "0.t_i32", ElementType::i32},
    Type{3, "int64", "0.t_i64", ElementType::i64},
    Type{4, "float16", "0.t_f16", ElementType::f16},
    Type{5, "float32", "0.t_f32", ElementType::f32},
    Type{6, "float64", "0.t_f64", ElementType::f64},
    Type{20, "uint8", "0.t_ui8", ElementType::u8},
    Type{21, "int8", "0.t_i8", ElementType::i8},
    Type{22, "bfloat16", "0.t_bf16", ElementType::bf16},
    Type{23, "complex64", "0.t_c64", ElementType::unknown},
    Type{24, "complex128", "0.t_c128", ElementType::unknown},
    Type{32, "float8_e4m3fn", "0.t_f8_e4m3fn", ElementType::f8e4m3},
    Type{33, "float8_e5m2", "0.t_f8_e5m2", ElementType::f8e5m2},
};

}  // namespace

ElementType element_type(std::string_view name) {
  for (const Type& t : types)
    if (t.name == name || t.pir == name) return t.type;
  return ElementType::unknown;
}

ElementType element_type(int64_t number) {
  for (const Type& t : types)
    if (t.number == number) return t.type;
  return ElementType::unknown;
}

std::string type_name(int64_t number) {
  for (const Type& t : types)
    if (t.number == number) return std::string(t.name);
  return text("type ", number);
}

const Attribute* Operation::find(std::string_view name) const {
  for (const auto& [key, value] : attributes)
    if (key == name) return &value;
  return nullptr;
}

static std::optional<size_t> only_value(const std::vector<Slot>& slots, std::string_view name) {
  for (const Slot& s : slots)
    if (s.name == name && !s.values.empty()) return s.values.front();
  return std::nullopt;
}

std::optional<size_t> Operation::input(std::string_view slot) const { return only_value(inputs, slot); }
std::optional<size_t> Operation::output(std::string_view slot) const { return only_value(outputs, slot); }

int64_t Operation::integer(std::string_view attribute, int64_t fallback) const {
  const Attribute* a = find(attribute);
  const auto* value = a != nullptr ? std::get_if<int64_t>(a) : nullptr;
  return value != nullptr ? *value : fallback;
}

std::string describe(const Program& p, const Operation& op) {
  for (const Slot& s : op.outputs)
    for (const size_t v : s.values)
      return text("operator ", op.type, " '",
                  p.values[v].name.empty() ? text("%", p.values[v].number) : p.values[v].name, "'");
  return "operator " + op.type;
}

}  // namespace mo::paddle
