// 16-bit floats held as their bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace mo {

namespace detail {
inline float float_from_bits(uint32_t b) {
  float f;
  std::memcpy(&f, &b, sizeof f);
  return f;
}
inline uint32_t bits_from_float(float f) {
  uint32_t b;
  std::memcpy(&b, &f, sizeof b);
  return b;
}
}  // namespace detail

inline float half_to_float(uint16_t h) {
  const uint32_t sign = static_cast<uint32_t>(h & 0x8000U) << 16;
  const uint32_t exponent = (h >> 10) & 0x1fU;
  const uint32_t fraction = h & 0x3ffU;
  if (exponent == 31) return detail::float_from_bits(sign | 0x7f800000U | (fraction << 13));
  if (exponent != 0) return detail::float_from_bits(sign | ((exponent + 112) << 23) | (fraction << 13));
  const float magnitude = static_cast<float>(fraction) * 0x1p-24F;  // subnormal or zero
  return sign != 0 ? -magnitude : magnitude;
}

// Rounds to nearest, ties to even.
inline uint16_t float_to_half(float f) {
  const uint32_t b = detail::bits_from_float(f);
  const auto sign = static_cast<uint16_t>((b >> 16) & 0x8000U);
  const uint32_t magnitude = b & 0x7fffffffU;
  if (magnitude > 0x7f800000U)
    return static_cast<uint16_t>(sign | 0x7e00U | ((magnitude >> 13) & 0x1ffU));  // NaN
  if (magnitude >= 0x477ff000U) return static_cast<uint16_t>(sign | 0x7c00U);     // rounds to infinity
  if (magnitude < 0x38800000U) {  // subnormal: let the adder round
    const float shifted = detail::float_from_bits(magnitude) + 0.5F;
    return static_cast<uint16_t>(sign | (detail::bits_from_float(shifted) - 0x3f000000U));
  }
  const uint32_t rounded = magnitude - 0x38000000U + 0xfffU + ((magnitude >> 13) & 1U);
  return static_cast<uint16_t>(sign | (rounded >> 13));
}

// The same of n numbers, without branches: loops of a length that is known become vector instructions.
inline void floats_to_halves(const float* from, uint16_t* to, size_t n) {
  constexpr size_t lanes = 8;
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    int32_t b[lanes];
    uint16_t h[lanes];
    float shifted[lanes];
    std::memcpy(b, from + i, sizeof b);
    int32_t m[lanes], small[lanes];
    for (size_t k = 0; k < lanes; ++k) m[k] = b[k] & 0x7fffffff;
    std::memcpy(shifted, m, sizeof m);
    for (size_t k = 0; k < lanes; ++k) shifted[k] += 0.5F;
    std::memcpy(small, shifted, sizeof small);
    for (size_t k = 0; k < lanes; ++k) {
      const int32_t normal = (m[k] - 0x38000000 + 0xfff + ((m[k] >> 13) & 1)) >> 13;
      int32_t v = m[k] < 0x38800000 ? small[k] - 0x3f000000 : normal;
      v = m[k] >= 0x477ff000 ? 0x7c00 : v;
      v = m[k] > 0x7f800000 ? 0x7e00 | ((m[k] >> 13) & 0x1ff) : v;
      h[k] = static_cast<uint16_t>(v | ((b[k] >> 16) & 0x8000));
    }
    std::memcpy(to + i, h, sizeof h);
  }
  for (; i < n; ++i) to[i] = float_to_half(from[i]);
}

inline float bfloat_to_float(uint16_t h) { return detail::float_from_bits(static_cast<uint32_t>(h) << 16); }

inline uint16_t float_to_bfloat(float f) {
  const uint32_t b = detail::bits_from_float(f);
  if ((b & 0x7fffffffU) > 0x7f800000U) return static_cast<uint16_t>((b >> 16) | 0x40U);  // NaN stays NaN
  return static_cast<uint16_t>((b + 0x7fffU + ((b >> 16) & 1U)) >> 16);
}

}  // namespace mo
