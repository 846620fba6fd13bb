// Inputs that may be left out are given to operations that a release reads only with all of them:
//   CumSum(x)  ->  CumSum(x, 0)
#include <mo/build.hpp>

#include "support/target.hpp"

namespace mo::builtin_passes {

class CompleteInputs : public FrontReplacementOp {
 public:
  CompleteInputs() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.complete_inputs";
    doc = "inputs that may be left out are given where a release reads all of them";
    before = R"(
      %x = Parameter -> f32[2,3]
      %y = CumSum@opset3 (%x) {exclusive=false, reverse=false}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,3]
      %axis = Const -> i64[] {0}
      %y = CumSum@opset3 (%x, %axis) {exclusive=false, reverse=false}
      Result (%y))";
    ops = {"CumSum", "NonMaxSuppression"};
    run_after = {"back.simplify_again"};
  }
  void replace_sub_graph(Graph g, Match& m) override {
    const Node n = m["op"];
    const Build b(g, n);
    only_when(n.is("CumSum") || targets_up_to(g.context(), "2024.6"),
              "the release reads NonMaxSuppression without them");
    only_when(!n.is("opset9::NonMaxSuppression"),
              "all releases with NonMaxSuppression-9 read it without them");
    const size_t first = n.is("CumSum") ? 1 : 2, last = n.is("CumSum") ? 1 : 4;
    bool complete = true;
    for (size_t i = first; i <= last; ++i) complete = complete && b.has(i);
    only_when(!complete, "it has all of its inputs");
    for (size_t i = first; i <= last; ++i) {
      if (b.has(i)) continue;
      while (n.in_count() <= i) n.add_input_port();
      n.in_port(i).set_source(i < 3 ? b.integer(0)
                                    : b.constant(Tensor::filled(g.context(), ElementType::f32, {0}, {})));
    }
  }
};

void register_complete_inputs(Registry& r) { r.transformation<CompleteInputs>(); }

}  // namespace mo::builtin_passes
