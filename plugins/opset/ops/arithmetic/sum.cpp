// Add, Subtract, Multiply and SquaredDifference. Integers wrap around.
#include "support/binary.hpp"
#include "support/wrapping.hpp"

namespace mo::opset {

struct Add {
  static constexpr bool commutes = true;
  static constexpr std::string_view doc = "a + b";
  template <class T>
  static T of(T a, T b) {
    return wrapping::add(a, b);
  }
  static Interval bounds(const Interval& a, const Interval& b) { return interval::sum(a, b); }
  static RealInterval bounds(const RealInterval& a, const RealInterval& b) { return real::sum(a, b); }
};

struct Subtract {
  static constexpr std::string_view doc = "a - b";
  template <class T>
  static T of(T a, T b) {
    return wrapping::subtract(a, b);
  }
  static Interval bounds(const Interval& a, const Interval& b) { return interval::difference(a, b); }
  static RealInterval bounds(const RealInterval& a, const RealInterval& b) { return real::difference(a, b); }
};

struct Multiply {
  static constexpr bool commutes = true;
  static constexpr std::string_view doc = "a * b";
  template <class T>
  static T of(T a, T b) {
    return wrapping::multiply(a, b);
  }
  static Interval bounds(const Interval& a, const Interval& b) { return interval::product(a, b); }
  static RealInterval bounds(const RealInterval& a, const RealInterval& b) { return real::product(a, b); }
};

struct SquaredDifference {
  static constexpr bool commutes = true;
  static constexpr std::string_view doc = "(a - b) * (a - b)";
  template <class T>
  static T of(T a, T b) {
    const T d = wrapping::subtract(a, b);
    return wrapping::multiply(d, d);
  }
  static Interval bounds(const Interval& a, const Interval& b) {
    const Interval d = interval::difference(a, b), square = interval::product(d, d);
    return {std::max<int64_t>(square.lo, 0), square.hi};
  }
};

void register_sum(Registry& r) {
  r.operation<Binary<Add>>("Add", "opset1");
  r.operation<Binary<Subtract>>("Subtract", "opset1");
  r.operation<Binary<Multiply>>("Multiply", "opset1");
  r.operation<Binary<SquaredDifference>>("SquaredDifference", "opset1");
}

}  // namespace mo::opset
