// Numbers as texts.
#pragma once

#include <charconv>
#include <cstdint>
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

// A number of bytes: "1000", or with K, M, G or T after it, which stand for powers of 1024.
inline std::optional<uint64_t> parse_size(std::string_view s) {
  constexpr std::string_view units = "KMGT";
  int shift = 0;
  if (const size_t unit = s.empty() ? units.npos : units.find(s.back()); unit != units.npos) {
    shift = 10 * (static_cast<int>(unit) + 1);
    s.remove_suffix(1);
  }
  const auto n = parse_number<uint64_t>(s);
  return n && *n <= (~uint64_t{0} >> 1 >> shift) ? std::optional(*n << shift) : std::nullopt;
}

}  // namespace mo::core
