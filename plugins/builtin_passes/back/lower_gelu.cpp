// 2021.4 reads the approximation of Gelu by Tanh as the exact one (Gelu7Downgrade), so it is written out:
//   Gelu(x, tanh)  ->  x * (0.5 * (1 + Tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))))
// Nothing in 2021.4 fuses the formula with Tanh (gelu_fusion.cpp there has Erf alone): its CPU has a kernel
// for Gelu and computes this as several element-wise layers, which is slower and right on all of its devices.
// GeluFusionWithTanh of 2023 and later ones knows this order of the factors.
#include <mo/build.hpp>

#include "support/target.hpp"

#include <cmath>

namespace mo::builtin_passes {

class LowerGelu : public FrontReplacementOp {
 public:
  LowerGelu() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.lower_gelu";
    doc = "Gelu of mode tanh written out for release 2021.4, which takes it for the exact one";
    before = R"(
      %x = Parameter -> f32[2,3]
      %y = Gelu@opset7 (%x) {approximation_mode="tanh"}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,3]
      %three = Const -> f32[] {3}
      %p = Power@opset1 (%x, %three)
      %a = Const -> f32[] {0.044715}
      %q = Multiply@opset1 (%p, %a)
      %s = Add@opset1 (%x, %q)
      %root = Const -> f32[] {0.7978846}
      %r = Multiply@opset1 (%s, %root)
      %t = Tanh@opset1 (%r)
      %one = Const -> f32[] {1}
      %u = Add@opset1 (%t, %one)
      %half = Const -> f32[] {0.5}
      %h = Multiply@opset1 (%u, %half)
      %y = Multiply@opset1 (%x, %h)
      Result (%y))";
    op = "opset7::Gelu";
    run_after = {"back.simplify_again"};  // which fuses it
    force_clean_up = true;
    force_shape_inference = true;
  }
  bool graph_condition(Graph g) override { return writes_version_10(g); }

  Ports replace_op(Graph g, Node n) override {
    const Build b(g, n);
    const OutPort x = b.in(0);
    const auto mode = n.attr<std::string>("approximation_mode");
    only_when(mode == "tanh", "its mode is ", mode, ", which 2021.4 reads right");
    only_when(x.type() != ElementType::unknown, "its type is not known");
    const auto with = [&](const char* type, const OutPort& l, double r) {
      return b.op(type, "opset1", {l, b.like(x, r)});
    };
    const OutPort cubic = with("Multiply", with("Power", x, 3), 0.044715);
    const OutPort inner = with("Multiply", b.op("Add", "opset1", {x, cubic}), std::sqrt(2 / std::acos(-1.0)));
    const OutPort share = with("Multiply", with("Add", b.op("Tanh", "opset1", {inner}), 1), 0.5);
    return {b.op("Multiply", "opset1", {x, share})};
  }
};

void register_lower_gelu(Registry& r) { r.transformation<LowerGelu>(); }

}  // namespace mo::builtin_passes
