// ReLU: what is negative becomes 0.
#include "support/unary.hpp"

namespace mo::opset {

struct Relu {
  static constexpr std::string_view doc = "max(x, 0)";
  template <class T>
  static T of(T x) {
    return x < T{0} ? T{0} : x;
  }
  static Interval bounds(const Interval& x) { return interval::maximum(x, 0); }
};

void register_relu(Registry& r) { r.operation<Unary<Relu>>("ReLU", "opset1"); }

}  // namespace mo::opset
