// Words, numbers, strings and symbols of protobuf's text form and of .proto files, with their places.
#pragma once

#include <mo/error.hpp>

#include <cstdint>

namespace mo::caffe {

struct Place {
  uint32_t line = 1, column = 1;
};

struct Token {
  enum Kind { end, word, number, string, symbol };
  Kind kind = end;
  std::string text;  // of a string: what it stands for
  Place place;
};

class Lexer {
 public:
  enum class Comments { hash, slashes };
  // `file` is for messages; both must outlive the lexer.
  Lexer(std::string_view text, std::string_view file, Comments comments);

  const Token& peek() const { return token_; }
  Token next();
  bool at(std::string_view symbol) const { return token_.kind == Token::symbol && token_.text == symbol; }
  bool at_word(std::string_view word) const { return token_.kind == Token::word && token_.text == word; }
  bool accept(std::string_view symbol);
  bool accept_word(std::string_view word);
  void expect(std::string_view symbol, std::string_view where);
  Token expect_word(std::string_view what);

  // "net.prototxt:12:5: …"
  template <class... Args>
  std::string describe(Place place, const Args&... what) const {
    return text(file_, ':', place.line, ':', place.column, ": ", what...);
  }
  template <class... Args>
  [[noreturn]] void fail_at(Place place, const Args&... what) const {
    fail(describe(place, what...));
  }
  // What stands here, for messages.
  std::string found() const;

 private:
  void read();
  void skip_blanks();
  void read_word();
  void read_number();
  void read_string();
  void read_escape();
  bool digits(unsigned base, size_t most, uint32_t& value);
  bool more() const { return at_ < text_.size(); }
  char here() const { return text_[at_]; }
  char step();

  std::string_view text_, file_;
  Comments comments_;
  size_t at_ = 0;
  Place place_;
  Token token_;
};

}  // namespace mo::caffe
