// CPUs up to 2024.6 have no Einsum with a label twice in one term, which stands for a diagonal:
//   Einsum(x) {"ii->i"}  ->  ReduceSum(Select(row == column, x, 0), {1})
#include <mo/build.hpp>
#include <mo/equation.hpp>

#include "support/target.hpp"

namespace mo::builtin_passes {

class TakeDiagonals : public FrontReplacementOp {
 public:
  TakeDiagonals() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.take_diagonals";
    doc = "diagonals are taken before an Einsum";
    before = R"(
      %x = Parameter -> f32[2,2]
      %y = Einsum@opset7 (%x) {equation="ii->i"}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,2]
      %same = Const -> boolean[2,2] {true,false,false,true}
      %zero = Const -> f32[] {0}
      %chosen = Select@opset1 (%same, %x, %zero)
      %axis = Const -> i64[1] {1}
      %y = ReduceSum@opset1 (%chosen, %axis) {keep_dims=false}
      Result (%y))";
    ops = {"Einsum"};
    run_after = {"back.complete_equations"};
    run_before = {"back.simplify_again"};
    force_shape_inference = true;
  }
  bool graph_condition(Graph g) override { return targets_up_to(g.context(), "2024.6"); }

  void replace_sub_graph(Graph g, Match& m) override {
    const Node n = m["op"];
    const Build b(g, n);
    const std::string equation = explicit_equation(n.attr<std::string>("equation"));
    const size_t arrow = equation.find("->");
    const std::string terms = equation.substr(0, arrow), result = equation.substr(arrow);
    std::string made;
    for (size_t input = 0, begin = 0; begin <= terms.size(); ++input) {
      const size_t end = std::min(terms.find(',', begin), terms.size());
      std::string term = terms.substr(begin, end - begin);
      while (const auto twice = repeated(term)) {
        n.in_port(input).set_source(diagonal(b, b.in(input), term, *twice));
        term.erase(twice->second, 1);
      }
      made += (input == 0 ? "" : ",") + term;
      begin = end + 1;
    }
    only_when(made != terms, "no label of ", equation, " is twice in one term");
    if (result == "->" + made)
      replace_node(n, n.in_node(0));  // what is left changes nothing
    else
      n.set("equation", made + result);
  }

 private:
  using Places = std::pair<size_t, size_t>;  // in a term

  static std::optional<Places> repeated(const std::string& term) {
    for (size_t i = 0; i < term.size(); ++i)
      if (term[i] != '.')
        if (const size_t again = term.find(term[i], i + 1); again != std::string::npos)
          return Places{i, again};
    return std::nullopt;
  }

  static OutPort diagonal(const Build& b, const OutPort& x, const std::string& term, const Places& twice) {
    const Shape shape = x.shape();
    only_when(shape.has_rank(), "how many dimensions it reads is not known");
    const size_t dots = term.find('.');
    // Behind the ellipsis labels are counted from the end.
    const auto axis = [&](size_t place) {
      return dots == std::string::npos || place < dots ? place : shape.size() + place - term.size();
    };
    const size_t first = axis(twice.first), second = axis(twice.second);
    const OutPort all = b.range(b.integer(0), b.squeeze(b.dim(x, static_cast<int64_t>(first)), {0}), 1);
    const auto along = [&](size_t which) {
      Ints dims(shape.size(), 1);
      dims[which] = -1;
      return b.reshape(all, dims);
    };
    const OutPort same = b.op("Equal", "opset1", {along(first), along(second)});
    return b.reduce("ReduceSum", b.select(same, x, b.like(x, 0)), b.list({static_cast<int64_t>(second)}),
                    false);
  }
};

void register_take_diagonals(Registry& r) { r.transformation<TakeDiagonals>(); }

}  // namespace mo::builtin_passes
