// Products with 1, sums with 0, powers of 1:
//   Multiply(x, 1), Divide(x, 1), Add(x, 0), Subtract(x, 0), Power(x, 1)  ->  x
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class RemoveNeutralArithmetic : public Elimination {
 public:
  RemoveNeutralArithmetic()
      : Elimination(any_of({wrap_type({"Multiply", "Add"}, {any_input(), zeros_or_ones()}),
                            wrap_type({"Divide", "Subtract", "Power"}, {any_input(), zeros_or_ones()})})) {
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
    const double neutral = n.is("Add") || n.is("Subtract") ? 0 : 1;
    const bool commutes = n.is("Add") || n.is("Multiply");
    const OutPort a = source_of(n, 0), b = source_of(n, 1);
    const bool second = is_uniform(b, neutral), first = commutes && is_uniform(a, neutral);
    if (second && keeps_shape(a, b)) return a;
    if (first && keeps_shape(b, a)) return b;
    only_when(!first && !second, "the constant is ", neutral, " everywhere, but of shape ",
              (second ? b : a).shape(), " beside ", (second ? a : b).shape(), ", which it may spread");
    return {};
  }

 private:
  // As far as its first element tells.
  static Pattern zeros_or_ones() {
    return constant()->where([](const OutPort& p) {
      const auto first = first_number(p);
      return first == 0.0 || first == 1.0;
    });
  }
};

void register_remove_neutral_arithmetic(Registry& r) {
  simplifying<RemoveNeutralArithmetic>(r, Stage::remove);
}

}  // namespace mo::builtin_passes
