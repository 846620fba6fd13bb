#include "loader/attributes.hpp"

#include <charconv>

namespace mo::mxnet {

namespace {

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  return s;
}

template <class T>
std::optional<T> parsed(std::string_view s) {
  if (!s.empty() && s.front() == '+') s.remove_prefix(1);
  T v{};
  const auto [at, error] = std::from_chars(s.data(), s.data() + s.size(), v);
  if (s.empty() || error != std::errc() || at != s.data() + s.size()) return std::nullopt;
  return v;
}

// Python 2 wrote 2L.
std::optional<int64_t> integer(std::string_view s) {
  if (s.size() > 1 && s.back() == 'L') s.remove_suffix(1);
  return parsed<int64_t>(s);
}

std::optional<bool> truth(std::string_view s) {
  if (s == "True" || s == "true") return true;
  if (s == "False" || s == "false") return false;
  return std::nullopt;
}

std::vector<std::string_view> elements(std::string_view s) {
  std::vector<std::string_view> list;
  for (size_t at = 0; at <= s.size();) {
    const size_t end = std::min(s.find(',', at), s.size());
    const std::string_view e = trimmed(s.substr(at, end - at));
    if (!e.empty() || end != s.size()) list.push_back(e);
    at = end + 1;
  }
  return list;
}

// All of them, or nothing.
template <class T, class Parse>
std::optional<std::vector<T>> every(const std::vector<std::string_view>& list, Parse parse) {
  std::vector<T> values;
  for (const std::string_view s : list) {
    const auto v = parse(s);
    if (!v) return std::nullopt;
    values.push_back(*v);
  }
  return values;
}

void give_list(Context c, const std::vector<std::string_view>& list) {
  if (const auto ints = every<int64_t>(list, integer)) return give_native(c, *ints);
  if (const auto floats = every<double>(list, parsed<double>)) return give_native(c, *floats);
  if (const auto bools = every<bool>(list, truth)) return give_native(c, *bools);
  give_native(c, std::vector<std::string>(list.begin(), list.end()));
}

// What is between the parentheses of a list; nothing when it is none.
std::optional<std::string_view> inside_of(std::string_view s) {
  const bool round = s.size() >= 2 && s.front() == '(' && s.back() == ')';
  const bool square = s.size() >= 2 && s.front() == '[' && s.back() == ']';
  if (!round && !square) return std::nullopt;
  return s.substr(1, s.size() - 2);
}

}  // namespace

bool give_attribute(Context c, std::string_view given) {
  const std::string_view s = trimmed(given);
  if (s == "None") return false;
  if (const auto inside = inside_of(s))
    give_list(c, elements(*inside));
  else if (const auto i = integer(s))
    give_native(c, *i);
  else if (const auto f = parsed<double>(s))
    give_native(c, *f);
  else if (const auto b = truth(s))
    give_native(c, *b);
  else
    give_native(c, std::string(given));
  return true;
}

std::optional<std::vector<int64_t>> integers_of(std::string_view given) {
  const std::string_view s = trimmed(given);
  if (const auto inside = inside_of(s)) return every<int64_t>(elements(*inside), integer);
  if (const auto i = integer(s)) return std::vector<int64_t>{*i};
  return std::nullopt;
}

}  // namespace mo::mxnet
