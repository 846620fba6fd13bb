#include "support/types.hpp"

#include <array>

namespace mo::mxnet {

ElementType type_of(const SourceNode& n, std::string_view name) {
  constexpr std::array names{"float32", "float64", "float16", "uint8", "int32", "int8", "int64", "bool"};
  constexpr std::array types{ElementType::f32, ElementType::f64, ElementType::f16, ElementType::u8,
                             ElementType::i32, ElementType::i8,  ElementType::i64, ElementType::boolean};
  const auto v = n.find_native<mo_value>(name);
  if (!v) return ElementType::f32;
  if (v->kind == MO_VALUE_INT && v->u.i == -1) return ElementType::f32;
  for (size_t i = 0; i < names.size(); ++i) {
    const bool same = v->kind == MO_VALUE_STRING
                          ? view(v->u.s) == names[i]
                          : v->kind == MO_VALUE_INT && v->u.i == static_cast<int64_t>(i);
    if (same) return types[i];
  }
  fail("attribute '", name, "' is '", v->kind == MO_VALUE_STRING ? view(v->u.s) : "a number",
       "'; expected float32, float64, float16, uint8, int32, int8, int64 or bool");
}

}  // namespace mo::mxnet
