// Inputs that may be left out are given to operations that a release reads only with all of them:
//   CumSum(x)  ->  CumSum(x, 0)
#include <mo/build.hpp>

#include "support/target.hpp"

namespace mo::builtin_passes {

class CompleteInputs : public ModelPass {
 public:
  CompleteInputs() : ModelPass(MO_PHASE_BACK) {
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
    run_after = {"back.simplify_again"};
  }
  bool graph_condition(Graph g) override { return targets_up_to(g.context(), "2024.6"); }
  void run_on_model(Graph g) override {
    for (const Node& n : g.get_op_nodes("CumSum")) complete(n, 1, Build(g, n).integer(0));
    for (const Node& n : g.get_op_nodes("NonMaxSuppression")) {
      if (n.opset() == "opset9") continue;
      const Build b(g, n);
      complete(n, 2, b.integer(0));
      for (const size_t i : {3, 4})
        complete(n, i, b.constant(Tensor::filled(g.context(), ElementType::f32, {0}, {})));
    }
  }

 private:
  static void complete(const Node& n, size_t input, const OutPort& value) {
    while (n.in_count() <= input) n.add_input_port();
    if (!n.is_in_port_connected(input)) n.in_port(input).set_source(value);
  }
};

void register_complete_inputs(Registry& r) { r.transformation<CompleteInputs>(); }

}  // namespace mo::builtin_passes
