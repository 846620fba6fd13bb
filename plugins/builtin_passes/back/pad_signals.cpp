// Devices do not lengthen what RDFT transforms, and take a size of -1, which is that of the signal, for a number, of IRDFT, too:
//   RDFT(x[5], axes, {8})  ->  RDFT(Pad(x, 0, 3), axes, {8})
#include <mo/build.hpp>

#include "support/target.hpp"

namespace mo::builtin_passes {

class PadSignals : public FrontReplacementOp {
 public:
  PadSignals() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.pad_signals";
    doc =
        "signals that RDFT lengthens are padded in front of it, and sizes that are those of the signal are "
        "named";
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
    ops = {"RDFT", "IRDFT"};
    run_before = {"back.simplify_again"};
    force_shape_inference = true;
  }
  void replace_sub_graph(Graph g, Match& m) override {
    const Node n = m["op"];
    const Build b(g, n);
    only_when(b.has(2), "it transforms signals as they are");
    const bool inverse = n.is("IRDFT");
    const Shape s = b.in(0).shape();
    const auto axes = n.in_port(1).value(), sizes = n.in_port(2).value();
    only_when(s.has_rank() && axes && sizes, "its axes, its sizes, or the rank of its signal are not known");
    std::vector<int64_t> more(s.size(), 0);
    const auto list = axes->to_ints();
    auto wanted = sizes->to_ints();
    const size_t dims = s.size() - (inverse ? 1 : 0);  // without that of the two parts of complex numbers
    bool lengthens = false, names = false;
    for (size_t i = 0; i < list.size() && i < wanted.size(); ++i) {
      const size_t a = normalize_axis(list[i], dims);
      if (wanted[i] < 0 && s[a].is_static()) {
        // Of the last axis an inverse transform has a half.
        wanted[i] = inverse && i + 1 == list.size() ? 2 * (s[a].value() - 1) : s[a].value();
        names = true;
      }
      if (inverse || wanted[i] < 0 || s[a].contains(wanted[i])) continue;
      if (!s[a].is_static() || wanted[i] < s[a].value()) continue;
      more[a] = wanted[i] - s[a].value();
      lengthens = true;
    }
    if (names) n.in_port(2).set_source(b.list(wanted));
    if (names && !lengthens) return;
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
