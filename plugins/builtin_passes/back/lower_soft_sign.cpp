// For releases without SoftSign:
//   SoftSign(x)  ->  x / (1 + |x|)
#include "support/lowering.hpp"

namespace mo::builtin_passes {

class LowerSoftSign : public Lowering {
 public:
  LowerSoftSign() {
    id = "back.lower_soft_sign";
    doc = "SoftSign written out";
    before = R"(
      %x = Parameter -> f32[2,3]
      %y = SoftSign@opset9 (%x)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,3]
      %a = Abs@opset1 (%x)
      %one = Const -> f32[] {1}
      %s = Add@opset1 (%a, %one)
      %y = Divide@opset1 (%x, %s)
      Result (%y))";
    lowers("SoftSign", {9});
  }

 private:
  Ports lower(const Build& b, const Node&) override {
    const OutPort x = b.in(0);
    return {b.op("Divide", "opset1", {x, b.op("Add", "opset1", {b.op("Abs", "opset1", {x}), b.like(x, 1)})})};
  }
};

void register_lower_soft_sign(Registry& r) { r.transformation<LowerSoftSign>(); }

}  // namespace mo::builtin_passes
