// Power. Integers are exact and wrap around; a negative exponent gives 0 but for bases 1 and -1.
#include "support/binary.hpp"
#include "support/wrapping.hpp"

namespace mo::opset {

struct Power {
  static constexpr std::string_view doc = "a to the power of b";
  template <class T>
  static T of(T a, T b) {
    return wrapping::power(a, b);
  }
  static Interval bounds(const Interval& a, const Interval& b) {
    if (a.lo < 0 || !b.exact() || b.lo < 0) return {};
    return {power_of(a.lo, b.lo), power_of(a.hi, b.lo)};
  }
  static RealInterval bounds(const RealInterval& a, const RealInterval& b) {
    if (a.lo < 0 || !b.exact() || b.lo < 0) return {};
    return real::growing(a, [&](double v) { return std::pow(v, b.lo); });
  }

 private:
  static int64_t power_of(int64_t a, int64_t b) {
    Interval r = 1;
    for (int64_t i = 0; i < b && r.hi != Interval::highest && a > 1; ++i) r = interval::product(r, a);
    return a == 0 && b > 0 ? 0 : r.hi;
  }
};

void register_power(Registry& r) { r.operation<Binary<Power>>("Power", "opset1"); }

}  // namespace mo::opset
