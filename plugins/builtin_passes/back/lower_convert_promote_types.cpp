// For releases without ConvertPromoteTypes:
//   ConvertPromoteTypes(a, b)  ->  Convert(a), Convert(b)
#include "support/lowering.hpp"

namespace mo::builtin_passes {

class LowerConvertPromoteTypes : public Lowering {
 public:
  LowerConvertPromoteTypes() {
    id = "back.lower_convert_promote_types";
    doc = "ConvertPromoteTypes as two conversions";
    before = R"(
      %a = Parameter -> f32[2]
      %b = Parameter -> i32[3]
      %c = ConvertPromoteTypes@opset14 (%a, %b) {promote_unsafe=true, pytorch_scalar_promotion=false, u64_integer_promotion_target=f32} -> (_, _)
      %d = Abs@opset1 (%c:0)
      %e = Abs@opset1 (%c:1)
      Result (%d)
      Result (%e))";
    after = R"(
      %a = Parameter -> f32[2]
      %b = Parameter -> i32[3]
      %d = Abs@opset1 (%a)
      %k = Convert@opset1 (%b) {destination_type=f32}
      %e = Abs@opset1 (%k)
      Result (%d)
      Result (%e))";
    lowers("ConvertPromoteTypes", {14});
  }

 private:
  Ports lower(const Build& b, const Node& n) override {
    const ElementType type = n.out_port(0).type();
    only_when(type != ElementType::unknown, "the type of both results is not known");
    return {b.convert(b.in(0), type), b.convert(b.in(1), type)};
  }
};

void register_lower_convert_promote_types(Registry& r) { r.transformation<LowerConvertPromoteTypes>(); }

}  // namespace mo::builtin_passes
