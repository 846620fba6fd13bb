// Closed intervals of floating-point elements, on their way from bounds in whole numbers to such bounds.
// An infinite end is none. A number is not NaN as long as one end is known: what may give NaN gives nothing.
#pragma once

#include "support/interval.hpp"

#include <cmath>

namespace mo::opset {

struct RealInterval {
  static constexpr double endless = std::numeric_limits<double>::infinity();
  double lo = -endless, hi = endless;

  constexpr RealInterval() = default;
  constexpr RealInterval(double exact) : lo(exact), hi(exact) {}
  constexpr RealInterval(double low, double high) : lo(low), hi(high) {}
  constexpr explicit RealInterval(const Interval& v)
      : lo(v.lo == Interval::lowest ? -endless : static_cast<double>(v.lo)),
        hi(v.hi == Interval::highest ? endless : static_cast<double>(v.hi)) {}

  constexpr bool exact() const { return lo == hi; }
  constexpr bool unknown() const { return lo == -endless && hi == endless; }
  constexpr bool bounded() const { return lo > -endless && hi < endless; }
  constexpr bool contains(double v) const { return lo <= v && v <= hi; }
};

namespace real {

// Nothing where an end is no number.
inline RealInterval between(double lo, double hi) {
  return std::isnan(lo) || std::isnan(hi) || lo == RealInterval::endless || hi == -RealInterval::endless
             ? RealInterval()
             : RealInterval(lo, hi);
}
inline RealInterval hull(std::initializer_list<double> ends) {
  for (const double e : ends)
    if (std::isnan(e)) return {};
  return between(std::min(ends), std::max(ends));
}

inline RealInterval negative(const RealInterval& a) { return {-a.hi, -a.lo}; }
inline RealInterval sum(const RealInterval& a, const RealInterval& b) {
  return a.unknown() || b.unknown() ? RealInterval() : between(a.lo + b.lo, a.hi + b.hi);
}
inline RealInterval difference(const RealInterval& a, const RealInterval& b) { return sum(a, negative(b)); }
// Infinity times 0 is NaN.
inline RealInterval product(const RealInterval& a, const RealInterval& b) {
  if ((!a.bounded() && b.contains(0)) || (!b.bounded() && a.contains(0))) return {};
  return a.unknown() || b.unknown() ? RealInterval()
                                    : hull({a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi});
}
// Nothing where the divisor may be 0.
inline RealInterval quotient(const RealInterval& a, const RealInterval& b) {
  if (a.unknown() || b.contains(0) || (!a.bounded() && !b.bounded())) return {};
  return hull({a.lo / b.lo, a.lo / b.hi, a.hi / b.lo, a.hi / b.hi});
}
inline RealInterval minimum(const RealInterval& a, const RealInterval& b) {
  return a.unknown() || b.unknown() ? RealInterval()
                                    : RealInterval(std::min(a.lo, b.lo), std::min(a.hi, b.hi));
}
inline RealInterval maximum(const RealInterval& a, const RealInterval& b) {
  return a.unknown() || b.unknown() ? RealInterval()
                                    : RealInterval(std::max(a.lo, b.lo), std::max(a.hi, b.hi));
}
inline RealInterval magnitude(const RealInterval& a) {
  if (a.unknown() || a.lo >= 0) return a;
  return a.hi <= 0 ? negative(a) : RealInterval(0, std::max(-a.lo, a.hi));
}

// A growing function whose results libraries round differently: exact where it gives a whole number.
template <class F>
RealInterval growing(const RealInterval& a, F f) {
  constexpr double slack = 0x1p-22;  // some units in the last place of float
  const auto off = [](double v, double by) { return v == std::nearbyint(v) ? v : v + std::abs(v) * by; };
  return a.unknown() ? RealInterval() : between(off(f(a.lo), -slack), off(f(a.hi), slack));
}

}  // namespace real
}  // namespace mo::opset
