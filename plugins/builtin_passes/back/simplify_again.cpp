// What fusions, and Transposes that moved, leave behind is simplified as the model was at the start: the same
// transformations run until nothing is left for them. It looks for nothing itself, and so has no pattern.
#include <algorithm>

#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class SimplifyAgain : public ModelPass {
 public:
  SimplifyAgain() : ModelPass(MO_PHASE_BACK) {
    id = "back.simplify_again";
    doc = "what other transformations left behind is simplified as the model was at the start";
    before = R"(
      %x = Parameter -> f32[2,?]
      %one = Const -> f32[] {1}
      %a = ReLU@opset1 (%x)
      %b = ReLU@opset1 (%x)
      %m = Multiply@opset1 (%b, %one)
      %y = Add@opset1 (%a, %m)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,?]
      %a = ReLU@opset1 (%x)
      %y = Add@opset1 (%a, %a)
      Result (%y))";
    run_not_recursively = true;  // each of them looks at bodies itself
    run_after = {"back.fuse_negatives", "back.fuse_reciprocals", "back.prefer_older_operations"};
    force_clean_up = true;
  }
  void run_on_model(Graph g) override {
    // One round may take as much away as it adds, and leave something for the next. Where nothing changed at
    // all, a round costs nothing: what found nothing is not run again.
    constexpr int most_rounds = 8;
    size_t last = 0;
    for (int round = 0, equal = 0; round < most_rounds && equal < 2; ++round) {
      const size_t now = g.nodes().size();
      equal = now == last ? equal + 1 : 0;
      last = now;
      run_all(g);
    }
  }

 private:
  static void run_all(const Graph& g) {
    Manager all(g.context());
    const auto off = option<std::vector<std::string>>(g.context(), "disabled_transforms")
                         .value_or(std::vector<std::string>{});
    for (const std::string& pass : simplifying_ids())
      if (std::find(off.begin(), off.end(), pass) == off.end()) all.register_pass(pass);
    all.run_passes(g);
  }
};

void register_simplify_again(Registry& r) { r.transformation<SimplifyAgain>(); }

}  // namespace mo::builtin_passes
