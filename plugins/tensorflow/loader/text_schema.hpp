// Fields of TensorFlow's messages by their names, for the text form.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

namespace mo::tensorflow {

struct TextMessage;

struct TextField {
  enum Kind : uint8_t { integer, single, real, boolean, string, type, other_enum, message };
  std::string_view name;
  uint32_t number = 0;
  Kind kind = message;
  const TextMessage* of = nullptr;  // of a message
};

struct TextMessage {
  std::map<std::string_view, TextField> fields;
  const TextField* find(std::string_view name) const {
    const auto at = fields.find(name);
    return at == fields.end() ? nullptr : &at->second;
  }
};

// The message that has a field of this name; nullptr when no file begins with such a field.
const TextMessage* root_with(std::string_view field);

}  // namespace mo::tensorflow
