// Trigonometric functions and their inverses.
#include "support/unary.hpp"

namespace mo::opset {

struct Sin {
  static constexpr std::string_view doc = "sine";
  template <class R>
  static R of(R x) {
    return std::sin(x);
  }
};

struct Cos {
  static constexpr std::string_view doc = "cosine";
  template <class R>
  static R of(R x) {
    return std::cos(x);
  }
};

struct Tan {
  static constexpr std::string_view doc = "tangent";
  template <class R>
  static R of(R x) {
    return std::tan(x);
  }
};

struct Asin {
  static constexpr std::string_view doc = "inverse sine";
  template <class R>
  static R of(R x) {
    return std::asin(x);
  }
};

struct Acos {
  static constexpr std::string_view doc = "inverse cosine";
  template <class R>
  static R of(R x) {
    return std::acos(x);
  }
};

struct Atan {
  static constexpr std::string_view doc = "inverse tangent";
  template <class R>
  static R of(R x) {
    return std::atan(x);
  }
};

void register_trigonometric(Registry& r) {
  r.operation<UnaryMath<Sin>>("Sin", "opset1");
  r.operation<UnaryMath<Cos>>("Cos", "opset1");
  r.operation<UnaryMath<Tan>>("Tan", "opset1");
  r.operation<UnaryMath<Asin>>("Asin", "opset1");
  r.operation<UnaryMath<Acos>>("Acos", "opset1");
  r.operation<UnaryMath<Atan>>("Atan", "opset1");
}

}  // namespace mo::opset
