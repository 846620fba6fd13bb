// Closed intervals of element values, for arithmetic: like Bound, with open ends as the ends of int64.
#pragma once

#include <mo/sdk.hpp>

namespace mo::opset {

struct Interval {
  static constexpr int64_t lowest = std::numeric_limits<int64_t>::min();   // no lower end
  static constexpr int64_t highest = std::numeric_limits<int64_t>::max();  // no upper end
  int64_t lo = lowest, hi = highest;

  constexpr Interval() = default;
  constexpr Interval(int64_t exact) : lo(exact), hi(exact) {}
  constexpr Interval(int64_t low, int64_t high) : lo(low), hi(high) {}
  constexpr explicit Interval(const Dim& d) : lo(d.min), hi(d.is_unbounded() ? highest : d.max) {}
  constexpr explicit Interval(const Bound& b)
      : lo(b.has_min() ? b.min : lowest), hi(b.has_max() ? b.max : highest) {}

  constexpr bool exact() const { return lo == hi; }
  constexpr bool unknown() const { return lo == lowest && hi == highest; }
  constexpr bool contains(int64_t v) const { return lo <= v && v <= hi; }
  constexpr Bound to_bound() const {
    if (exact()) return {lo};
    if (lo == lowest) return hi == highest ? Bound() : Bound::at_most(hi);
    return hi == highest ? Bound::at_least(lo) : Bound(lo, hi);
  }
  // As a size: what is negative is left out.
  constexpr Dim to_dim() const {
    if (hi == highest && !exact()) return {std::max<int64_t>(lo, 0), -1};
    return {std::max<int64_t>(lo, 0), std::max<int64_t>(hi, 0)};
  }
  friend constexpr bool operator==(const Interval& a, const Interval& b) {
    return a.lo == b.lo && a.hi == b.hi;
  }
};

namespace interval {

// Arithmetic in which the ends of int64 stand for "no end"; where a finite end overflows, there is none
// either.
inline int64_t add(int64_t a, int64_t b, int64_t open) {
  int64_t r;
  return a == open || b == open || __builtin_add_overflow(a, b, &r) ? open : r;
}
inline bool is_open(int64_t a) { return a == Interval::lowest || a == Interval::highest; }
inline int64_t negate(int64_t a) {
  return a == Interval::lowest ? Interval::highest : a == Interval::highest ? Interval::lowest : -a;
}
inline int64_t floor_quotient(int64_t a, int64_t b) {  // b > 0
  if (is_open(a)) return a;
  if (b == Interval::highest) return a < 0 ? -1 : 0;
  return a / b - (a % b < 0 ? 1 : 0);
}
inline int64_t truncated_quotient(int64_t a, int64_t b) {  // b > 0
  if (is_open(a)) return a;
  return b == Interval::highest ? 0 : a / b;
}

inline Interval unite(const Interval& a, const Interval& b) {
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}
inline Interval negative(const Interval& a) { return {negate(a.hi), negate(a.lo)}; }
inline Interval sum(const Interval& a, const Interval& b) {
  return {add(a.lo, b.lo, Interval::lowest), add(a.hi, b.hi, Interval::highest)};
}
inline Interval difference(const Interval& a, const Interval& b) { return sum(a, negative(b)); }
inline Interval product(const Interval& a, const Interval& b) {
  Interval r{Interval::highest, Interval::lowest};
  for (const int64_t x : {a.lo, a.hi})
    for (const int64_t y : {b.lo, b.hi}) {
      int64_t p = 0;
      if (x != 0 && y != 0) {
        if (is_open(x) || is_open(y))
          p = (x < 0) == (y < 0) ? Interval::highest : Interval::lowest;
        else if (__builtin_mul_overflow(x, y, &p))
          return {};
      }
      r = {std::min(r.lo, p), std::max(r.hi, p)};
    }
  return r;
}
// Of integers; unknown where the divisor may be 0.
template <class Quotient>
Interval quotient(const Interval& a, const Interval& b, Quotient q) {
  if (b.hi < 0) return quotient(negative(a), negative(b), q);
  if (b.lo <= 0) return {};
  const int64_t p[] = {q(a.lo, b.lo), q(a.lo, b.hi), q(a.hi, b.lo), q(a.hi, b.hi)};
  return {*std::min_element(p, p + 4), *std::max_element(p, p + 4)};
}
inline Interval minimum(const Interval& a, const Interval& b) {
  return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
}
inline Interval maximum(const Interval& a, const Interval& b) {
  return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
}

// The values a type can hold. Floats hold any that matter.
inline Interval range_of(ElementType t) {
  if (t == ElementType::boolean) return {0, 1};
  const int b = bits(t);
  if (!is_integer(t) || b >= 64) return t == ElementType::u64 ? Interval(0, Interval::highest) : Interval();
  return is_signed(t) ? Interval(-(int64_t{1} << (b - 1)), (int64_t{1} << (b - 1)) - 1)
                      : Interval(0, (int64_t{1} << b) - 1);
}
// A result that may have wrapped around says nothing. Open ends come from sizes, which do not wrap.
inline Interval fit(ElementType t, const Interval& a) {
  const Interval all = range_of(t);
  const bool low = a.lo < all.lo && a.lo != Interval::lowest,
             high = a.hi > all.hi && a.hi != Interval::highest;
  return low || high ? all : Interval(std::max(a.lo, all.lo), a.hi);
}

}  // namespace interval
}  // namespace mo::opset
