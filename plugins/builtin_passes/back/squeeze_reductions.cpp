// A reduction that drops its dimensions, before what is combined with a row of constants, keeps them, and a
// Squeeze drops them: devices take both in one step and read the row along the dimension it would have had
// before the reduction.
//   ReduceSum(x [N,M,K], {2}) + row [1,M]  ->  Squeeze(ReduceSum(x, {2}, keep_dims), {2}) + row
#include <mo/sdk.hpp>

#include "support/row_of_constants.hpp"

namespace mo::builtin_passes {

class SqueezeReductions : public MatcherPass {
 public:
  SqueezeReductions() : MatcherPass(MO_PHASE_BACK) {
    id = "back.squeeze_reductions";
    doc =
        "a reduction that drops its dimensions before a row of constants keeps them, and Squeeze drops them";
    before = R"(
      %x = Parameter -> f32[2,3,4]
      %axis = Const -> i64[1] {2}
      %r = ReduceSum@opset1 (%x, %axis) {keep_dims=false}
      %row = Const -> f32[1,3] {1,20,300}
      %y = Add@opset1 (%r, %row) {auto_broadcast="numpy"}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,3,4]
      %axis = Const -> i64[1] {2}
      %r = ReduceSum@opset1 (%x, %axis) {keep_dims=true}
      %s = Squeeze@opset1 (%r, %axis)
      %row = Const -> f32[1,3] {1,20,300}
      %y = Add@opset1 (%s, %row) {auto_broadcast="numpy"}
      Result (%y))";
    run_after = {"back.simplify_again"};
    force_shape_inference = true;
    const Pattern reduction =
        wrap_type({"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2"},
                  {any_input(), constant()});
    reduction->where<bool>("keep_dims", [](bool kept) { return !kept; });
    register_matcher(reduction, [](const Graph& g, const Match& m) { keep(g, m.root()); });
  }

 private:
  static void keep(const Graph& g, const Node& n) {
    only_when(is_float(n.out_port().type()), "its numbers are ", name(n.out_port().type()));
    only_when(meets_row_of_constants(n), "no row of constants is combined with what it gives");
    const OutPort x = n.in_port(0).get_source(), axes = n.in_port(1).get_source();
    const Node kept = clone_with_new_inputs(n, {x, axes}, n.name() + "/kept");
    kept.set("keep_dims", true);
    const Node dropped = g.create_node("Squeeze", "opset1", n.name() + "/dropped", {kept.out_port(), axes});
    dropped.out_port().set_shape(n.out_port().type(), n.out_port().shape());
    copy_runtime_info({n}, {kept, dropped});
    replace_node(n, dropped);
  }
};

void register_squeeze_reductions(Registry& r) { r.transformation<SqueezeReductions>(); }

}  // namespace mo::builtin_passes
