// A Split into one part, and parts that are put together again:
//   Split(x, 1)                       ->  x
//   Concat(Split(x):0, Split(x):1)    ->  x
#include <mo/slices.hpp>
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class RemoveSplits : public MatcherPass {
 public:
  RemoveSplits() : MatcherPass(MO_PHASE_PRE_MIDDLE) {
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
    register_matcher(
        wrap_type({"opset1::Split", "opset1::VariadicSplit"}, {any_input(), constant()})->variadic(),
        [](const Graph&, const Match& m) { take_out(m.root()); });
  }

 private:
  static void take_out(const Node& n) {
    if (n.out_count() != 1) return join(n);
    const OutPort x = source_of(n, 0);
    only_when(eliminate(n.out_port(), x), "it is an output of the model, and '", x.node().name(),
              "' cannot be called by its name");
  }

  // All Concats that have the parts in order.
  static void join(const Node& split) {
    const auto axis = constant_ints(split, 1);
    const size_t rank = split.in_port(0).shape().size();
    const auto r = static_cast<int64_t>(rank);
    if (!axis || axis->size() != 1 || axis->front() < -r || axis->front() >= r) return;
    std::string other_axis;
    bool joined = false;
    for (const InPort& reader : split.out_port().get_destinations()) {
      const Node concat = reader.node();
      if (!concat.is("opset1::Concat") || reader.index() != 0 || concat.in_count() != split.out_count())
        continue;
      bool same = true;
      for (size_t i = 0; i < split.out_count(); ++i) same = same && source_of(concat, i) == split.out_port(i);
      if (!same) continue;
      if (normalize_axis(concat.attr<int64_t>("axis"), rank) == normalize_axis(axis->front(), rank))
        joined = eliminate(concat.out_port(), source_of(split, 0)) || joined;
      else
        other_axis = concat.name();
    }
    only_when(joined || other_axis.empty(), "'", other_axis, "' joins its parts along another dimension");
  }
};

void register_remove_splits(Registry& r) { simplifying<RemoveSplits>(r, Stage::cut); }

}  // namespace mo::builtin_passes
