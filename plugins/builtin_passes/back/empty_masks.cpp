// Masks of StridedSlice that hold no 1 are empty for releases up to 2023.3: a pass of theirs that joins slices of one
// tensor takes a list of zeros for a mask, and ends the compilation ("Any was not initialized").
#include "support/target.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class EmptyMasks : public MatcherPass {
 public:
  EmptyMasks() : MatcherPass(MO_PHASE_BACK) {
    id = "back.empty_masks";
    doc = "masks of StridedSlice that hold no 1 are empty";
    before = R"(
      %x = Parameter -> f32[2,3]
      %b = Const -> i64[2] {0,1}
      %e = Const -> i64[2] {2,2}
      %s = Const -> i64[2] {1,1}
      %y = StridedSlice@opset1 (%x, %b, %e, %s) {begin_mask=[0,0], end_mask=[0,0], new_axis_mask=[0,0], shrink_axis_mask=[0,1], ellipsis_mask=[0,0]}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,3]
      %b = Const -> i64[2] {0,1}
      %e = Const -> i64[2] {2,2}
      %s = Const -> i64[2] {1,1}
      %y = StridedSlice@opset1 (%x, %b, %e, %s) {begin_mask=[0,0], end_mask=[0,0], new_axis_mask=[], shrink_axis_mask=[0,1], ellipsis_mask=[]}
      Result (%y))";
    run_after = {"back.simplify_again", "back.expand_ellipsis"};
    register_matcher(wrap_type({"StridedSlice"}), [](const Graph&, const Match& m) { empty(m.root()); });
  }
  bool graph_condition(Graph g) override {
    return targets_up_to(g.context(), "2023.3") && !writes_version_10(g);
  }

 private:
  static void empty(const Node& n) {
    bool all = false;
    for (const char* name : {"new_axis_mask", "shrink_axis_mask", "ellipsis_mask"}) {
      const auto mask = n.attr(name, std::vector<int64_t>{});
      if (mask.empty() || std::find(mask.begin(), mask.end(), 1) != mask.end()) continue;
      n.set(name, std::vector<int64_t>{});
      all = true;
    }
    only_when(all, "none of its masks is a list of zeros");
  }
};

void register_empty_masks(Registry& r) { r.transformation<EmptyMasks>(); }

}  // namespace mo::builtin_passes
