// Operators by their codes, and the fields of their options.
#pragma once

#include "loader/schema.hpp"

namespace mo::tflite {

// The name of a built-in operator; empty for codes that are not known.
std::string_view operator_name(int64_t code);
inline constexpr int64_t custom_code = 32;

// The options of an operator: the number of their table in its union, and the fields.
struct Options {
  std::string_view op;
  uint8_t type;
  std::span<const Field> fields;
  bool second = false;  // in builtin_options_2
};
// nullptr when it has none that matter.
const Options* options_of(std::string_view op);

// A number of an enumeration as attributes show it; empty when there is no such number.
std::string_view enumerated(Kind kind, int64_t number);

}  // namespace mo::tflite
