// Spoils JSON where it has something to say: members, items and scalars, so that most of what comes out is
// still JSON.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mo::test {

inline bool is_json(std::string_view s) {
  const size_t first = s.find_first_not_of(" \t\r\n");
  return first != s.npos && (s[first] == '{' || s[first] == '[');
}

// `below(n)` gives a number from 0 to n - 1.
template <class Below>
class JsonSpoiler {
 public:
  JsonSpoiler(std::string& text, Below below) : s_(text), below_(below) {}

  void run() {
    find_values();
    if (values_.empty()) return;
    const Value v = values_[below_(values_.size())], other = values_[below_(values_.size())];
    switch (below_(6)) {
      case 0:  // what is elsewhere
        put(v, s_.substr(other.begin, other.end - other.begin));
        break;
      case 1:  // there twice, under the same key
        s_.insert(v.item, s_.substr(v.item, v.end - v.item) + ",");
        break;
      case 2:
        erase(v);
        break;
      case 3:  // another one's key, or none
        if (v.item != v.begin)
          s_.replace(v.item, v.begin - v.item, s_.substr(other.item, other.begin - other.item));
        break;
      case 4:  // something inside
        if (v.end - v.begin > 2)
          s_[v.begin + 1 + below_(v.end - v.begin - 2)] = "0123456789-.,[]\"(a"[below_(18)];
        break;
      default:
        put(v, odd());
    }
  }

 private:
  struct Value {
    size_t item, begin, end;  // an item of an object begins with its key
  };

  std::string odd() {
    constexpr std::string_view list[] = {"0",
                                         "-1",
                                         "2147483648",
                                         "9223372036854775807",
                                         "18446744073709551616",
                                         "-0.0",
                                         "1e400",
                                         "1e-400",
                                         "\"\"",
                                         "null",
                                         "true",
                                         "[]",
                                         "{}",
                                         "\"-1\"",
                                         "\"(0, 0)\"",
                                         "\"None\"",
                                         "\"\\ud800\"",
                                         "\"\\u0000\"",
                                         "\"\xff\"",
                                         "\"(9223372036854775807, 2)\"",
                                         "\"nan\""};
    if (below_(16) == 0) return std::string(200, '[') + std::string(200, ']');
    return std::string(list[below_(std::size(list))]);
  }

  void put(const Value& v, const std::string& text) { s_.replace(v.begin, v.end - v.begin, text); }

  // With the comma behind it, or before it.
  void erase(const Value& v) {
    size_t begin = v.item, end = s_.find_first_not_of(" \t\r\n", v.end);
    if (end != s_.npos && s_[end] == ',') {
      ++end;
    } else {
      end = v.end;
      const size_t before = begin == 0 ? s_.npos : s_.find_last_not_of(" \t\r\n", begin - 1);
      if (before != s_.npos && s_[before] == ',') begin = before;
    }
    s_.erase(begin, end - begin);
  }

  size_t end_of_string(size_t at) const {
    for (++at; at < s_.size() && s_[at] != '"'; ++at)
      if (s_[at] == '\\') ++at;
    return std::min(at + 1, s_.size());
  }

  void find_values() {
    std::vector<Value> open;
    size_t key = s_.npos;
    const auto item = [&](size_t at) { return std::exchange(key, s_.npos) == s_.npos ? at : last_key_; };
    for (size_t at = 0; at < s_.size();) {
      const char c = s_[at];
      if (c == '"') {
        const size_t end = end_of_string(at), next = s_.find_first_not_of(" \t\r\n", end);
        if (next != s_.npos && s_[next] == ':') {
          key = last_key_ = at;
          at = next + 1;
          continue;
        }
        values_.push_back({item(at), at, end});
        at = end;
      } else if (c == '{' || c == '[') {
        open.push_back({item(at), at, at});
        ++at;
      } else if (c == '}' || c == ']') {
        ++at;
        if (open.empty()) return;
        values_.push_back({open.back().item, open.back().begin, at});
        open.pop_back();
      } else if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-') {
        const size_t end = std::min(s_.find_first_of(",]} \t\r\n", at), s_.size());
        values_.push_back({item(at), at, end});
        at = end;
      } else {
        ++at;
      }
    }
  }

  std::string& s_;
  Below below_;
  std::vector<Value> values_;
  size_t last_key_ = 0;
};

}  // namespace mo::test
