// Up to 2022.3 the CPU has an open rank behind a Squeeze by axes that only the run shows, and up to 2023.3 behind a reduction, and
// does not compile it, though the number of axes tells the rank: the shape is computed and has a known length.
//   Squeeze(x [R], axes [K])            ->  Reshape(x, shape [R - K])
//   ReduceSum(x, axes) {keep_dims=false} ->  the same of ReduceSum(x, axes) {keep_dims=true}
#include <numeric>

#include "support/open_axes.hpp"
#include "support/target.hpp"

namespace mo::builtin_passes {

class RemoveOpenAxes : public FrontReplacementOp {
 public:
  RemoveOpenAxes() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.remove_open_axes";
    doc =
        "dimensions at axes that only the run shows go by a Reshape to a computed shape, whose rank is "
        "known, "
        "for releases that leave it open";
    before = R"(
      %x = Parameter -> f32[2,3]
      %axes = Parameter -> i64[1]
      %y = ReduceSum@opset1 (%x, %axes) {keep_dims=false}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,3]
      %axes = Parameter -> i64[1]
      %kept = ReduceSum@opset1 (%x, %axes) {keep_dims=true}
      %rank = Const -> i64[] {2}
      %a = FloorMod@opset1 (%axes, %rank)
      %column = Const -> i64[2] {-1,1}
      %c = Reshape@opset1 (%a, %column) {special_zero=false}
      %places = Const -> i64[2] {0,1}
      %e = Equal@opset1 (%c, %places)
      %first = Const -> i64[] {0}
      %gone = ReduceLogicalOr@opset1 (%e, %first) {keep_dims=false}
      %stays = LogicalNot@opset1 (%gone)
      %s = Convert@opset1 (%stays) {destination_type=i64}
      %along = Const -> i64[] {0}
      %before = CumSum@opset3 (%s, %along) {exclusive=true, reverse=false}
      %rows = Const -> i64[2] {-1,1}
      %place = Reshape@opset1 (%before, %rows) {special_zero=false}
      %slots = Const -> i64[1] {0}
      %there = Equal@opset1 (%place, %slots)
      %rows2 = Const -> i64[2] {-1,1}
      %f = Reshape@opset1 (%stays, %rows2) {special_zero=false}
      %hit = LogicalAnd@opset1 (%there, %f)
      %dims = ShapeOf@opset3 (%kept)
      %rows3 = Const -> i64[2] {-1,1}
      %d = Reshape@opset1 (%dims, %rows3) {special_zero=false}
      %zero = Const -> i64[] {0}
      %sizes = Select@opset1 (%hit, %d, %zero)
      %down = Const -> i64[] {0}
      %shape = ReduceSum@opset1 (%sizes, %down) {keep_dims=false}
      %y = Reshape@opset1 (%kept, %shape) {special_zero=false}
      Result (%y))";
    ops = {"opset1::Squeeze",          "opset1::ReduceSum",      "opset1::ReduceMean", "opset1::ReduceMax",
           "opset1::ReduceMin",        "opset1::ReduceProd",     "opset4::ReduceL1",   "opset4::ReduceL2",
           "opset1::ReduceLogicalAnd", "opset1::ReduceLogicalOr"};
    run_after = {"back.lower_squeeze"};
    force_shape_inference = true;
  }
  bool graph_condition(Graph g) override { return targets_up_to(g.context(), "2023.3"); }

  std::vector<OutPort> replace_op(Graph g, Node n) override {
    const Build b(g, n);
    only_when(b.has(1), "it has no axes");
    const auto [rank, count] = open_axes(b);
    OutPort x = b.in(0);
    if (!n.is("Squeeze")) {
      only_when(!n.attr("keep_dims", false), "it keeps the dimensions");
      const Node kept = clone_with_new_inputs(n, {x, n.in_port(1).get_source()}, text(n.name(), "/kept"));
      x = kept.set("keep_dims", true).out_port();
      copy_runtime_info({n}, {kept});
    }
    only_when(count <= rank, "it has more axes than dimensions");
    if (count == rank) return {b.reshape(x, b.list({}))};
    const OutPort stays = b.op("LogicalNot", "opset1", {marked_axes(b, rank)});
    Ints places(static_cast<size_t>(rank - count));
    std::iota(places.begin(), places.end(), 0);
    // Of each dimension that stays its place in the result, which has the sizes: all else is 0.
    const auto column = [&](const OutPort& p) { return b.reshape(p, b.list({-1, 1})); };
    const OutPort there =
        b.op("LogicalAnd", "opset1",
             {b.op("Equal", "opset1", {column(count_before(b, stays)), b.list(places)}), column(stays)});
    const OutPort sizes = b.select(there, column(b.shape_of(x)), b.integer(0));
    return {b.reshape(x, b.reduce("ReduceSum", sizes, b.integer(0), false))};
  }
};

void register_remove_open_axes(Registry& r) { r.transformation<RemoveOpenAxes>(); }

}  // namespace mo::builtin_passes
