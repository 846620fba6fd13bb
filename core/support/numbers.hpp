// Numbers as texts.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace mo::core {

// A text that is a number of this type from its first character to its last.
template <class Number>
std::optional<Number> parse_number(std::string_view s) {
  Number n{};
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), n);
  return error == std::errc() && end == s.data() + s.size() ? std::optional(n) : std::nullopt;
}

}  // namespace mo::core
