// mo/prototext.hpp: words, numbers, strings and symbols of protobuf's text form and of .proto files, with
// their places: for front-ends whose models are written that way.
//
//   prototext::Lexer lexer(text, path, prototext::Lexer::Comments::hash);
//   const prototext::Token name = lexer.expect_word("the name of a field");
#pragma once

#include <mo/error.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace mo::prototext {

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

// Where the message stands that is a field of one of these names and has this `name`; nothing when there is
// none, or the text is damaged before it.
std::optional<Place> find_message(std::string_view text, std::initializer_list<std::string_view> fields,
                                  std::string_view name);

// Numbers as they are written; nothing for what is none.
inline std::optional<double> parse_real(std::string_view s) {
  if (!s.empty() && (s.back() == 'f' || s.back() == 'F')) s.remove_suffix(1);
  double d = 0;
  const auto [at, error] = std::from_chars(s.data(), s.data() + s.size(), d);
  if (at != s.data() + s.size() || s.empty()) return std::nullopt;
  if (error == std::errc::result_out_of_range) {  // as strtod has it
    const bool small = s.find("e-") != std::string_view::npos || s.find("E-") != std::string_view::npos;
    return small ? 0 : std::numeric_limits<double>::infinity();
  }
  return error == std::errc{} ? std::optional(d) : std::nullopt;
}

inline std::optional<uint64_t> parse_whole(std::string_view s) {
  int base = 10;
  if (s.size() > 1 && s[0] == '0') {
    base = (s[1] | 0x20) == 'x' ? 16 : 8;
    s.remove_prefix(base == 16 ? 2 : 1);
  }
  uint64_t n = 0;
  const auto [at, error] = std::from_chars(s.data(), s.data() + s.size(), n, base);
  if (s.empty() || error != std::errc{} || at != s.data() + s.size()) return std::nullopt;
  return n;
}

