// Exp, Log, Sqrt and Erf.
#include "support/unary.hpp"

namespace mo::opset {

struct Exp {
  static constexpr std::string_view doc = "e to the power of each element";
  template <class R>
  static R of(R x) {
    return std::exp(x);
  }
  static RealInterval bounds(const RealInterval& x) { return real::growing(x, &of<double>); }
};

struct Log {
  static constexpr std::string_view doc = "natural logarithm";
  template <class R>
  static R of(R x) {
    return std::log(x);
  }
  static RealInterval bounds(const RealInterval& x) {
    return x.lo < 0 ? RealInterval() : real::growing(x, &of<double>);
  }
};

struct Sqrt {
  static constexpr std::string_view doc = "square root";
  template <class R>
  static R of(R x) {
    return std::sqrt(x);
  }
  static RealInterval bounds(const RealInterval& x) {
    return x.lo < 0 ? RealInterval() : RealInterval(std::sqrt(x.lo), std::sqrt(x.hi));
  }
};

struct Erf {
  static constexpr std::string_view doc = "error function";
  template <class R>
  static R of(R x) {
    return std::erf(x);
  }
};

void register_exponential(Registry& r) {
  r.operation<UnaryMath<Exp>>("Exp", "opset1");
  r.operation<UnaryMath<Log>>("Log", "opset1");
  r.operation<UnaryMath<Sqrt>>("Sqrt", "opset1");
  r.operation<UnaryMath<Erf>>("Erf", "opset1");
}

}  // namespace mo::opset
