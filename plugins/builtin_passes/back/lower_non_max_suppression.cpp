// For releases without NonMaxSuppression-9. Version 5 drops a box that overlaps by just the threshold, too,
// so it gets the next greater number:
//   NonMaxSuppression-9(boxes, scores, n, t, s)  ->  NonMaxSuppression-5(boxes, scores, n, t', s)
#include "support/lowering.hpp"

#include <cmath>
#include <limits>

namespace mo::builtin_passes {

class LowerNonMaxSuppression : public Lowering {
 public:
  LowerNonMaxSuppression() {
    id = "back.lower_non_max_suppression";
    doc = "NonMaxSuppression-5 for releases without version 9";
    before = R"(
      %boxes = Parameter -> f32[1,8,4]
      %scores = Parameter -> f32[1,2,8]
      %n = Const -> i64[] {3}
      %t = Const -> f32[] {0.5}
      %s = Const -> f32[] {0.25}
      %y = NonMaxSuppression@opset9 (%boxes, %scores, %n, %t, %s) {box_encoding="corner", sort_result_descending=false, output_type=i64} -> (_, _, _)
      Result (%y:0)
      Result (%y:1)
      Result (%y:2))";
    after = R"(
      %boxes = Parameter -> f32[1,8,4]
      %scores = Parameter -> f32[1,2,8]
      %n = Const -> i64[] {3}
      %t = Const -> f32[] {0.50000006}
      %s = Const -> f32[] {0.25}
      %y = NonMaxSuppression@opset5 (%boxes, %scores, %n, %t, %s) {box_encoding="corner", sort_result_descending=false, output_type=i64} -> (_, _, _)
      Result (%y:0)
      Result (%y:1)
      Result (%y:2))";
    lowers("NonMaxSuppression", {9});
  }

 private:
  Ports lower(const Build& b, const Node& n) override {
    // Soft suppression of version 9 drops nothing by its overlap.
    if (b.has(5)) {
      const auto sigma = b.floats(5);
      only_when(sigma && sigma->size() == 1 && sigma->front() == 0,
                "its soft_nms_sigma is not 0: version 5 drops boxes where it lowers scores");
    }
    if (b.has(3)) {
      n.in_port(3).set_source(next_greater(b, b.in(3)));
    } else {
      only_when(n.in_count() <= 3, "it has inputs behind a threshold that is left out");
    }
    n.set_op("NonMaxSuppression", "opset5");
    return {};
  }

  // Nothing below the normal numbers: a processor may take those for 0.
  static OutPort next_greater(const Build& b, const OutPort& threshold) {
    constexpr float least = std::numeric_limits<float>::min();
    only_when(threshold.type() == ElementType::f32, "its threshold is ", name(threshold.type()),
              "; the next greater number is known for f32");
    const auto given = threshold.value();
    if (given && given->size() == 1) {
      const float above = std::max(std::nextafter(given->to_floats<float>().front(), 2.0F), least);
      return b.constant(Tensor::filled(b.context(), ElementType::f32, {above}, given->dims()));
    }
    // One or two steps further, as it is rounded; boxes are not compared to that many digits.
    const OutPort above =
        b.op("Multiply", "opset1",
             {threshold, b.like(threshold, 1 + double{std::numeric_limits<float>::epsilon()})});
    return b.op("Maximum", "opset1", {above, b.like(threshold, double{least})});
  }
};

void register_lower_non_max_suppression(Registry& r) { r.transformation<LowerNonMaxSuppression>(); }

}  // namespace mo::builtin_passes
