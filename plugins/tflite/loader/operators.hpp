// Operators by their codes, and their options by the names that the format has for them.
#pragma once

#include "loader/schema.hpp"

#include <flatbuffers/reflection_generated.h>

namespace mo::tflite {

using Field = reflection::Field;

// The table of an operator's options.
struct Options {
  uint8_t type = 0;     // its number in the union
  bool second = false;  // in builtin_options_2
  std::vector<const Field*> fields;

  const Field* find(std::string_view field) const;  // nullptr when there is none
};
// nullptr when it has none that say anything.
const Options* options_of(std::string_view op);

// A whole number, a truth or the number of an enumerator; the format's default where the file has none.
int64_t integer_of(const Table* t, const Field& f);
bool is_enumerated(const Field& f, std::string_view enumeration);
// The number of an enumeration by its name; empty when there is no such number, or it is of none.
std::string_view enumerated(const Field& f, int64_t number);

}  // namespace mo::tflite
