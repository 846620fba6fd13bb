// Spoils the text form of a protobuf message: numbers, words and whole fields, with the braces around them
// left in pairs.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace mo::test {

// One thing of a text: a name, a number, a quoted text, or a sign. A comment is none.
struct TextToken {
  size_t begin, end;
};

inline std::vector<TextToken> tokens_of(std::string_view s) {
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-' || c == '+';
  };
  std::vector<TextToken> list;
  for (size_t at = 0; at < s.size();) {
    const size_t begin = at;
    if (std::isspace(static_cast<unsigned char>(s[at])) != 0) {
      ++at;
      continue;
    }
    if (s[at] == '#') {
      at = std::min(s.find('\n', at), s.size());
      continue;
    }
    if (s[at] == '"' || s[at] == '\'') {
      for (++at; at < s.size() && s[at] != s[begin]; ++at)
        if (s[at] == '\\') ++at;
      at = std::min(at + 1, s.size());
    } else if (is_word(s[at])) {
      while (at < s.size() && is_word(s[at])) ++at;
    } else {
      ++at;
    }
    list.push_back({begin, at});
  }
  return list;
}

// A name, and what belongs to it: a value behind a colon, or all between braces.
inline bool is_text_message(std::string_view s) {
  const auto tokens = tokens_of(s.substr(0, 256));
  if (tokens.size() < 3 || (std::isalpha(static_cast<unsigned char>(s[tokens[0].begin])) == 0)) return false;
  const char sign = s[tokens[1].begin];
  return sign == ':' || sign == '{';
}

// `below(n)` gives a number from 0 to n - 1.
template <class Below>
class TextSpoiler {
 public:
  TextSpoiler(std::string& text, Below below) : s_(text), below_(below), tokens_(tokens_of(text)) {}

  void run() {
    if (tokens_.empty()) return;
    switch (below_(8)) {
      case 0:
      case 1:
      case 2:
        return spoil_value();
      case 3:
        return spoil_word();
      case 4:
        return drop_field();
      case 5:
        return repeat_field();
      case 6:
        return move_field();
      default:
        return exchange();
    }
  }

 private:
  bool is(size_t token, char sign) const {
    return tokens_[token].end - tokens_[token].begin == 1 && s_[tokens_[token].begin] == sign;
  }
  std::string text(TextToken t) const { return s_.substr(t.begin, t.end - t.begin); }
  void replace(TextToken t, std::string_view by) { s_.replace(t.begin, t.end - t.begin, by); }

  std::vector<size_t> those(bool values) const {
    std::vector<size_t> found;
    for (size_t i = 0; i < tokens_.size(); ++i)
      if ((i > 0 && is(i - 1, ':') && !is(i, '{')) == values &&
          (values || tokens_[i].end - tokens_[i].begin > 1))
        found.push_back(i);
    return found;
  }

  void spoil_value() {
    const auto values = those(true);
    if (values.empty()) return;
    const TextToken at = tokens_[values[below_(values.size())]];
    const char first = s_[at.begin];
    if (below_(3) == 0) return replace(at, text(tokens_[values[below_(values.size())]]));
    constexpr std::string_view numbers[] = {
        "0",    "1",          "-1",         "2",           "3",
        "7",    "4294967295", "2147483647", "-2147483648", "9223372036854775807",
        "1e38", "nan",        "-0.5",       "65536",       "99999999999999999999",
        "true", "\"\"",       "MAX"};
    constexpr std::string_view words[] = {"\"\"",     "\"a\"",      "\"../x\"", "\"\\n\"",
                                          "\"ReLU\"", "\"Concat\"", "0",        "\"Eltwise\""};
    if (first == '"' || first == '\'')
      replace(at, words[below_(std::size(words))]);
    else
      replace(at, numbers[below_(std::size(numbers))]);
  }

  void spoil_word() {
    const auto words = those(false);
    if (words.empty()) return;
    replace(tokens_[words[below_(words.size())]], text(tokens_[words[below_(words.size())]]));
  }

  // From a name to its value or to the brace that ends it; an empty one when there is none.
  TextToken field() {
    const size_t from = below_(tokens_.size());
    for (size_t i = from; i + 1 < tokens_.size(); ++i) {
      if (is(i + 1, ':') && i + 2 < tokens_.size() && !is(i + 2, '{'))
        return {tokens_[i].begin, tokens_[i + 2].end};
      const size_t brace = is(i + 1, ':') ? i + 2 : i + 1;
      if (brace >= tokens_.size() || !is(brace, '{') || is(i, ':')) continue;
      size_t depth = 0;
      for (size_t k = brace; k < tokens_.size(); ++k) {
        if (is(k, '{')) ++depth;
        if (is(k, '}') && --depth == 0) return {tokens_[i].begin, tokens_[k].end};
      }
    }
    return {0, 0};
  }

  void drop_field() {
    const TextToken f = field();
    s_.erase(f.begin, f.end - f.begin);
  }
  void repeat_field() {
    const TextToken f = field();
    s_.insert(f.end, ' ' + text(f));
  }
  void move_field() {
    const TextToken f = field(), to = field();
    s_.insert(to.begin, text(f) + ' ');
  }
  void exchange() {
    const TextToken a = field(), b = field();
    replace(a, text(b));
  }

  std::string& s_;
  Below below_;
  std::vector<TextToken> tokens_;
};

}  // namespace mo::test
