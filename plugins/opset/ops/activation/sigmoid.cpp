// Sigmoid, and the activations built from pieces of it.
#include "support/unary.hpp"

namespace mo::opset {

struct Sigmoid {
  static constexpr std::string_view doc = "1 / (1 + exp(-x))";
  template <class R>
  static R of(R x) {
    return 1 / (1 + std::exp(-x));
  }
};

struct HSwish {
  static constexpr std::string_view doc = "x * min(max(x + 3, 0), 6) / 6";
  template <class R>
  static R of(R x) {
    return x * std::clamp(x + 3, R{0}, R{6}) / 6;
  }
};

struct HSigmoid {
  static constexpr std::string_view doc = "min(max(x + 3, 0), 6) / 6";
  template <class R>
  static R of(R x) {
    return std::clamp(x + 3, R{0}, R{6}) / 6;
  }
};

void register_sigmoid(Registry& r) {
  r.operation<UnaryMath<Sigmoid>>("Sigmoid", "opset1");
  r.operation<UnaryMath<HSwish>>("HSwish", "opset4");
  r.operation<UnaryMath<HSigmoid>>("HSigmoid", "opset5");
}

}  // namespace mo::opset
