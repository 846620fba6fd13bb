// Hyperbolic functions and their inverses.
#include "support/unary.hpp"

namespace mo::opset {

struct Sinh {
  static constexpr std::string_view doc = "hyperbolic sine";
  template <class R>
  static R of(R x) {
    return std::sinh(x);
  }
};

struct Cosh {
  static constexpr std::string_view doc = "hyperbolic cosine";
  template <class R>
  static R of(R x) {
    return std::cosh(x);
  }
};

struct Tanh {
  static constexpr std::string_view doc = "hyperbolic tangent";
  template <class R>
  static R of(R x) {
    return std::tanh(x);
  }
};

struct Asinh {
  static constexpr std::string_view doc = "inverse hyperbolic sine";
  template <class R>
  static R of(R x) {
    return std::asinh(x);
  }
};

struct Acosh {
  static constexpr std::string_view doc = "inverse hyperbolic cosine";
  template <class R>
  static R of(R x) {
    return std::acosh(x);
  }
};

struct Atanh {
  static constexpr std::string_view doc = "inverse hyperbolic tangent";
  template <class R>
  static R of(R x) {
    return std::atanh(x);
  }
};

void register_hyperbolic(Registry& r) {
  r.operation<UnaryMath<Sinh>>("Sinh", "opset1");
  r.operation<UnaryMath<Cosh>>("Cosh", "opset1");
  r.operation<UnaryMath<Tanh>>("Tanh", "opset1");
  r.operation<UnaryMath<Asinh>>("Asinh", "opset4");
  r.operation<UnaryMath<Acosh>>("Acosh", "opset4");
  r.operation<UnaryMath<Atanh>>("Atanh", "opset4");
}

}  // namespace mo::opset
