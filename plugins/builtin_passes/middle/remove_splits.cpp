// A Split into one part, and parts that are put together again:
//   Split(x, 1)                       ->  x
//   Concat(Split(x):0, Split(x):1)    ->  x
#include <mo/slices.hpp>
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class RemoveSplits : public ModelPass {
 public:
  RemoveSplits() : ModelPass(MO_PHASE_PRE_MIDDLE) {
    id = "middle.remove_splits";
    doc = "a Split into one part is left out, and one whose parts are put together again";
    before = R"(
      %x = Parameter -> f32[2,4]
      %axis = Const -> i64[] {1}
      %s = Split@opset1 (%x, %axis) {num_splits=2} -> (_, _)
      %c = Concat@opset1 (%s:0, %s:1) {axis=1}
      %y = ReLU@opset1 (%c)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,4]
      %y = ReLU@opset1 (%x)
      Result (%y))";
    force_clean_up = true;
    run_before = {"middle.fold_dimensions"};
    run_after = {"middle.flatten_concats"};
  }
  void run_on_model(Graph g) override {
    for (const char* op : {"Split", "VariadicSplit"})
      for (const Node& n : g.get_op_nodes(op)) {
        if (n.opset() != "opset1") continue;
        if (n.out_count() == 1)
          eliminate(n.out_port(), source_of(n, 0));
        else
          join(n);
      }
  }

 private:
  // All Concats that have the parts in order.
  static void join(const Node& split) {
    const auto axis = constant_ints(split, 1);
    const size_t rank = split.in_port(0).shape().size();
    const auto r = static_cast<int64_t>(rank);
    if (!axis || axis->size() != 1 || axis->front() < -r || axis->front() >= r) return;
    for (const InPort& reader : split.out_port().get_destinations()) {
      const Node concat = reader.node();
      if (concat.op() != "Concat" || concat.opset() != "opset1" || reader.index() != 0 ||
          concat.in_count() != split.out_count() ||
          normalize_axis(concat.attr<int64_t>("axis"), rank) != normalize_axis(axis->front(), rank))
        continue;
      bool same = true;
      for (size_t i = 0; i < split.out_count(); ++i) same = same && source_of(concat, i) == split.out_port(i);
      if (same) eliminate(concat.out_port(), source_of(split, 0));
    }
  }
};

void register_remove_splits(Registry& r) { simplifying<RemoveSplits>(r, Stage::cut); }

}  // namespace mo::builtin_passes
