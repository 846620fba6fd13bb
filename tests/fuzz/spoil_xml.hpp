// Spoils XML where it has something to say: values and names of attributes, and whole elements, so that most of what comes
// out is still well-formed.
#pragma once

#include <cctype>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace mo::test {

inline bool is_xml(std::string_view s) {
  const size_t first = s.find_first_not_of(" \t\r\n");
  return first != s.npos && s[first] == '<';
}

// `below(n)` gives a number from 0 to n - 1.
template <class Below>
class XmlSpoiler {
 public:
  XmlSpoiler(std::string& text, Below below) : s_(text), below_(below) {}

  void run() {
    find_pieces();
    if (elements_.empty()) return;
    const Piece element = any(elements_), other = any(elements_);
    switch (below_(9)) {
      case 0:
        return put(element, {});
      case 1:
        return put(element, text(element) + text(element));
      case 2:
        return put(element, text(other));
      case 3:
        if (!texts_.empty()) put(any(texts_), odd());
        return;
      case 4:
        if (names_.size() > 1) put(any(names_), text(any(names_)));
        return;
      case 5:
        if (!attributes_.empty()) put(any(attributes_), {});
        return;
      case 6:
        if (!values_.empty()) put(any(values_), text(any(values_)));
        return;
      default:
        if (!values_.empty()) put(any(values_), odd());
    }
  }

 private:
  struct Piece {
    size_t begin, end;
  };

  const Piece& any(const std::vector<Piece>& list) { return list[below_(list.size())]; }
  std::string text(const Piece& p) const { return s_.substr(p.begin, p.end - p.begin); }
  void put(const Piece& p, const std::string& by) { s_.replace(p.begin, p.end - p.begin, by); }

  std::string odd() {
    constexpr std::string_view list[] = {"",
                                         "0",
                                         "1",
                                         "-1",
                                         "2",
                                         "7",
                                         "64",
                                         "4294967296",
                                         "9223372036854775807",
                                         "18446744073709551615",
                                         "-9223372036854775808",
                                         "1e400",
                                         "nan",
                                         "1.5",
                                         "true",
                                         "?",
                                         "1,?,2..8",
                                         "2147483647,2147483647,4",
                                         "...",
                                         "f32",
                                         "i4",
                                         "string",
                                         "boolean",
                                         "FP16",
                                         "Parameter",
                                         "Const",
                                         "Result",
                                         "TensorIterator",
                                         "opset1",
                                         "input",
                                         "body",
                                         "&#0;",
                                         "&amp;"};
    return std::string(list[below_(std::size(list))]);
  }

  // Elements from their first sign to their last, and what stands in them.
  void find_pieces() {
    std::vector<size_t> open;
    for (size_t at = s_.find('<'); at != s_.npos; at = s_.find('<', at + 1)) {
      const size_t end = s_.find('>', at);
      if (end == s_.npos) return;
      const char next = s_[at + 1];
      if (next == '/') {
        if (open.empty()) return;
        elements_.push_back({open.back(), end + 1});
        open.pop_back();
      } else if (next != '?' && next != '!') {
        find_attributes(at + 1, end);
        if (s_[end - 1] == '/')
          elements_.push_back({at, end + 1});
        else
          open.push_back(at);
      }
      const size_t then = s_.find('<', end);
      if (then != s_.npos && s_.find_first_not_of(" \t\r\n", end + 1) < then)
        texts_.push_back({end + 1, then});
    }
  }

  void find_attributes(size_t begin, size_t end) {
    for (size_t quote = s_.find('"', begin); quote < end; quote = s_.find('"', quote)) {
      const size_t close = s_.find('"', quote + 1);
      if (close == s_.npos || close > end) return;
      size_t name = quote;
      while (name > begin && std::isspace(static_cast<unsigned char>(s_[name - 1])) == 0) --name;
      if (quote > name + 1) {
        names_.push_back({name, quote - 1});
        attributes_.push_back({name, close + 1});
      }
      values_.push_back({quote + 1, close});
      quote = close + 1;
    }
  }

  std::string& s_;
  Below below_;
  std::vector<Piece> elements_, attributes_, names_, values_, texts_;
};

}  // namespace mo::test
