// For releases without the tests of opset10:
//   IsNaN(x)  ->  NotEqual(x, x)        IsFinite(x)  ->  Less(Abs(x), infinity)
//   IsInf(x)  ->  Equal(Abs(x), infinity), or Equal(x, infinity of one sign)
#include "support/lowering.hpp"

#include <limits>

namespace mo::builtin_passes {

class LowerNumberTests : public Lowering {
 public:
  LowerNumberTests() {
    id = "back.lower_number_tests";
    doc = "comparisons for IsNaN, IsInf and IsFinite";
    before = R"(
      %x = Parameter -> f32[2,3]
      %y = IsNaN@opset10 (%x)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,3]
      %y = NotEqual@opset1 (%x, %x)
      Result (%y))";
    for (const char* type : {"IsNaN", "IsInf", "IsFinite"}) lowers(type, {10});
  }

 private:
  Ports lower(const Build& b, const Node& n) override {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const OutPort x = b.in(0);
    if (n.is("IsNaN")) return {b.op("NotEqual", "opset1", {x, x})};
    if (n.is("IsFinite")) return {b.op("Less", "opset1", {b.op("Abs", "opset1", {x}), b.like(x, infinity)})};
    const bool below = n.attr("detect_negative", true), above = n.attr("detect_positive", true);
    only_when(below || above, "it looks for neither sign of infinity");
    if (below && above) return {b.op("Equal", "opset1", {b.op("Abs", "opset1", {x}), b.like(x, infinity)})};
    return {b.op("Equal", "opset1", {x, b.like(x, below ? -infinity : infinity)})};
  }
};

void register_lower_number_tests(Registry& r) { r.transformation<LowerNumberTests>(); }

}  // namespace mo::builtin_passes
