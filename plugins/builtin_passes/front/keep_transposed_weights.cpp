// Weights that a MatMul reads through a Transpose stay as the model has them, so that what else reads them shares them, and
// a device that wants them so need not turn them back:
//   MatMul(x, Transpose(weights [8,16], {1, 0}))  ->  MatMul(x, weights, transpose_b)
#include "support/expressions.hpp"

namespace mo::builtin_passes {

class KeepTransposedWeights : public FrontReplacementOp {
 public:
  KeepTransposedWeights() : FrontReplacementOp(MO_PHASE_FRONT) {
    id = "front.keep_transposed_weights";
    doc = "a Transpose of constant weights becomes an attribute of MatMul before it is computed";
    before = R"(
      %x = Parameter -> f32[2,3]
      %w = Const -> f32[2,3] {1,2,3,4,5,6}
      %order = Const -> i64[2] {1,0}
      %t = Transpose@opset1 (%w, %order)
      %y = MatMul@opset1 (%x, %t) {transpose_a=false, transpose_b=false}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,3]
      %w = Const -> f32[2,3] {1,2,3,4,5,6}
      %y = MatMul@opset1 (%x, %w) {transpose_a=false, transpose_b=true}
      Result (%y))";
    op = "MatMul";
    run_after = {Anchor::front_finish};
    run_before = {"pre_middle.start"};
  }
  void replace_sub_graph(Graph, Match& m) override {
    const Node n = m["op"];
    const OutPort operand = n.in_port(1).get_source();
    const auto turn = exchange_of_last_two(operand);
    only_when(turn && turn->in_node(0).is("Const"), "its second input is no Transpose of constants");
    n.in_port(1).set_source(turn->in_port(0).get_source());
    n.set("transpose_b", !n.attr<bool>("transpose_b", false));
  }
};

void register_keep_transposed_weights(Registry& r) { r.transformation<KeepTransposedWeights>(); }

}  // namespace mo::builtin_passes
