// Devices do not lengthen what RDFT transforms:
//   RDFT(x[5], axes, {8})  ->  RDFT(Pad(x, 0, 3), axes, {8})
#include <mo/build.hpp>

#include "support/target.hpp"

namespace mo::builtin_passes {

class PadSignals : public FrontReplacementOp {
 public:
  PadSignals() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.pad_signals";
    doc = "signals that RDFT lengthens are padded in front of it";
    before = R"(
      %x = Parameter -> f32[2,5]
      %a = Const -> i64[1] {1}
      %n = Const -> i64[1] {8}
      %y = RDFT@opset9 (%x, %a, %n)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,5]
      %zeros = Const -> i64[2] {0,0}
      %more = Const -> i64[2] {0,3}
      %zero = Const -> f32[] {0}
      %p = Pad@opset1 (%x, %zeros, %more, %zero) {pad_mode="constant"}
      %a = Const -> i64[1] {1}
      %n = Const -> i64[1] {8}
      %y = RDFT@opset9 (%p, %a, %n)
      Result (%y))";
    ops = {"RDFT"};
    run_before = {"back.simplify_again"};
    force_shape_inference = true;
  }
  void replace_sub_graph(Graph g, Match& m) override {
    const Node n = m["op"];
    const Build b(g, n);
    only_when(b.has(2), "it transforms signals as they are");
    const Shape s = b.in(0).shape();
    const auto axes = n.in_port(1).value(), sizes = n.in_port(2).value();
    only_when(s.has_rank() && axes && sizes, "its axes, its sizes, or the rank of its signal are not known");
    std::vector<int64_t> more(s.size(), 0);
    const auto list = axes->to_ints(), wanted = sizes->to_ints();
    bool lengthens = false;
    for (size_t i = 0; i < list.size() && i < wanted.size(); ++i) {
      const size_t a = normalize_axis(list[i], s.size());
      if (wanted[i] < 0 || s[a].contains(wanted[i])) continue;
      if (!s[a].is_static() || wanted[i] < s[a].value()) continue;
      more[a] = wanted[i] - s[a].value();
      lengthens = true;
    }
    only_when(lengthens, "none of its sizes is certainly longer than its signal");
    const Node pad =
        b.node("Pad", "opset1",
               {b.in(0), b.list(std::vector<int64_t>(s.size(), 0)), b.list(more), b.like(b.in(0), 0)});
    pad.set("pad_mode", "constant");
    copy_runtime_info({n}, {pad});
    n.in_port(0).set_source(pad.out_port());
  }
};

void register_pad_signals(Registry& r) { r.transformation<PadSignals>(); }

}  // namespace mo::builtin_passes
