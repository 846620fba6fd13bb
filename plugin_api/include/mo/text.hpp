// Strings across the boundary, and text(…): concatenation of anything printable, for messages.
#pragma once

#include <mo/plugin.h>

#include <charconv>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace mo {

inline std::string_view view(mo_str s) {
  return s.size == 0 ? std::string_view{} : std::string_view{s.data, s.size};
}
inline mo_str str(std::string_view s) { return mo_str{s.data(), s.size()}; }

inline void append_text(std::string& out, std::string_view s) { out += s; }
inline void append_text(std::string& out, const char* s) { out += s; }
inline void append_text(std::string& out, const std::string& s) { out += s; }
inline void append_text(std::string& out, char c) { out += c; }
inline void append_text(std::string& out, bool b) { out += b ? "true" : "false"; }
inline void append_text(std::string& out, mo_str s) { out += view(s); }

template <class T, std::enable_if_t<std::is_arithmetic_v<T>, int> = 0>
void append_text(std::string& out, T number) {
  char buffer[40];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, number);  // floats: shortest form that reads back
  out.append(buffer, end.ptr);
}

template <class T>
void append_text(std::string& out, const std::vector<T>& list) {
  out += '[';
  const char* separator = "";
  for (const auto& item : list) {
    out += separator;
    append_text(out, item);
    separator = ",";
  }
  out += ']';
}

namespace detail {

// How much room a piece of text will need, about.
template <class T>
size_t text_room(const T& t) {
  if constexpr (std::is_convertible_v<const T&, std::string_view>)
    return std::string_view(t).size();
  else
    return 4;
}

}  // namespace detail

// Finds append_text for Shape, Dim, … by argument-dependent lookup.
template <class... Args>
std::string text(const Args&... args) {
  std::string out;
  out.reserve((detail::text_room(args) + ... + 0));
  (append_text(out, args), ...);
  return out;
}

}  // namespace mo