namespace detail {
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace detail

inline Lexer::Lexer(std::string_view text, std::string_view file, Comments comments)
    : text_(text), file_(file), comments_(comments) {
  if (text_.substr(0, 3) == "\xef\xbb\xbf") at_ = 3;  // a byte order mark
  read();
}

inline char Lexer::step() {
  const char c = text_[at_++];
  if (c == '\n') {
    ++place_.line;
    place_.column = 1;
  } else {
    ++place_.column;
  }
  return c;
}

inline void Lexer::skip_blanks() {
  while (more()) {
    const char c = here();
    const bool line = comments_ == Comments::hash ? c == '#' : text_.substr(at_, 2) == "//";
    if (line) {
      while (more() && here() != '\n') step();
    } else if (comments_ == Comments::slashes && text_.substr(at_, 2) == "/*") {
      const Place begin = place_;
      const size_t last = text_.find("*/", at_ + 2);
      if (last == std::string_view::npos) fail_at(begin, "the comment does not end");
      while (at_ < last + 2) step();
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
      step();
    } else {
      return;
    }
  }
}

inline void Lexer::read_word() {
  token_.kind = Token::word;
  while (more() && (detail::is_letter(here()) || detail::is_digit(here()))) token_.text += step();
}

inline void Lexer::read_number() {
  token_.kind = Token::number;
  const bool hexadecimal = here() == '0' && at_ + 1 < text_.size() && (text_[at_ + 1] | 0x20) == 'x';
  while (more()) {
    const char c = here();
    const char before = token_.text.empty() ? '\0' : token_.text.back();
    const bool sign_of_exponent = (c == '-' || c == '+') && !hexadecimal && (before == 'e' || before == 'E');
    if (!detail::is_digit(c) && !detail::is_letter(c) && c != '.' && !sign_of_exponent) break;
    token_.text += step();
  }
}

inline bool Lexer::digits(unsigned base, size_t most, uint32_t& value) {
  size_t count = 0;
  for (value = 0; more() && count < most; ++count) {
    const char c = here();
    unsigned d = 99;
    if (detail::is_digit(c)) d = static_cast<unsigned>(c - '0');
    if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') d = static_cast<unsigned>((c | 0x20) - 'a') + 10;
    if (d >= base) break;
    value = value * base + d;
    step();
  }
  return count != 0;
}

inline void Lexer::read_escape() {
  const Place place = place_;
  if (!more()) fail_at(place, "the string does not end");
  constexpr std::string_view names = "nrtabfv\\'\"?", means = "\n\r\t\a\b\f\v\\'\"?";
  uint32_t value = 0;
  if (const size_t i = names.find(here()); i != std::string_view::npos) {
    step();
    token_.text += means[i];
  } else if (detail::is_digit(here()) && digits(8, 3, value)) {
    token_.text += static_cast<char>(value);
  } else if ((here() | 0x20) == 'x' && (step(), digits(16, 2, value))) {
    token_.text += static_cast<char>(value);
  } else {
    fail_at(place,
            "no such escape in a string; expected \\n, \\t, \\\", \\\\, or a number as \\101 or \\x41");
  }
}

inline void Lexer::read_string() {
  token_.kind = Token::string;
  const char quote = step();
  for (;;) {
    if (!more() || here() == '\n') fail_at(token_.place, "the string does not end on its line");
    const char c = step();
    if (c == quote) return;
    if (c == '\\')
      read_escape();
    else
      token_.text += c;
  }
}

inline void Lexer::read() {
  skip_blanks();
  token_ = {};
  token_.place = place_;
  if (!more()) return;
  const char c = here();
  const bool point = c == '.' && at_ + 1 < text_.size() && detail::is_digit(text_[at_ + 1]);
  if (detail::is_letter(c)) return read_word();
  if (detail::is_digit(c) || point) return read_number();
  if (c == '"' || c == '\'') return read_string();
  if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~')
    fail_at(place_, "a byte that is no character of such a file (",
            static_cast<unsigned>(static_cast<unsigned char>(c)), "); is it text?");
  token_.kind = Token::symbol;
  token_.text = step();
}

inline Token Lexer::next() {
  Token t = std::move(token_);
  read();
  return t;
}

inline bool Lexer::accept(std::string_view symbol) {
  if (!at(symbol)) return false;
  read();
  return true;
}

inline bool Lexer::accept_word(std::string_view word) {
  if (!at_word(word)) return false;
  read();
  return true;
}

inline std::string Lexer::found() const {
  if (token_.kind == Token::end) return "the end of the file";
  if (token_.kind == Token::string) return "a string";
  return text('\'', token_.text.substr(0, 60), '\'');
}

inline void Lexer::expect(std::string_view symbol, std::string_view where) {
  if (!accept(symbol)) fail_at(token_.place, "expected '", symbol, "' ", where, ", found ", found());
}

inline Token Lexer::expect_word(std::string_view what) {
  if (token_.kind != Token::word) fail_at(token_.place, "expected ", what, ", found ", found());
  return next();
}

inline std::optional<Place> find_message(std::string_view text,
                                         std::initializer_list<std::string_view> fields,
                                         std::string_view name) try {
  Lexer lexer(text, "", Lexer::Comments::hash);
  std::vector<std::optional<Place>> open;  // where each message around begins, if it is one of these fields
  std::optional<Place> field;              // the name of one of them was just read
  while (lexer.peek().kind != Token::end) {
    const Token t = lexer.next();
    const bool is_symbol = t.kind == Token::symbol;
    if (is_symbol && (t.text == "{" || t.text == "<")) open.push_back(std::exchange(field, std::nullopt));
    if (is_symbol && (t.text == "}" || t.text == ">") && !open.empty()) open.pop_back();
    if (t.kind != Token::word) continue;
    const bool is_one = std::find(fields.begin(), fields.end(), t.text) != fields.end();
    field = is_one ? std::optional(t.place) : std::nullopt;
    if (is_one) lexer.accept(":");
    if (t.text == "name" && !open.empty() && open.back() && lexer.accept(":") &&
        lexer.peek().kind == Token::string && lexer.peek().text == name)
      return open.back();
  }
  return std::nullopt;
} catch (const Error&) {
  return std::nullopt;
}

}  // namespace mo::prototext
