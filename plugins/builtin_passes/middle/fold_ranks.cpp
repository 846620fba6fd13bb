// The rank of a tensor of known rank is a constant, though its shape may change:
//   ShapeOf(ShapeOf(x))  ->  Const
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class FoldRanks : public MatcherPass {
 public:
  FoldRanks() : MatcherPass(MO_PHASE_PRE_MIDDLE) {
    id = "middle.fold_ranks";
    doc = "the rank of a tensor of known rank becomes a constant";
    before = R"(
      %x = Parameter -> f32[?,?]
      %s = ShapeOf@opset3 (%x) {output_type=i64}
      %r = ShapeOf@opset3 (%s) {output_type=i64}
      %f = Convert@opset1 (%r) {destination_type=f32}
      %y = Multiply@opset1 (%x, %f)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[?,?]
      %f = Const -> f32[1] {2}
      %y = Multiply@opset1 (%x, %f)
      Result (%y))";
    run_before = {"middle.fold_dimensions"};
    force_clean_up = true;
    register_matcher(wrap_type({"ShapeOf"}, {wrap_type({"ShapeOf"})}),
                     [](const Graph& g, const Match& m) { fold(g, m.root()); });
  }

 private:
  static void fold(const Graph& g, const Node& n) {
    const Shape s = n.in_port(0).shape();
    only_when(s.is_static() && s.rank() == 1, "the rank of what '", n.in_node(0).name(),
              "' reads is not known");
    only_when(!has_result_consumers(n.out_port()),
              "it is an output of the model, and a constant cannot be called by its name");
    const Tensor rank =
        Tensor::filled(g.context(), n.out_port().type(), {static_cast<double>(s[0].value())}, {1});
    n.out_port().get_connection().set_source(g.create_const(n.name() + "/rank", rank).out_port(),
                                             Names::merge);
  }
};

void register_fold_ranks(Registry& r) { simplifying<FoldRanks>(r, Stage::dimensions); }

}  // namespace mo::builtin_passes
