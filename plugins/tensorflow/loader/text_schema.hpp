// Fields of TensorFlow's messages by their names, for the text form.
#pragma once

#include <cstdint>
#include <string_view>

namespace mo::tensorflow {

struct TextMessage;

struct TextField {
  enum Kind : uint8_t { integer, single, real, boolean, string, type, other_enum, message };
  std::string_view name;
  uint32_t number;
  Kind kind;
  bool repeated;
  const TextMessage* of;  // of a message
};

struct TextMessage {
  const TextField* begin;
  const TextField* end;
  const TextField* find(std::string_view name) const {
    for (const TextField* f = begin; f != end; ++f)
      if (f->name == name) return f;
    return nullptr;
  }
};

// The message that has a field of this name; nullptr when no file begins with such a field.
const TextMessage* root_with(std::string_view field);

}  // namespace mo::tensorflow
