// Releases up to 2022.3 have results of their own for an Einsum whose equation names none:
//   Einsum(x) {"ba"}  ->  Einsum(x) {"ba->ab"}
#include "support/target.hpp"

#include <map>

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
    n.set("equation", equation + "->" + result_of(equation));
  }

 private:
  // The ellipsis, then the letters that occur once, in the order of the alphabet.
  static std::string result_of(const std::string& equation) {
    std::map<char, int> times;
    for (const char c : equation)
      if (c != ' ' && c != ',' && c != '.') ++times[c];
    std::string result = equation.find("...") == std::string::npos ? "" : "...";
    for (const auto& [letter, n] : times)
      if (n == 1) result += letter;
    return result;
  }
};

void register_complete_equations(Registry& r) { r.transformation<CompleteEquations>(); }

}  // namespace mo::builtin_passes
