// Parts of a Concat that are separated again are the inputs of the Concat:
//   Split(Concat(a, b)):0, Split(Concat(a, b)):1  ->  a, b
#include <mo/slices.hpp>
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class SplitConcats : public MatcherPass {
 public:
  SplitConcats() : MatcherPass(MO_PHASE_PRE_MIDDLE) {
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
    register_matcher(
        wrap_type({"opset1::Split", "opset1::VariadicSplit"}, {wrap_type({"opset1::Concat"}), constant()})
            ->variadic(),
        [](const Graph&, const Match& m) { take_apart(m.root()); });
  }

 private:
  static void take_apart(const Node& split) {
    const Node concat = split.in_node(0);
    const auto axis = constant_ints(split, 1);
    const Shape s = split.in_port(0).shape();
    const auto rank = static_cast<int64_t>(s.size());
    if (!axis || axis->size() != 1 || axis->front() < -rank || axis->front() >= rank) return;
    const size_t at = normalize_axis(axis->front(), s.size());
    if (normalize_axis(concat.attr<int64_t>("axis"), s.size()) != at) return;
    only_when(concat.in_count() == split.out_count(), "'", concat.name(), "' has ", concat.in_count(),
              " inputs, and it makes ", split.out_count(), " parts");
    for (size_t i = 0; i < split.out_count(); ++i) {
      const Shape part = concat.in_port(i).shape(), out = split.out_port(i).shape();
      if (part.size() != s.size() || out.size() != s.size()) return;
      only_when(part[at].is_static() && part[at] == out[at], "input ", i, " of '", concat.name(), "' has ",
                part[at], " elements in dimension ", at, ", and part ", i, " of it ", out[at]);
    }
    take_out(split);
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
