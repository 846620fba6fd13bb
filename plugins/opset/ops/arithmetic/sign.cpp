// Abs, Negative and Sign. The negative of the least integer is itself.
#include "support/unary.hpp"
#include "support/wrapping.hpp"

namespace mo::opset {

struct Abs {
  static constexpr std::string_view doc = "magnitude of each element";
  template <class T>
  static T of(T x) {
    if constexpr (std::is_floating_point_v<T>)
      return std::abs(x);
    else if constexpr (std::is_signed_v<T>)
      return x < 0 ? wrapping::negative(x) : x;
    else
      return x;
  }
  static Interval bounds(const Interval& x) {
    if (x.lo >= 0) return x;
    const Interval n = interval::negative(x);
    return x.hi <= 0 ? n : Interval(0, std::max(x.hi, n.hi));
  }
};

struct Negative {
  static constexpr std::string_view doc = "each element with the other sign";
  template <class T>
  static T of(T x) {
    return wrapping::negative(x);
  }
  static Interval bounds(const Interval& x) { return interval::negative(x); }
};

struct Sign {
  static constexpr std::string_view doc = "-1, 0 or 1";
  template <class T>
  static T of(T x) {
    if constexpr (std::is_floating_point_v<T>)
      if (std::isnan(x)) return x;
    return static_cast<T>((x > T{0}) - (x < T{0}));
  }
  static Interval bounds(const Interval& x) {
    const auto sign = [](int64_t v) -> int64_t { return (v > 0) - (v < 0); };
    return {sign(x.lo), sign(x.hi)};
  }
};

void register_sign(Registry& r) {
  r.operation<Unary<Abs>>("Abs", "opset1");
  r.operation<Unary<Negative>>("Negative", "opset1");
  r.operation<Unary<Sign>>("Sign", "opset1");
}

}  // namespace mo::opset
