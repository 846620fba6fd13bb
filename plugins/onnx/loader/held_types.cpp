#include "loader/held_types.hpp"

#include <array>
#include <cmath>

namespace mo::onnx {

namespace {

// A float without a zero of each sign, whose code is NaN; its exponents begin one below those of its kind.
float fnuz_value(unsigned code, Held type) {
  if (code == 0x80) return std::numeric_limits<float>::quiet_NaN();
  const int digits = type == Held::float8e4m3fnuz ? 3 : 2, bias = type == Held::float8e4m3fnuz ? 8 : 16;
  const unsigned size = code & 0x7fU, leading = 1U << digits;
  const auto exponent = static_cast<int>(size >> digits);
  const unsigned fraction = size & (leading - 1);
  const float value = exponent == 0
                          ? std::ldexp(static_cast<float>(fraction), 1 - bias - digits)
                          : std::ldexp(static_cast<float>(fraction + leading), exponent - bias - digits);
  return code > 0x80 ? -value : value;
}

Tensor fnuz_numbers(Context c, const Tensor& codes, Held type) {
  std::array<uint16_t, 256> halves{};
  for (unsigned code = 0; code < 256; ++code) halves.at(code) = float_to_half(fnuz_value(code, type));
  auto [numbers, data] = Tensor::create_bytes(c, ElementType::f16, codes.dims());
  const auto* from = static_cast<const uint8_t*>(codes.data());
  auto* to = static_cast<uint16_t*>(data);
  for (size_t i = 0; i < codes.size(); ++i) to[i] = halves.at(from[i]);
  return numbers;
}

// Both have their first number in the lowest bits.
Tensor int2_numbers(Context c, const Tensor& codes) {
  auto [numbers, data] = Tensor::create_bytes(c, ElementType::i4, codes.dims());
  const auto* from = static_cast<const uint8_t*>(codes.data());
  auto* to = static_cast<uint8_t*>(data);
  for (size_t i = 0; i < codes.size(); ++i) {
    const unsigned code = (from[i / 4] >> (i % 4 * 2)) & 3U;
    const unsigned number = code < 2 ? code : code | 0xcU;
    if (i % 2 == 0)
      to[i / 2] = static_cast<uint8_t>(number);
    else
      to[i / 2] = static_cast<uint8_t>(to[i / 2] | number << 4U);
  }
  return numbers;
}

}  // namespace

Tensor held_numbers(Context c, const Tensor& codes, Held type) {
  return type == Held::int2 ? int2_numbers(c, codes) : fnuz_numbers(c, codes, type);
}

}  // namespace mo::onnx
