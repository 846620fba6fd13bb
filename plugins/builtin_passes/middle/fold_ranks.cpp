// The rank of a tensor of known rank is a constant, though its shape may change:
//   ShapeOf(ShapeOf(x))  ->  Const
#include <mo/sdk.hpp>

namespace mo::builtin_passes {

class FoldRanks : public ModelPass {
 public:
  FoldRanks() {
    id = "middle.fold_ranks";
    doc = "the rank of a tensor of known rank becomes a constant";
    before = "ShapeOf(ShapeOf(x))";
    after = "Const";
    frameworks = {"onnx", "tf"};
    run_after = {Anchor::middle_start};
    force_clean_up = true;
  }
  void run_on_model(Graph g) override {
    for (const Node& n : g.get_op_nodes("ShapeOf")) {
      const OutPort source = n.in_port(0).get_source();
      if (!source || source.node().op() != "ShapeOf") continue;
      const Shape s = source.shape();
      if (!s.is_static() || s.rank() != 1) continue;
      const auto rank = g.create_ints(n.name() + "/rank", {s[0].value()});
      const OutPort typed = rank.out_port();
      if (n.out_port().type() != ElementType::i64) continue;
      n.out_port().get_connection().set_source(typed, Names::merge);
    }
  }
};

void register_fold_ranks(Registry& r) { r.transformation<FoldRanks>(); }

}  // namespace mo::builtin_passes
