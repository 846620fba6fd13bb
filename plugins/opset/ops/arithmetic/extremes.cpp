// Maximum and Minimum.
#include "support/binary.hpp"

namespace mo::opset {

struct Maximum {
  static constexpr bool commutes = true;
  static constexpr std::string_view doc = "the greater one";
  template <class T>
  static T of(T a, T b) {
    return a > b || a != a ? a : b;
  }
  static Interval bounds(const Interval& a, const Interval& b) { return interval::maximum(a, b); }
  static RealInterval bounds(const RealInterval& a, const RealInterval& b) { return real::maximum(a, b); }
};

struct Minimum {
  static constexpr bool commutes = true;
  static constexpr std::string_view doc = "the lesser one";
  template <class T>
  static T of(T a, T b) {
    return a < b || a != a ? a : b;
  }
  static Interval bounds(const Interval& a, const Interval& b) { return interval::minimum(a, b); }
  static RealInterval bounds(const RealInterval& a, const RealInterval& b) { return real::minimum(a, b); }
};

void register_extremes(Registry& r) {
  r.operation<Binary<Maximum>>("Maximum", "opset1");
  r.operation<Binary<Minimum>>("Minimum", "opset1");
}

}  // namespace mo::opset
