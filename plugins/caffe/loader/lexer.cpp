#include "loader/lexer.hpp"

namespace mo::caffe {

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

Lexer::Lexer(std::string_view text, std::string_view file, Comments comments)
    : text_(text), file_(file), comments_(comments) {
  if (text_.substr(0, 3) == "\xef\xbb\xbf") at_ = 3;  // a byte order mark
  read();
}

char Lexer::step() {
  const char c = text_[at_++];
  if (c == '\n') {
    ++place_.line;
    place_.column = 1;
  } else {
    ++place_.column;
  }
  return c;
}

void Lexer::skip_blanks() {
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

void Lexer::read_word() {
  token_.kind = Token::word;
  while (more() && (is_letter(here()) || is_digit(here()))) token_.text += step();
}

void Lexer::read_number() {
  token_.kind = Token::number;
  const bool hexadecimal = here() == '0' && at_ + 1 < text_.size() && (text_[at_ + 1] | 0x20) == 'x';
  while (more()) {
    const char c = here();
    const char before = token_.text.empty() ? '\0' : token_.text.back();
    const bool sign_of_exponent = (c == '-' || c == '+') && !hexadecimal && (before == 'e' || before == 'E');
    if (!is_digit(c) && !is_letter(c) && c != '.' && !sign_of_exponent) break;
    token_.text += step();
  }
}

bool Lexer::digits(unsigned base, size_t most, uint32_t& value) {
  size_t count = 0;
  for (value = 0; more() && count < most; ++count) {
    const char c = here();
    unsigned d = 99;
    if (is_digit(c)) d = static_cast<unsigned>(c - '0');
    if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f') d = static_cast<unsigned>((c | 0x20) - 'a') + 10;
    if (d >= base) break;
    value = value * base + d;
    step();
  }
  return count != 0;
}

void Lexer::read_escape() {
  const Place place = place_;
  if (!more()) fail_at(place, "the string does not end");
  constexpr std::string_view names = "nrtabfv\\'\"?", means = "\n\r\t\a\b\f\v\\'\"?";
  uint32_t value = 0;
  if (const size_t i = names.find(here()); i != std::string_view::npos) {
    step();
    token_.text += means[i];
  } else if (is_digit(here()) && digits(8, 3, value)) {
    token_.text += static_cast<char>(value);
  } else if ((here() | 0x20) == 'x' && (step(), digits(16, 2, value))) {
    token_.text += static_cast<char>(value);
  } else {
    fail_at(place,
            "no such escape in a string; expected \\n, \\t, \\\", \\\\, or a number as \\101 or \\x41");
  }
}

void Lexer::read_string() {
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

void Lexer::read() {
  skip_blanks();
  token_ = {};
  token_.place = place_;
  if (!more()) return;
  const char c = here();
  const bool point = c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]);
  if (is_letter(c)) return read_word();
  if (is_digit(c) || point) return read_number();
  if (c == '"' || c == '\'') return read_string();
  if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~')
    fail_at(place_, "a byte that is no character of such a file (",
            static_cast<unsigned>(static_cast<unsigned char>(c)), "); is it text?");
  token_.kind = Token::symbol;
  token_.text = step();
}

Token Lexer::next() {
  Token t = std::move(token_);
  read();
  return t;
}

bool Lexer::accept(std::string_view symbol) {
  if (!at(symbol)) return false;
  read();
  return true;
}

bool Lexer::accept_word(std::string_view word) {
  if (!at_word(word)) return false;
  read();
  return true;
}

std::string Lexer::found() const {
  if (token_.kind == Token::end) return "the end of the file";
  if (token_.kind == Token::string) return "a string";
  return text('\'', token_.text.substr(0, 60), '\'');
}

void Lexer::expect(std::string_view symbol, std::string_view where) {
  if (!accept(symbol)) fail_at(token_.place, "expected '", symbol, "' ", where, ", found ", found());
}

Token Lexer::expect_word(std::string_view what) {
  if (token_.kind != Token::word) fail_at(token_.place, "expected ", what, ", found ", found());
  return next();
}

}  // namespace mo::caffe
