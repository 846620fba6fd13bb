// Bytes as hexadecimal digits.
#pragma once

#include <string>
#include <string_view>

namespace mo::app {

// Two digits a byte, in small letters.
inline std::string hex_of(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  out.reserve(2 * bytes.size());
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += digits[byte >> 4U];
    out += digits[byte & 15U];
  }
  return out;
}

}  // namespace mo::app
