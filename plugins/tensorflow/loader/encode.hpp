// Writes fields of messages in protobuf's wire format: for attributes that the loader makes.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace mo::tensorflow::encode {

inline void put_varint(std::string& out, uint64_t v) {
  for (; v >= 0x80; v >>= 7) out += static_cast<char>((v & 0x7fU) | 0x80U);
  out += static_cast<char>(v);
}
inline std::string integer(uint32_t number, uint64_t v) {
  std::string s;
  put_varint(s, uint64_t{number} << 3);
  put_varint(s, v);
  return s;
}
inline std::string boolean(uint32_t number, bool v) { return integer(number, v ? 1 : 0); }
inline std::string single(uint32_t number, float v) {
  std::string s;
  put_varint(s, (uint64_t{number} << 3) | 5U);
  char raw[sizeof v];
  std::memcpy(raw, &v, sizeof v);
  s.append(raw, sizeof raw);
  return s;
}
inline std::string real(uint32_t number, double v) {
  std::string s;
  put_varint(s, (uint64_t{number} << 3) | 1U);
  char raw[sizeof v];
  std::memcpy(raw, &v, sizeof v);
  s.append(raw, sizeof raw);
  return s;
}
// Strings, messages and packed lists.
inline std::string bytes(uint32_t number, std::string_view v) {
  std::string s;
  put_varint(s, (uint64_t{number} << 3) | 2U);
  put_varint(s, v.size());
  s += v;
  return s;
}

}  // namespace mo::tensorflow::encode
