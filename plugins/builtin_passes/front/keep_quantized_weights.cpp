// FakeQuantize of constants is not computed, so that weights can be stored in few bits. Of two levels it is:
// such weights are computed.
#include <mo/sdk.hpp>

namespace mo::builtin_passes {

class KeepQuantizedWeights : public FrontReplacementOp {
 public:
  KeepQuantizedWeights() : FrontReplacementOp(MO_PHASE_FRONT) {
    id = "front.keep_quantized_weights";
    doc = "FakeQuantize of constants stays an operation";
    before = R"(
      %w = Const -> f32[2] {0.1,0.9}
      %low = Const -> f32[] {-1}
      %high = Const -> f32[] {1}
      %q = FakeQuantize@opset1 (%w, %low, %high, %low, %high) {levels=3}
      %x = Parameter -> f32[2]
      %y = Multiply@opset1 (%x, %q)
      Result (%y))";
    after = R"(
      %w = Const -> f32[2] {0.1,0.9}
      %low = Const -> f32[] {-1}
      %high = Const -> f32[] {1}
      %q = FakeQuantize@opset1 (%w, %low, %high, %low, %high) {levels=3, stop_value_propagation=true}
      %x = Parameter -> f32[2]
      %y = Multiply@opset1 (%x, %q)
      Result (%y))";
    op = "FakeQuantize";
    run_after = {Anchor::front_finish};  // whoever makes one
    run_before = {"pre_middle.start"};
  }
  void replace_sub_graph(Graph, Match& m) override {
    const Node n = m["op"];
    only_when(n.attr<int64_t>("levels", 2) != 2, "of two levels it is computed");
    only_when(!n.attr<bool>(MO_ATTR_STOP_VALUE, false), "it says already that it stays");
    n.set(MO_ATTR_STOP_VALUE, true);
  }
};

void register_keep_quantized_weights(Registry& r) { r.transformation<KeepQuantizedWeights>(); }

}  // namespace mo::builtin_passes
