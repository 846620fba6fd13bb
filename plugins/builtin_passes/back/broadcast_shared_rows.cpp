// Rows of open number that all matrices of a constant are multiplied with are given to each of them, as CPUs take
// the first dimension of the rows for that of the product otherwise:
//   MatMul(x[1,?,8], w[4,8,6])  ->  MatMul(Broadcast(x, {4,1,1}), w)
#include <mo/build.hpp>

namespace mo::builtin_passes {

class BroadcastSharedRows : public FrontReplacementOp {
 public:
  BroadcastSharedRows() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.broadcast_shared_rows";
    doc = "rows of open number that several constant matrices share are spread over them";
    before = R"(
      %x = Parameter -> f32[1,?,8]
      %w = Const -> f32[4,8,6] {0.5...}
      %y = MatMul@opset1 (%x, %w) {transpose_a=false, transpose_b=false}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,?,8]
      %d = Const -> i64[3] {4,1,1}
      %b = Broadcast@opset3 (%x, %d) {mode="bidirectional"}
      %w = Const -> f32[4,8,6] {0.5...}
      %y = MatMul@opset1 (%b, %w) {transpose_a=false, transpose_b=false}
      Result (%y))";
    ops = {"MatMul"};
    run_after = {"back.simplify_again", "back.compress_quantized_weights", "back.spread_in_operations"};
    force_shape_inference = true;
  }
  void replace_sub_graph(Graph g, Match& m) override {
    const Node n = m["op"];
    const Build b(g, n);
    const Shape x = b.in(0).shape(), w = b.in(1).shape();
    only_when(w.rank() == 3 && w.is_static() && w[0] != Dim(1), "its second factor is no list of matrices");
    only_when(x.rank() == 3 && !x.is_static(), "its rows are ", x, ", which devices spread");
    only_when(x[0] != w[0], "each matrix has rows of its own");
    only_when(is_constant(b.in(1)), "its matrices are computed");
    const Node spread = b.node("Broadcast", "opset3", {b.in(0), b.list({w[0].value(), 1, 1})});
    spread.set("mode", "bidirectional");
    copy_runtime_info({n}, {spread});
    n.in_port(0).set_source(spread.out_port());
  }

 private:
  // Weights in few bits are computed of constants.
  static bool is_constant(const OutPort& p) {
    const Node n = p.node();
    if (n.is("Const")) return true;
    if (!n.is("Convert") && !n.is("Subtract") && !n.is("Multiply") && !n.is("Reshape") && !n.is("Transpose"))
      return false;
    for (const InPort& in : n.in_ports())
      if (!is_constant(in.get_source())) return false;
    return true;
  }
};

void register_broadcast_shared_rows(Registry& r) { r.transformation<BroadcastSharedRows>(); }

}  // namespace mo::builtin_passes
