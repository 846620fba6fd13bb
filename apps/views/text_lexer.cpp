#include "apps/views/text_lexer.hpp"

#include <algorithm>
#include <utility>

namespace mo::app {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_inner(char c) { return is_letter(c) || is_digit(c) || c == '.'; }

// 0 when there is none. A dot at the end does not belong to it: "{x...}" repeats x.
size_t word_length(std::string_view s) {
  if (s.empty() || !is_letter(s.front())) return 0;
  size_t i = 1;
  for (; i < s.size(); ++i) {
    if (is_inner(s[i])) continue;
    if (s[i] != '-' || i + 1 == s.size() || !(is_letter(s[i + 1]) || is_digit(s[i + 1]))) break;
  }
  while (s[i - 1] == '.') --i;
  return i;
}

int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

bool is_word(std::string_view s) { return !s.empty() && word_length(s) == s.size(); }

Lexer::Lexer(std::string_view text) : text_(text) {
  now_ = scan();
  next_ = scan();
}

Token Lexer::take() {
  const Token taken = now_;
  now_ = next_;
  if (now_.kind != Token::end) next_ = scan();
  return taken;
}

bool Lexer::accept(std::string_view s) {
  if (!now_.is(s)) return false;
  take();
  return true;
}

void Lexer::expect(std::string_view s, std::string_view where) {
  if (!accept(s)) expected(mo::text("'", s, "' ", where));
}

Token Lexer::expect(Token::Kind kind, std::string_view what) {
  if (now_.kind != kind) expected(what);
  return take();
}

void Lexer::skip_blanks() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '#') {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (c == '\n') {
      new_line_ = true;
      ++at_;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
    } else {
      return;
    }
  }
}

size_t Lexer::scan_number() const {
  size_t i = at_ + (text_[at_] == '-' ? 1 : 0);
  const auto digits = [&] {
    while (i < text_.size() && is_digit(text_[i])) ++i;
  };
  digits();
  // "1..8" is a range.
  if (i + 1 < text_.size() && text_[i] == '.' && text_[i + 1] != '.') {
    ++i;
    digits();
  }
  if (i + 1 < text_.size() && (text_[i] == 'e' || text_[i] == 'E')) {
    size_t exponent = i + 1;
    if (text_[exponent] == '-' || text_[exponent] == '+') ++exponent;
    if (exponent < text_.size() && is_digit(text_[exponent])) {
      i = exponent;
      digits();
    }
  }
  return i;
}

Token Lexer::scan() {
  skip_blanks();
  Token t;
  t.at = at_;
  t.first_on_line = std::exchange(new_line_, false);
  if (at_ >= text_.size()) return t;
  const std::string_view rest = text_.substr(at_);
  const auto finish = [&](Token::Kind kind, size_t end) {
    t.kind = kind;
    t.text = text_.substr(t.at, end - t.at);
    at_ = end;
    return t;
  };
  const char c = rest.front();
  if (is_letter(c)) {
    if (rest.starts_with("nan(0x"))
      if (const size_t close = rest.find_first_not_of("0123456789abcdefABCDEF", 6);
          close < rest.size() && rest[close] == ')')
        return finish(Token::number, at_ + close + 1);
    return finish(Token::word, at_ + word_length(rest));
  }
  if (is_digit(c) || (c == '-' && rest.size() > 1 && is_digit(rest[1])))
    return finish(Token::number, scan_number());
  if (rest.starts_with("-inf")) return finish(Token::number, at_ + 4);
  if (c == '"') {
    size_t i = at_ + 1;
    while (i < text_.size() && text_[i] != '"' && text_[i] != '\n') i += text_[i] == '\\' ? 2 : 1;
    if (i >= text_.size() || text_[i] != '"') fail_at(t.at, "this string is not closed on its line");
    return finish(Token::string, i + 1);
  }
  if (c == '%') {
    size_t i = at_ + 1;
    while (i < text_.size() && is_inner(text_[i])) ++i;
    if (i == at_ + 1) fail_at(t.at, "expected a name or number after '%'");
    finish(Token::label, i);
    t.text.remove_prefix(1);
    return t;
  }
  for (const std::string_view s : {"...", "..", "->"})
    if (rest.starts_with(s)) return finish(Token::sign, at_ + s.size());
  if (std::string_view("{}()[]=,:@?").find(c) != std::string_view::npos) return finish(Token::sign, at_ + 1);
  fail_at(at_, "this character means nothing here");
}

std::string Lexer::unescape(const Token& t) const {
  std::string out;
  const std::string_view s = t.text.substr(1, t.text.size() - 2);
  for (size_t i = 0; i < s.size(); ++i) {
    if (s[i] != '\\') {
      out += s[i];
      continue;
    }
    switch (++i < s.size() ? s[i] : '\0') {
      case '"':
        out += '"';
        break;
      case '\\':
        out += '\\';
        break;
      case 'n':
        out += '\n';
        break;
      case 'r':
        out += '\r';
        break;
      case 't':
        out += '\t';
        break;
      case 'x': {
        const int high = i + 1 < s.size() ? hex_digit(s[i + 1]) : -1;
        const int low = i + 2 < s.size() ? hex_digit(s[i + 2]) : -1;
        if (high < 0 || low < 0) fail_at(t.at + 1 + i, "expected two hexadecimal digits after \\x");
        out += static_cast<char>(high * 16 + low);
        i += 2;
        break;
      }
      default:
        fail_at(t.at + 1 + i, "unknown escape; there are \\\" \\\\ \\n \\r \\t \\xNN");
    }
  }
  return out;
}

void Lexer::expected(std::string_view what) const {
  if (now_.kind == Token::end) fail_at(now_.at, mo::text("expected ", what, ", found the end of the text"));
  constexpr size_t longest = 40;
  std::string found(now_.text.substr(0, longest));
  if (now_.text.size() > longest) found += "…";
  if (now_.kind == Token::label) found = "%" + found;
  fail_at(now_.at, mo::text("expected ", what, ", found ", now_.kind == Token::string ? "" : "'", found,
                            now_.kind == Token::string ? "" : "'"));
}

void Lexer::fail_at(size_t at, std::string_view message) const {
  at = std::min(at, text_.size());
  const std::string_view before = text_.substr(0, at);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
  const size_t column =
      static_cast<size_t>(std::count_if(before.begin() + static_cast<std::ptrdiff_t>(start), before.end(),
                                        [](char c) { return (static_cast<uint8_t>(c) & 0xc0) != 0x80; }));
  std::string out = mo::text("line ", line, ", column ", column + 1, ": ", message);
  // The line itself, or what of it is near.
  constexpr size_t near = 60;
  const size_t from = at - start > near ? at - near : start;
  const size_t end = std::min({text_.find('\n', at), text_.size(), at + near});
  std::string shown(text_.substr(from, end - from));
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return static_cast<uint8_t>(c) < 0x20; }, ' ');
  const size_t indent = from == start ? column : near;
  out += mo::text("\n  ", shown, "\n  ", std::string(indent, ' '), "^");
  throw PlacedError(out);
}

}  // namespace mo::app
