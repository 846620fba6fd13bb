// For releases whose Squeeze has no choice to skip an axis: those that can be squeezed are named.
//   Squeeze-15(x [1,2,1], {0,1}) {allow_axis_skip}  ->  Squeeze-1(x, {0})
#include "support/lowering.hpp"

namespace mo::builtin_passes {

class LowerSqueeze : public Lowering {
 public:
  LowerSqueeze() {
    id = "back.lower_squeeze";
    doc = "Squeeze that skips axes names those that it takes";
    before = R"(
      %x = Parameter -> f32[1,2,1]
      %a = Const -> i64[2] {0,1}
      %y = Squeeze@opset15 (%x, %a) {allow_axis_skip=true}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,2,1]
      %a = Const -> i64[1] {0}
      %y = Squeeze@opset1 (%x, %a)
      Result (%y))";
    lowers("Squeeze", {15});
  }

 private:
  Ports lower(const Build& b, const Node& n) override {
    const Shape s = b.in(0).shape();
    const auto axes = b.has(1) ? b.ints(1) : std::nullopt;
    only_when(n.attr("allow_axis_skip", false), "it skips no axis, as Squeeze-1 does not");
    only_when(s.has_rank() && axes, "its axes, or the rank of what is squeezed, are not known");
    Ints taken;
    for (const int64_t axis : *axes) {
      const size_t a = normalize_axis(axis, s.size());
      only_when(s[a].is_static(), "whether dimension ", a, " of ", s, " is 1 is not known");
      if (s[a] == Dim(1)) taken.push_back(static_cast<int64_t>(a));
    }
    // Squeeze of no axes takes all of them.
    if (taken.empty()) {
      only_when(s.is_static(), "it takes no axis of ", s, ", whose sizes a Reshape would have to know");
      return {b.reshape(b.in(0), b.list(s.to_static()))};
    }
    n.in_port(1).set_source(b.list(taken));
    return as_older(n, "opset1", {"allow_axis_skip"});
  }
};

void register_lower_squeeze(Registry& r) { r.transformation<LowerSqueeze>(); }

}  // namespace mo::builtin_passes
