// SoftPlus, Mish and SoftSign.
#include "support/unary.hpp"

namespace mo::opset {

// Written so that a large x does not overflow.
template <class R>
static R soft_plus_of(R x) {
  return std::max(x, R{0}) + std::log1p(std::exp(-std::abs(x)));
}

struct SoftPlus {
  static constexpr std::string_view doc = "log(1 + exp(x))";
  template <class R>
  static R of(R x) {
    return soft_plus_of(x);
  }
};

struct Mish {
  static constexpr std::string_view doc = "x * tanh(log(1 + exp(x)))";
  template <class R>
  static R of(R x) {
    return x * std::tanh(soft_plus_of(x));
  }
};

struct SoftSign {
  static constexpr std::string_view doc = "x / (1 + |x|)";
  template <class R>
  static R of(R x) {
    return x / (1 + std::abs(x));
  }
};

void register_soft_plus(Registry& r) {
  r.operation<UnaryMath<SoftPlus>>("SoftPlus", "opset4");
  r.operation<UnaryMath<Mish>>("Mish", "opset4");
  r.operation<UnaryMath<SoftSign>>("SoftSign", "opset9");
}

}  // namespace mo::opset
