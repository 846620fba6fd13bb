// Tokens of the text form, and errors that show the place.
#pragma once

#include <mo/error.hpp>

#include <string>
#include <string_view>

namespace mo::app {

struct Token {
  enum Kind { end, word, string, number, label, sign } kind = end;
  std::string_view text;  // of a label without "%", of a string with its quotes and escapes
  size_t at = 0;          // offset
  bool first_on_line = false;

  bool is(std::string_view s) const { return (kind == sign || kind == word) && text == s; }
};

// An error that already says where.
class PlacedError : public Error {
 public:
  using Error::Error;
};

// Whether `s` is one word token, as it stands.
bool is_word(std::string_view s);

class Lexer {
 public:
  explicit Lexer(std::string_view text);

  const Token& peek() const { return now_; }
  const Token& peek_second() const { return next_; }
  Token take();
  bool accept(std::string_view sign_or_word);
  void expect(std::string_view sign_or_word, std::string_view where);
  // `what` is a phrase: "a shape like [1,3,?]".
  Token expect(Token::Kind kind, std::string_view what);

  std::string unescape(const Token& string) const;
  template <class T>
  T integer(const Token& number, std::string_view what) const;

  [[noreturn]] void expected(std::string_view what) const;  // … found the token at hand
  [[noreturn]] void fail_at(size_t at, std::string_view message) const;
  [[noreturn]] void fail_at(const Token& t, std::string_view message) const { fail_at(t.at, message); }

 private:
  Token scan();
  void skip_blanks();
  size_t scan_number() const;

  std::string_view text_;
  size_t at_ = 0;
  bool new_line_ = true;
  Token now_, next_;
};

template <class T>
T Lexer::integer(const Token& t, std::string_view what) const {
  T value{};
  const char* last = t.text.data() + t.text.size();
  const auto [end, error] = std::from_chars(t.text.data(), last, value);
  if (t.kind != Token::number || end != last || error == std::errc::invalid_argument)
    fail_at(t, mo::text("expected ", what, ", found ", t.text));
  if (error != std::errc()) fail_at(t, mo::text(t.text, " is too large for ", what));
  return value;
}

}  // namespace mo::app
