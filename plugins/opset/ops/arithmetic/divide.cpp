// Divide. With m_pythondiv, the default, integers are rounded down, else towards zero.
#include "support/binary.hpp"
#include "support/wrapping.hpp"

namespace mo::opset {

struct FloorDivide {
  static constexpr std::string_view doc = "a / b";
  template <class T>
  static T of(T a, T b) {
    return wrapping::floor_quotient(a, b);
  }
  static Interval bounds(const Interval& a, const Interval& b) {
    return interval::quotient(a, b, &interval::floor_quotient);
  }
  static RealInterval bounds(const RealInterval& a, const RealInterval& b) { return real::quotient(a, b); }
};
struct TruncatedDivide {
  static constexpr std::string_view doc = "a / b";
  template <class T>
  static T of(T a, T b) {
    return wrapping::quotient(a, b);
  }
  static Interval bounds(const Interval& a, const Interval& b) {
    return interval::quotient(a, b, &interval::truncated_quotient);
  }
};

struct Divide {
  static constexpr std::string_view type = "Divide", opset = "opset1";
  static void schema(OpSchema& s) {
    Binary<FloorDivide>::schema(s);
    s.attr<bool>("m_pythondiv", true);
  }
  static void infer(InferContext& c) {
    if (is_float(c.type(0)) || c.attr<bool>("m_pythondiv"))
      Binary<FloorDivide>::infer(c);
    else
      Binary<TruncatedDivide>::infer(c);
  }
  static void evaluate(EvalContext& c) {
    if (c.attr<bool>("m_pythondiv"))
      Binary<FloorDivide>::evaluate(c);
    else
      Binary<TruncatedDivide>::evaluate(c);
  }
};

void register_divide(Registry& r) { r.operation<Divide>(); }

}  // namespace mo::opset
