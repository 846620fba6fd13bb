// Releases up to 2026.0 take the greatest element of two joined parts for the greater of both parts, however long
// these are: an error, or a wrong result where they are of one length.
//   ReduceMax(Concat(a, b))  ->  Maximum(ReduceMax(a), ReduceMax(b))
#include "support/expressions.hpp"
#include "support/target.hpp"

namespace mo::builtin_passes {

class ReduceParts : public MatcherPass {
 public:
  ReduceParts() : MatcherPass(MO_PHASE_BACK) {
    id = "back.reduce_parts";
    doc = "the greatest or least of two joined parts is that of both parts, for releases that get it wrong";
    before = R"(
      %a = Parameter -> f32[1,3]
      %b = Parameter -> f32[1,?]
      %c = Concat@opset1 (%a, %b) {axis=1}
      %axis = Const -> i64[1] {1}
      %y = ReduceMax@opset1 (%c, %axis) {keep_dims=false}
      Result (%y))";
    after = R"(
      %a = Parameter -> f32[1,3]
      %axis = Const -> i64[1] {1}
      %p = ReduceMax@opset1 (%a, %axis) {keep_dims=false}
      %b = Parameter -> f32[1,?]
      %q = ReduceMax@opset1 (%b, %axis) {keep_dims=false}
      %y = Maximum@opset1 (%p, %q)
      Result (%y))";
    run_after = {"back.simplify_again"};
    force_clean_up = true;
    force_shape_inference = true;
    const Pattern joined = wrap_type({"Concat"}, {any_input(), any_input()});
    register_matcher(
        wrap_type({"ReduceMax", "ReduceMin"}, {joined, constant()}),
        [=](const Graph& g, const Match& m) { reduce_both(g, m.port(joined).node(), m.root()); });
  }
  bool graph_condition(Graph g) override { return targets_up_to(g.context(), "2026.0"); }

 private:
  static void reduce_both(const Graph& g, const Node& concat, const Node& n) {
    const Shape shape = concat.out_port().shape();
    const auto axes = n.in_port(1).get_source().value();
    only_when(shape.has_rank() && axes && axes->size() == 1, "it is not about one dimension");
    const auto along = normalize_axis(concat.attr<int64_t>("axis"), shape.size());
    only_when(normalize_axis(axes->integer(0), shape.size()) == along,
              "it is about another dimension than the one that '", concat.name(), "' joins");
    const auto is_one = [&](size_t i) { return concat.in_port(i).shape()[along] == Dim(1); };
    only_when(!is_one(0) || !is_one(1), "both parts are of length 1");
    std::vector<OutPort> parts;
    for (size_t i = 0; i < 2; ++i)
      parts.push_back(clone_with_new_inputs(n, {concat.in_port(i).get_source(), n.in_port(1).get_source()},
                                            text(n.name(), "/part_", i))
                          .out_port());
    const Node both =
        g.create_node(n.is("ReduceMax") ? "Maximum" : "Minimum", "opset1", n.name() + "/both", parts);
    copy_runtime_info({n}, {both});
    replace_node(n, std::vector<OutPort>{both.out_port()});
  }
};

void register_reduce_parts(Registry& r) { r.transformation<ReduceParts>(); }

}  // namespace mo::builtin_passes
