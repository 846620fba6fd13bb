// Products with 1, sums with 0, powers of 1:
//   Multiply(x, 1), Divide(x, 1), Add(x, 0), Subtract(x, 0), Power(x, 1)  ->  x
#include "support/eliminate.hpp"

namespace mo::builtin_passes {

class RemoveNeutralArithmetic : public Elimination {
 public:
  RemoveNeutralArithmetic() : Elimination({"Multiply", "Divide", "Add", "Subtract", "Power"}) {
    id = "middle.remove_neutral_arithmetic";
    doc = "products with 1, sums with 0 and powers of 1 are left out";
    before = R"(
      %x = Parameter -> f32[2,?]
      %one = Const -> f32[1,1] {1}
      %zero = Const -> f32[] {0}
      %m = Multiply@opset1 (%one, %x)
      %a = Subtract@opset1 (%m, %zero)
      %y = ReLU@opset1 (%a)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,?]
      %y = ReLU@opset1 (%x)
      Result (%y))";
  }
  OutPort heir(const Node& n) override {
    const std::string_view op = op_of(n);
    const double neutral = op == "Add" || op == "Subtract" ? 0 : 1;
    const OutPort a = source_of(n, 0), b = source_of(n, 1);
    if (is_uniform(b, neutral) && keeps_shape(a, b)) return a;
    const bool commutes = op == "Add" || op == "Multiply";
    return commutes && is_uniform(a, neutral) && keeps_shape(b, a) ? b : OutPort();
  }
};

void register_remove_neutral_arithmetic(Registry& r) { r.transformation<RemoveNeutralArithmetic>(); }

}  // namespace mo::builtin_passes
