// A mask of truth values makes no numbers of the products of attention on CPUs up to 2025.2, and 2023.3 refuses it:
//   ScaledDotProductAttention(q, k, v, m)  ->  ScaledDotProductAttention(q, k, v, Select(m, 0, -inf))
#include <mo/build.hpp>

#include "support/target.hpp"

#include <limits>

namespace mo::builtin_passes {

class WriteMasksAsNumbers : public FrontReplacementOp {
 public:
  WriteMasksAsNumbers() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.write_masks_as_numbers";
    doc = "masks of attention that are truth values become what is added";
    before = R"(
      %q = Parameter -> f32[1,2,3,4]
      %k = Parameter -> f32[1,2,5,4]
      %v = Parameter -> f32[1,2,5,6]
      %m = Parameter -> boolean[1,1,3,5]
      %y = ScaledDotProductAttention@opset13 (%q, %k, %v, %m) {causal=false}
      Result (%y))";
    after = R"(
      %q = Parameter -> f32[1,2,3,4]
      %k = Parameter -> f32[1,2,5,4]
      %v = Parameter -> f32[1,2,5,6]
      %m = Parameter -> boolean[1,1,3,5]
      %zero = Const -> f32[] {0}
      %never = Const -> f32[] {-inf}
      %a = Select@opset1 (%m, %zero, %never)
      %y = ScaledDotProductAttention@opset13 (%q, %k, %v, %a) {causal=false}
      Result (%y))";
    ops = {"ScaledDotProductAttention"};
    run_after = {"back.lower_attention"};
    run_before = {"back.simplify_again"};
    force_shape_inference = true;
  }
  bool graph_condition(Graph g) override { return targets_up_to(g.context(), "2025.2"); }
  void replace_sub_graph(Graph g, Match& m) override {
    const Node n = m["op"];
    const Build b(g, n);
    only_when(b.has(3) && b.in(3).type() == ElementType::boolean, "its mask is no truth values");
    const OutPort q = b.in(0);
    only_when(q.type() != ElementType::unknown, "the type of the queries is not known");
    n.in_port(3).set_source(
        b.select(b.in(3), b.like(q, 0), b.like(q, -std::numeric_limits<double>::infinity())));
  }
};

void register_write_masks_as_numbers(Registry& r) { r.transformation<WriteMasksAsNumbers>(); }

}  // namespace mo::builtin_passes
