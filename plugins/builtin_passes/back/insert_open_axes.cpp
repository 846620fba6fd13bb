// Axes of Unsqueeze that only the run shows leave the rank open in devices, which the CPU (2022.3 to 2026.4) does not compile,
// though the number of axes tells it: the shape is computed and has a known length.
//   Unsqueeze(x [R], axes [K])  ->  Reshape(x, shape [R + K])
#include "support/open_axes.hpp"

namespace mo::builtin_passes {

class InsertOpenAxes : public FrontReplacementOp {
 public:
  InsertOpenAxes() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.insert_open_axes";
    doc = "Unsqueeze by axes that only the run shows is a Reshape to a computed shape, whose rank is known";
    before = R"(
      %x = Parameter -> f32[2,3]
      %axes = Parameter -> i64[1]
      %y = Unsqueeze@opset1 (%x, %axes)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,3]
      %axes = Parameter -> i64[1]
      %rank = Const -> i64[] {3}
      %a = FloorMod@opset1 (%axes, %rank)
      %column = Const -> i64[2] {-1,1}
      %c = Reshape@opset1 (%a, %column) {special_zero=false}
      %places = Const -> i64[3] {0,1,2}
      %e = Equal@opset1 (%c, %places)
      %first = Const -> i64[] {0}
      %new = ReduceLogicalOr@opset1 (%e, %first) {keep_dims=false}
      %one = Const -> i64[] {1}
      %dims = ShapeOf@opset3 (%x)
      %old = LogicalNot@opset1 (%new)
      %o = Convert@opset1 (%old) {destination_type=i64}
      %along = Const -> i64[] {0}
      %before = CumSum@opset3 (%o, %along) {exclusive=true, reverse=false}
      %last = Const -> i64[] {1}
      %from = Minimum@opset1 (%before, %last)
      %list = Const -> i64[] {0}
      %d = Gather@opset7 (%dims, %from, %list) {batch_dims=0}
      %shape = Select@opset1 (%new, %one, %d)
      %y = Reshape@opset1 (%x, %shape) {special_zero=false}
      Result (%y))";
    ops = {"opset1::Unsqueeze"};
    force_shape_inference = true;
  }

  std::vector<OutPort> replace_op(Graph g, Node n) override {
    const Build b(g, n);
    const auto [rank, count] = open_axes(b);
    const OutPort x = b.in(0);
    if (rank == 0) return {b.reshape(x, Ints(static_cast<size_t>(count), 1))};
    const OutPort is_new = marked_axes(b, rank + count);
    // Behind the last dimension only new ones follow, whose size is not read.
    const OutPort from = b.op("Minimum", "opset1",
                              {count_before(b, b.op("LogicalNot", "opset1", {is_new})), b.integer(rank - 1)});
    return {b.reshape(x, b.select(is_new, b.integer(1), b.gather(b.shape_of(x), from, 0)))};
  }
};

void register_insert_open_axes(Registry& r) { r.transformation<InsertOpenAxes>(); }

}  // namespace mo::builtin_passes
