// mo/small_floats.hpp: floats of 8 and of 4 bits as numbers, and the way back.
#ifndef MO_SMALL_FLOATS_HPP
#define MO_SMALL_FLOATS_HPP

#include <mo/types.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

namespace mo {

// Whether `type` is f8e4m3, f8e5m2, f8e8m0 or f4e2m1.
inline bool is_small_float(ElementType type) {
  return type == ElementType::f8e4m3 || type == ElementType::f8e5m2 || type == ElementType::f8e8m0 ||
         type == ElementType::f4e2m1;
}

namespace detail {

struct SmallFloatForm {
  int mantissa, bias;
  unsigned sign;      // its bit
  unsigned greatest;  // code of the greatest finite number
};
inline SmallFloatForm small_float_form(ElementType type) {
  if (type == ElementType::f8e4m3) return {3, 7, 0x80, 0x7e};
  if (type == ElementType::f8e5m2) return {2, 15, 0x80, 0x7b};
  return {1, 1, 0x8, 0x7};
}

}  // namespace detail

// The number that `code` stands for; of f4e2m1 its 4 lower bits count. `type` must be a small float. [any]
inline float small_float_value(ElementType type, unsigned code) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  if (type == ElementType::f8e8m0) return code == 255 ? nan : std::ldexp(1.0F, static_cast<int>(code) - 127);
  const detail::SmallFloatForm f = detail::small_float_form(type);
  const unsigned size = code & (f.sign - 1);
  const unsigned fraction = size & ((1U << f.mantissa) - 1);
  const int exponent = static_cast<int>(size >> f.mantissa);
  float value = 0;
  if (size > f.greatest)
    value = type == ElementType::f8e5m2 && fraction == 0 ? std::numeric_limits<float>::infinity() : nan;
  else if (exponent == 0)
    value = std::ldexp(static_cast<float>(fraction), 1 - f.bias - f.mantissa);
  else
    value = std::ldexp(static_cast<float>(fraction + (1U << f.mantissa)), exponent - f.bias - f.mantissa);
  return (code & f.sign) != 0 ? -value : value;
}

// The code of the number nearest to `value`, of two the even one. What is too large becomes infinity, NaN
// where the type has no infinity, and the greatest number where it has no NaN either. f8e8m0 has powers of
// two only: the least for 0 and for what is below, the greatest for what is above, infinity too, as OpenVINO
// converts to it (src/core/src/type/float8_e8m0.cpp). `type` must be a small float. [any]
inline uint8_t small_float_code(ElementType type, float value) {
  if (type == ElementType::f8e8m0) {
    if (std::isnan(value)) return 255;
    if (value <= 0x1p-127F) return 0;
    if (value >= 0x1p127F) return 254;
    int exponent = 0;
    const float part = std::frexp(value, &exponent);  // 0.5 to 1
    const int below = exponent - 1 + 127;
    const int code = part > 0.75F || (part == 0.75F && below % 2 != 0) ? below + 1 : below;
    return static_cast<uint8_t>(code);
  }
  const detail::SmallFloatForm f = detail::small_float_form(type);
  const unsigned sign = std::signbit(value) ? f.sign : 0;
  const unsigned none = type == ElementType::f4e2m1 ? f.greatest : f.sign - 1;
  if (std::isnan(value)) return static_cast<uint8_t>(sign | none);
  const float size = std::fabs(value);
  int exponent = 0;
  std::frexp(size, &exponent);
  exponent = std::isinf(size) ? 128 : exponent - 1;
  const int least = 1 - f.bias;
  if (exponent < least || size == 0) exponent = least;
  // Whole steps of the last digit; a carry goes into the exponent by itself.
  const double steps = exponent == 128 ? 1e9 : std::nearbyint(std::ldexp(size, f.mantissa - exponent));
  const double code = steps + static_cast<double>((exponent - least) * (1 << f.mantissa));
  if (code <= f.greatest) return static_cast<uint8_t>(sign | static_cast<unsigned>(code));
  return static_cast<uint8_t>(sign | (type == ElementType::f8e5m2 ? f.greatest + 1 : none));
}

}  // namespace mo

#endif
