// Axes that are a single number become a list of one, which is what releases up to 2023 read:
//   Unsqueeze(x, 0)        ->  Unsqueeze(x, [0])
//   Roll(x, 1, [0, 1])     ->  Roll(x, [1, 1], [0, 1])
#include <mo/build.hpp>

#include "support/target.hpp"

namespace mo::builtin_passes {

class ListAxes : public FrontReplacementOp {
 public:
  ListAxes() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.list_axes";
    doc = "axes of Unsqueeze and Roll that are a single number become a list of one";
    before = R"(
      %x = Parameter -> f32[2,3]
      %s = Const -> i64[] {1}
      %a = Const -> i64[2] {0,1}
      %y = Roll@opset7 (%x, %s, %a)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,3]
      %s = Const -> i64[2] {1,1}
      %a = Const -> i64[2] {0,1}
      %y = Roll@opset7 (%x, %s, %a)
      Result (%y))";
    ops = {"Unsqueeze", "Roll"};
    run_after = {"back.simplify_again"};
    force_clean_up = true;
  }
  bool graph_condition(Graph g) override { return targets_up_to(g.context(), "2023.3"); }
  void replace_sub_graph(Graph g, Match& m) override {
    const Node n = m["op"];
    const Build b(g, n);
    bool changed = make_list(b, n, 1);
    if (n.is("Roll")) {
      changed = make_list(b, n, 2) || changed;
      changed = repeat_shift(b, n) || changed;
    }
    only_when(changed, "its axes are a list, or may be one: their shape is ",
              b.in(n.is("Roll") ? 2 : 1).shape());
  }

 private:
  static bool make_list(const Build& b, const Node& n, size_t input) {
    const OutPort source = b.in(input);
    if (source.shape().rank() != 0) return false;
    n.in_port(input).set_source(b.reshape(source, {1}));
    return true;
  }

  // One shift holds for all axes, but is read once for each.
  static bool repeat_shift(const Build& b, const Node& n) {
    const Shape shift = b.in(1).shape(), axes = b.in(2).shape();
    if (shift.size() != 1 || axes.size() != 1 || shift[0] != Dim(1) || !axes[0].is_static()) return false;
    if (axes[0] == Dim(1)) return false;
    n.in_port(1).set_source(b.op("Tile", "opset1", {b.in(1), b.list({axes[0].value()})}));
    return true;
  }
};

void register_list_axes(Registry& r) { r.transformation<ListAxes>(); }

}  // namespace mo::builtin_passes
