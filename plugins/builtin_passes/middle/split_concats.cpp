// Parts of a Concat that are separated again are the inputs of the Concat:
//   Split(Concat(a, b)):0, Split(Concat(a, b)):1  ->  a, b
#include <mo/slices.hpp>
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class SplitConcats : public ModelPass {
 public:
  SplitConcats() : ModelPass(MO_PHASE_PRE_MIDDLE) {
    id = "middle.split_concats";
    doc = "a Split that separates the inputs of a Concat is left out";
    before = R"(
      %a = Parameter -> f32[2,4]
      %b = Parameter -> f32[2,4]
      %c = Concat@opset1 (%a, %b) {axis=0}
      %axis = Const -> i64[] {0}
      %s = Split@opset1 (%c, %axis) {num_splits=2} -> (_, _)
      %y = ReLU@opset1 (%s:0)
      %z = Exp@opset1 (%s:1)
      Result (%y)
      Result (%z))";
    after = R"(
      %a = Parameter -> f32[2,4]
      %b = Parameter -> f32[2,4]
      %y = ReLU@opset1 (%a)
      %z = Exp@opset1 (%b)
      Result (%y)
      Result (%z))";
    force_clean_up = true;
    run_before = {"middle.fold_dimensions"};
    run_after = {"middle.flatten_concats"};
  }
  void run_on_model(Graph g) override {
    for (const char* op : {"Split", "VariadicSplit"})
      for (const Node& n : g.get_op_nodes(op))
        if (separates_inputs(n)) take_out(n);
  }

 private:
  static bool separates_inputs(const Node& split) {
    const Node concat = split.in_node(0);
    const auto axis = constant_ints(split, 1);
    const Shape s = split.in_port(0).shape();
    const auto rank = static_cast<int64_t>(s.size());
    if (split.opset() != "opset1" || concat.op() != "Concat" || concat.opset() != "opset1" || !axis ||
        axis->size() != 1 || axis->front() < -rank || axis->front() >= rank ||
        concat.in_count() != split.out_count())
      return false;
    const size_t at = normalize_axis(axis->front(), s.size());
    if (normalize_axis(concat.attr<int64_t>("axis"), s.size()) != at) return false;
    for (size_t i = 0; i < split.out_count(); ++i) {
      const Shape part = concat.in_port(i).shape(), out = split.out_port(i).shape();
      if (part.size() != s.size() || out.size() != s.size() || !part[at].is_static() || part[at] != out[at])
        return false;
    }
    return true;
  }

  static void take_out(const Node& split) {
    const Node concat = split.in_node(0);
    for (size_t i = 0; i < split.out_count(); ++i) {
      const OutPort p = split.out_port(i);
      if (p.disconnected() || has_result_consumers(p)) continue;
      eliminate(p, source_of(concat, i));
    }
  }
};

void register_split_concats(Registry& r) { simplifying<SplitConcats>(r, Stage::cut); }

}  // namespace mo::builtin_passes
