// Integer arithmetic that wraps around as hardware does, where C++ leaves the result undefined.
#pragma once

#include "support/elements.hpp"

namespace mo::opset::wrapping {

// As wide as unsigned at least, so that nothing is promoted to int on the way.
template <class T>
using wide_t = std::conditional_t<(sizeof(T) < sizeof(unsigned)), unsigned, std::make_unsigned_t<T>>;

template <class T>
T add(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<wide_t<T>>(a) + static_cast<wide_t<T>>(b));
  else
    return a + b;
}
template <class T>
T subtract(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<wide_t<T>>(a) - static_cast<wide_t<T>>(b));
  else
    return a - b;
}
template <class T>
T multiply(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<wide_t<T>>(a) * static_cast<wide_t<T>>(b));
  else
    return a * b;
}
// Of floats the sign is turned, that of a zero, too, which 0 - a would lose.
template <class T>
T negative(T a) {
  if constexpr (std::is_integral_v<T>)
    return subtract(T{0}, a);
  else
    return -a;
}
// Towards zero; error for a divisor of 0.
template <class T>
T quotient(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if (b == 0) no_value("division of an integer by zero");
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return negative(a);
    return static_cast<T>(a / b);
  } else {
    return a / b;
  }
}
template <class T>
T remainder(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if (b == 0) no_value("remainder of a division of an integer by zero");
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return 0;
    return static_cast<T>(a % b);
  } else {
    return std::fmod(a, b);
  }
}
// Towards minus infinity.
template <class T>
T floor_quotient(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    const T q = quotient(a, b);
    return static_cast<T>(q - (remainder(a, b) != 0 && (a < 0) != (b < 0) ? 1 : 0));
  } else {
    return a / b;
  }
}
// With the sign of the divisor.
template <class T>
T floor_remainder(T a, T b) {
  const T r = remainder(a, b);
  return r != 0 && (r < 0) != (b < 0) ? add(r, b) : r;
}
template <class T>
T power(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    if constexpr (std::is_signed_v<T>)
      if (b < 0) {
        if (a == 0) no_value("0 to the power of ", static_cast<int64_t>(b));
        return a == 1 ? T{1} : a == -1 ? static_cast<T>(b % 2 == 0 ? 1 : -1) : T{0};
      }
    T r = 1;
    for (; b != 0; b = static_cast<T>(b / 2), a = multiply(a, a))
      if (b % 2 != 0) r = multiply(r, a);
    return r;
  } else {
    using R = std::conditional_t<std::is_same_v<T, double>, long double, double>;  // see unary.hpp
    return static_cast<T>(std::pow(static_cast<R>(a), static_cast<R>(b)));
  }
}

}  // namespace mo::opset::wrapping
