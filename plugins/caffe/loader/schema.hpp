// What the messages of a .proto file look like: read at run time, so that a fork of Caffe brings its own.
#pragma once

#include <mo/error.hpp>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>

namespace mo::caffe {

struct MessageType;

struct EnumType {
  std::string name;
  std::map<std::string, int32_t, std::less<>> values;
  // Of the value's name; nothing for an unknown number.
  std::optional<std::string_view> name_of(int32_t value) const;
};

struct FieldType {
  enum Kind { integer, unsigned_integer, single, real, boolean, string, enumeration, message };
  std::string name;
  uint32_t number = 0;
  Kind kind = integer;
  bool narrow = false;  // 32 bits
  bool repeated = false;
  std::string type_name;  // as written, of enumerations and messages
  const EnumType* enum_type = nullptr;
  const MessageType* message_type = nullptr;
  std::optional<std::string> fallback;  // as written
};

struct MessageType {
  std::string name;  // with its package
  std::map<std::string, FieldType, std::less<>> fields;
  const FieldType* find(std::string_view field) const {
    const auto i = fields.find(field);
    return i == fields.end() ? nullptr : &i->second;
  }
};

class Schema {
 public:
  // Gives the text of an imported file, or nothing when there is none.
  using Import = std::function<std::optional<std::string>(std::string_view path)>;
  // Errors begin with file, line and column.
  Schema(std::string_view text, std::string_view file, const Import& import);
  Schema(const Schema&) = delete;
  Schema& operator=(const Schema&) = delete;

  // The message of this name, whatever its package; nullptr when there is none.
  const MessageType* message(std::string_view name) const;

 private:
  friend class SchemaReader;
  std::map<std::string, MessageType, std::less<>> messages_;
  std::map<std::string, EnumType, std::less<>> enums_;
};

// Of Caffe itself and of its forks that are widely used.
const Schema& builtin_schema();

}  // namespace mo::caffe
