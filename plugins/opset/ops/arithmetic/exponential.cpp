// Exp, Log, Sqrt, Erf and its inverse.
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

// The inverse of the error function: a first value good to 1e-2, and Newton's steps of third order.
struct ErfInv {
  static constexpr std::string_view doc = "inverse of the error function";
  static double of_double(double y) {
    if (std::isnan(y) || std::abs(y) > 1) return std::numeric_limits<double>::quiet_NaN();
    if (std::abs(y) == 1) return std::copysign(std::numeric_limits<double>::infinity(), y);
    constexpr double a = 0.147, two_over_root_pi = 1.1283791670955126;
    const double l = std::log1p(-y * y), t = 2 / (3.14159265358979323846 * a) + l / 2;
    double x = std::copysign(std::sqrt(std::sqrt(t * t - l / a) - t), y);
    for (int i = 0; i < 3; ++i) {
      // Where y is nearly 1 the difference keeps its digits in the complement.
      const double off = y > 0.5    ? (1 - y) - std::erfc(x)
                         : y < -0.5 ? std::erfc(-x) - (1 + y)
                                    : std::erf(x) - y;
      const double step = off / (two_over_root_pi * std::exp(-x * x));
      x -= step / (1 + x * step);
    }
    return x;
  }
  template <class R>
  static R of(R y) {
    return static_cast<R>(of_double(static_cast<double>(y)));
  }
};

struct ErfInv17 : UnaryMath<ErfInv> {
  static void infer(InferContext& c) {
    require_float(c, 0);
    UnaryMath<ErfInv>::infer(c);
  }
};

void register_exponential(Registry& r) {
  r.operation<UnaryMath<Exp>>("Exp", "opset1");
  r.operation<UnaryMath<Log>>("Log", "opset1");
  r.operation<UnaryMath<Sqrt>>("Sqrt", "opset1");
  r.operation<UnaryMath<Erf>>("Erf", "opset1");
  r.operation<ErfInv17>("ErfInv", "opset17");
}

}  // namespace mo::opset
