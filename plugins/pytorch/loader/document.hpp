// JSON as a list of places in its text: the program of a network is long, and most of it, where each node
// comes from, is looked at only for messages.
#pragma once

#include <mo/error.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mo::pytorch {

class Document;

// A value of a document, or none.
class Value {
 public:
  enum class Kind : uint8_t { null, boolean, number, string, list, object };

  Value() = default;
  explicit operator bool() const { return document_ != nullptr; }
  bool is(Kind k) const { return document_ != nullptr && kind() == k; }
  bool is_null() const { return document_ == nullptr || kind() == Kind::null; }

  // None when it is no object, or has no such member.
  Value operator[](std::string_view key) const;
  // Errors name the member.
  Value at(std::string_view key) const;
  // Members or elements.
  size_t size() const;
  template <class F>
  void each(F f) const {  // f(Value)
    if (!is(Kind::list)) return;
    for (uint32_t i = index_ + 1, end = behind(index_); i < end; i = behind(i)) f(Value(document_, i));
  }
  template <class F>
  void members(F f) const {  // f(name, Value)
    if (!is(Kind::object)) return;
    for (uint32_t i = index_ + 1, end = behind(index_); i < end;) {
      const uint32_t value = behind(i);
      f(Value(document_, i).word(), Value(document_, value));
      i = behind(value);
    }
  }
  // The only member of an object, as alternatives of types are written.
  struct Member;
  Member only() const;

  // What it is, or an error.
  std::string_view word() const;  // lives as long as the document
  int64_t integer() const;
  double number() const;  // also "Infinity" and the like as texts
  bool truth() const;
  bool is_integer() const;

 private:
  friend class Document;
  Value(const Document* d, uint32_t index) : document_(d), index_(index) {}
  Kind kind() const;
  uint32_t behind(uint32_t index) const;
  std::string_view raw() const;
  [[noreturn]] void wrong(std::string_view expected) const;

  const Document* document_ = nullptr;
  uint32_t index_ = 0;
};

struct Value::Member {
  std::string_view name;
  Value value;
};

class Document {
 public:
  // The text has to live as long. `name` is for messages.
  Document(std::string_view text, std::string name);
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;
  ~Document();
  Value root() const { return {this, 0}; }

 private:
  friend class Value;
  class Reader;
  struct Item {
    uint32_t at, size;  // of the text; of a string without its quotes
    uint32_t end;       // the item behind it and all that is in it
    Value::Kind kind;
    bool escaped = false;
  };
  struct Unescaped;

  std::string_view text_;
  std::string name_;
  std::vector<Item> items_;
  std::unique_ptr<Unescaped> unescaped_;
};

}  // namespace mo::pytorch
