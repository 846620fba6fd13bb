// Tests for NaN and infinity, in operations that every runtime has.
#include "support/build.hpp"

namespace mo::onnx {

static Ports is_nan(Build& b, const SourceNode&) { return {b.op("NotEqual", "opset1", {b.in(0), b.in(0)})}; }

static Ports is_inf(Build& b, const SourceNode& n) {
  const OutPort x = b.in(0);
  const bool positive = n.native("detect_positive", 1) != 0, negative = n.native("detect_negative", 1) != 0;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto equals = [&](double v) { return b.op("Equal", "opset1", {x, b.like(x, v)}); };
  if (positive && negative) return {b.op("LogicalOr", "opset1", {equals(infinity), equals(-infinity)})};
  if (positive || negative) return {equals(positive ? infinity : -infinity)};
  return {b.op("Less", "opset1", {x, x})};  // never
}

void register_special_values(Registry& r) {
  replace<is_nan>(r, {"IsNaN", "IsNaN(x)", "NotEqual(x, x)"});
  replace<is_inf>(r, {"IsInf", "IsInf(x)", "LogicalOr(Equal(x, inf), Equal(x, -inf))"});
}

}  // namespace mo::onnx
