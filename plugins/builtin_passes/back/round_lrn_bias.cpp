// Devices read the bias of LRN as an integer:
//   LRN(x) {alpha, beta, bias}  ->  Multiply(LRN(x) {alpha / bias, beta, 1}, bias ^ -beta)
#include <mo/build.hpp>

#include <cmath>

#include "support/expressions.hpp"

namespace mo::builtin_passes {

class RoundLrnBias : public FrontReplacementOp {
 public:
  RoundLrnBias() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.round_lrn_bias";
    doc = "a bias of LRN that is no integer, which devices cut to one, goes into its factors";
    before = R"(
      %x = Parameter -> f32[1,8,4,4]
      %a = Const -> i64[1] {1}
      %y = LRN@opset1 (%x, %a) {alpha=1, beta=0.5, bias=6.25, size=5}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,8,4,4]
      %a = Const -> i64[1] {1}
      %l = LRN@opset1 (%x, %a) {alpha=0.16, beta=0.5, bias=1.0, size=5}
      %f = Const -> f32[] {0.4}
      %y = Multiply@opset1 (%l, %f)
      Result (%y))";
    ops = {"LRN"};
    run_after = {"back.simplify_again"};
    force_shape_inference = true;
  }

 private:
  std::vector<OutPort> replace_op(Graph g, Node n) override {
    const double bias = n.attr<double>("bias"), beta = n.attr<double>("beta");
    only_when(bias != std::floor(bias), "its bias is ", bias, ", which devices read as it is");
    only_when(bias > 0, "its bias is ", bias, "; roots of what is below 0 are no factors");
    const Build b(g, n);
    const Node l = b.node("LRN", "opset1", {b.in(0), b.in(1)});
    l.set("alpha", as_written(n.attr<double>("alpha") / bias)).set("beta", beta);
    l.set("bias", 1.0).set("size", n.attr<int64_t>("size"));
    const OutPort y = b.op("Multiply", "opset1", {l.out_port(), b.like(b.in(0), std::pow(bias, -beta))});
    copy_runtime_info({n}, {l, y.node()});
    return {y};
  }
};

void register_round_lrn_bias(Registry& r) { r.transformation<RoundLrnBias>(); }

}  // namespace mo::builtin_passes
