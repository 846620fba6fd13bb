// A message as its text form gives it: fields by name, typed by a schema as far as it knows them.
#pragma once

#include "loader/lexer.hpp"
#include "loader/schema.hpp"

#include <memory>
#include <vector>

namespace mo::caffe {

class Message;

struct Value {
  enum Kind { integer, real, boolean, string, word, message };  // word: of an enumeration
  Kind kind = integer;
  int64_t i = 0;
  double f = 0;
  std::string s;
  std::shared_ptr<Message> m;  // shared by layers that an upgrade makes of one
  Place place;
};

class Message {
 public:
  explicit Message(const MessageType* type) : type_(type) {}
  const MessageType* type() const { return type_; }

  struct Field {
    const FieldType* type = nullptr;  // nullptr: the schema has no such field
    std::vector<Value> values;
  };
  const std::map<std::string, Field, std::less<>>& fields() const { return fields_; }
  const Field* find(std::string_view name) const {
    const auto i = fields_.find(name);
    return i == fields_.end() || i->second.values.empty() ? nullptr : &i->second;
  }
  bool has(std::string_view name) const { return find(name) != nullptr; }
  // The field, with the type that the message's schema has for it.
  Field& field(std::string_view name);

  // The last value, as protobuf takes it; the fallback when it is not set. Errors: it is of another kind.
  int64_t integer(std::string_view name, int64_t fallback) const;
  std::string text(std::string_view name, std::string_view fallback = {}) const;  // also of enumerations
  std::vector<int64_t> integers(std::string_view name) const;
  std::vector<std::string> texts(std::string_view name) const;
  std::vector<const Message*> messages(std::string_view name) const;
  const Message* child(std::string_view name) const;  // nullptr when there is none
  Message& make_child(std::string_view name);
  void add_text(std::string_view name, std::string text);

 private:
  const MessageType* type_;
  std::map<std::string, Field, std::less<>> fields_;
};

// Reads a whole file. `unknown` is told of fields that the schema does not have.
using UnknownField = std::function<void(Place, std::string_view message, std::string_view field)>;
std::shared_ptr<Message> read_text(std::string_view text, std::string_view file, const MessageType& type,
                                   const UnknownField& unknown);

// A value written as in a text form.
Value read_scalar(const FieldType& type, std::string_view written);

}  // namespace mo::caffe
