// Mod has the sign of the dividend, FloorMod that of the divisor.
#include "support/binary.hpp"
#include "support/wrapping.hpp"

namespace mo::opset {

static Interval floor_remainder_bounds(const Interval& a, const Interval& b) {
  if (b.hi < 0)
    return interval::negative(floor_remainder_bounds(interval::negative(a), interval::negative(b)));
  if (b.lo <= 0) return {};
  const bool fixed = b.exact() && !interval::is_open(a.lo) && !interval::is_open(a.hi);
  if (fixed && interval::floor_quotient(a.lo, b.lo) == interval::floor_quotient(a.hi, b.lo))
    return {wrapping::floor_remainder(a.lo, b.lo), wrapping::floor_remainder(a.hi, b.lo)};
  if (a.lo >= 0 && a.hi < b.lo) return a;
  const int64_t high = interval::is_open(b.hi) ? b.hi : b.hi - 1;
  return {0, a.lo >= 0 ? std::min(a.hi, high) : high};
}
static Interval remainder_bounds(const Interval& a, const Interval& b) {
  if (b.hi < 0) return remainder_bounds(a, interval::negative(b));
  if (b.lo <= 0) return {};
  if (a.lo >= 0) return floor_remainder_bounds(a, b);
  if (a.hi <= 0) return interval::negative(floor_remainder_bounds(interval::negative(a), b));
  return interval::unite(remainder_bounds({a.lo, 0}, b), remainder_bounds({0, a.hi}, b));
}

// Of floats: the remainder of infinity is NaN, and that of a negative number may be rounded to the divisor.
static RealInterval floor_remainder_bounds(const RealInterval& a, const RealInterval& b) {
  if (b.hi < 0) return real::negative(floor_remainder_bounds(real::negative(a), real::negative(b)));
  if (b.lo <= 0 || !a.bounded()) return {};
  if (a.exact() && b.exact()) return {wrapping::floor_remainder(a.lo, b.lo)};
  if (a.lo >= 0 && a.hi < b.lo) return a;
  return {0, a.lo >= 0 ? std::min(a.hi, b.hi) : b.hi};
}
static RealInterval remainder_bounds(const RealInterval& a, const RealInterval& b) {
  if (b.hi < 0) return remainder_bounds(a, real::negative(b));
  if (b.lo <= 0 || !a.bounded()) return {};
  if (a.lo >= 0) return floor_remainder_bounds(a, b);
  if (a.hi <= 0) return real::negative(floor_remainder_bounds(real::negative(a), b));
  return {std::max(a.lo, -b.hi), std::min(a.hi, b.hi)};
}

struct Mod {
  static constexpr std::string_view doc = "remainder of a division rounded towards zero";
  template <class T>
  static T of(T a, T b) {
    return wrapping::remainder(a, b);
  }
  static Interval bounds(const Interval& a, const Interval& b) { return remainder_bounds(a, b); }
  static RealInterval bounds(const RealInterval& a, const RealInterval& b) { return remainder_bounds(a, b); }
};

struct FloorMod {
  static constexpr std::string_view doc = "remainder of a division rounded down";
  template <class T>
  static T of(T a, T b) {
    return wrapping::floor_remainder(a, b);
  }
  static Interval bounds(const Interval& a, const Interval& b) { return floor_remainder_bounds(a, b); }
  static RealInterval bounds(const RealInterval& a, const RealInterval& b) {
    return floor_remainder_bounds(a, b);
  }
};

void register_modulo(Registry& r) {
  r.operation<Binary<Mod>>("Mod", "opset1");
  r.operation<Binary<FloorMod>>("FloorMod", "opset1");
}

}  // namespace mo::opset
