// UTF-8, one sequence at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace mo::core {

// Length of the well-formed sequence that starts at `at`; 0 when there is none. Surrogates and overlong
// forms are not well-formed.
inline size_t utf8_length(std::string_view s, size_t at) {
  const auto byte = [&](size_t i) { return i < s.size() ? static_cast<uint8_t>(s[i]) : uint8_t{0}; };
  const auto follows = [&](size_t i, uint8_t low = 0x80, uint8_t high = 0xbf) {
    return byte(i) >= low && byte(i) <= high;
  };
  const uint8_t first = byte(at);
  if (first < 0x80) return at < s.size() ? 1 : 0;
  if (first >= 0xc2 && first <= 0xdf) return follows(at + 1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const uint8_t low = first == 0xe0 ? 0xa0 : 0x80, high = first == 0xed ? 0x9f : 0xbf;
    return follows(at + 1, low, high) && follows(at + 2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const uint8_t low = first == 0xf0 ? 0x90 : 0x80, high = first == 0xf4 ? 0x8f : 0xbf;
    return follows(at + 1, low, high) && follows(at + 2) && follows(at + 3) ? 4 : 0;
  }
  return 0;
}

// Nothing but what ASCII can print: no control character, no byte above it. Eight bytes at a time.
inline bool is_printable_ascii(std::string_view s) {
  constexpr uint64_t ones = 0x0101010101010101U, tops = 0x80 * ones;
  const auto odd = [](uint64_t word) {
    const uint64_t below_space = (word - 0x20 * ones) & ~word, deletes = word ^ (0x7f * ones);
    return ((word | below_space | ((deletes - ones) & ~deletes)) & tops) != 0;
  };
  uint64_t word = 0;
  for (; s.size() >= sizeof word; s.remove_prefix(sizeof word)) {
    std::memcpy(&word, s.data(), sizeof word);
    if (odd(word)) return false;
  }
  word = 0x20 * ones;
  std::memcpy(&word, s.data(), s.size());
  return !odd(word);
}

inline bool is_utf8(std::string_view s) {
  const auto is_ascii = [&](size_t at) {  // the eight bytes there
    uint64_t word = 0;
    std::memcpy(&word, s.data() + at, sizeof word);
    return (word & 0x8080808080808080U) == 0;
  };
  for (size_t i = 0; i < s.size();) {
    if (s.size() >= 8 && is_ascii(std::min(i, s.size() - 8))) {
      i += 8;
      continue;
    }
    const size_t length = static_cast<uint8_t>(s[i]) < 0x80 ? 1 : utf8_length(s, i);
    if (length == 0) return false;
    i += length;
  }
  return true;
}

}  // namespace mo::core
