// Releases up to 2022.3 have results of their own for an Einsum whose equation names none:
//   Einsum(x) {"ba"}  ->  Einsum(x) {"ba->ab"}
#include <mo/equation.hpp>

#include "support/target.hpp"

namespace mo::builtin_passes {

class CompleteEquations : public FrontReplacementOp {
 public:
  CompleteEquations() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.complete_equations";
    doc = "equations of Einsum say what the result is";
    before = R"(
      %x = Parameter -> f32[2,3]
      %y = Einsum@opset7 (%x) {equation="ba"}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,3]
      %y = Einsum@opset7 (%x) {equation="ba->ab"}
      Result (%y))";
    op = "Einsum";
  }
  bool graph_condition(Graph g) override { return targets_up_to(g.context(), "2022.3"); }

  void replace_sub_graph(Graph, Match& m) override {
    const Node n = m["op"];
    const auto equation = n.attr<std::string>("equation");
    only_when(equation.find("->") == std::string::npos, "its equation says what the result is: ", equation);
    n.set("equation", explicit_equation(equation));
  }
};

void register_complete_equations(Registry& r) { r.transformation<CompleteEquations>(); }

}  // namespace mo::builtin_passes
