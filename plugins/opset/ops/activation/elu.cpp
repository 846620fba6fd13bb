// Elu: alpha * (exp(x) - 1) below 0.
#include "support/unary.hpp"

namespace mo::opset {

struct Elu {
  static constexpr std::string_view type = "Elu", opset = "opset1";
  static void schema(OpSchema& s) {
    s.doc("x, and alpha * (exp(x) - 1) where x is negative")
        .input("data", Role::none, number_types)
        .element_wise()
        .outputs(1)
        .attr<double>("alpha");
  }
  static void infer(InferContext& c) { c.output(0, c.type(0), c.shape(0)); }
  static void evaluate(EvalContext& c) {
    const auto alpha = c.attr<double>("alpha");
    map_math(c, [alpha](auto x) { return x < 0 ? alpha * std::expm1(x) : x; });
  }
};

void register_elu(Registry& r) { r.operation<Elu>(); }

}  // namespace mo::opset
