// OpenVINO reflects only where each dimension from the third on has two elements or more, also one that gets
// no pads; dimensions of 1, which cannot get any, make room:
//   Pad(x[1,8,1])  ->  Unsqueeze(Pad(Squeeze(x)))
#include "support/expressions.hpp"

namespace mo::builtin_passes {

class NarrowReflectingPads : public MatcherPass {
 public:
  NarrowReflectingPads() : MatcherPass(MO_PHASE_BACK) {
    id = "back.narrow_reflecting_pads";
    doc = "dimensions of 1 that a reflecting Pad passes by are taken out of its way";
    before = R"(
      %x = Parameter -> f32[1,8,1]
      %b = Const -> i64[3] {0,2,0}
      %e = Const -> i64[3] {0,3,0}
      %y = Pad@opset1 (%x, %b, %e) {pad_mode="reflect"}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,8,1]
      %ones = Const -> i64[1] {2}
      %s = Squeeze@opset1 (%x, %ones)
      %b = Const -> i64[2] {0,2}
      %e = Const -> i64[2] {0,3}
      %p = Pad@opset1 (%s, %b, %e) {pad_mode="reflect"}
      %y = Unsqueeze@opset1 (%p, %ones)
      Result (%y))";
    run_before = {"back.simplify_again"};
    force_clean_up = true;
    force_shape_inference = true;
    register_matcher(wrap_type({"Pad"})->with<std::string>("pad_mode", "reflect"),
                     [](const Graph& g, const Match& m) { narrow(g, m.root()); });
  }

 private:
  static void narrow(const Graph& g, const Node& n) {
    const OutPort x = n.in_port(0).get_source();
    only_when(x.shape().has_rank(), "which dimensions are 1 is not known, not even the rank");
    std::vector<int64_t> ones, kept;
    for (int64_t i = 0; i < x.shape().rank(); ++i)
      (i >= 2 && x.shape()[static_cast<size_t>(i)] == Dim(1) ? ones : kept).push_back(i);
    only_when(!ones.empty(), "no dimension of ", x.shape(), " behind the second is 1");
    const std::string name = n.name();
    const OutPort axes = g.create_ints(name + "/ones", ones).out_port();
    const OutPort places = g.create_ints(name + "/kept", kept).out_port();
    const auto of_kept = [&](size_t input) {
      const OutPort zero = g.create_int(name + "/zero", 0).out_port();
      return g.create_node("Gather", "opset1", name + "/pads", {n.in_port(input).get_source(), places, zero})
          .out_port();
    };
    const Node before = g.create_node("Squeeze", "opset1", name + "/squeezed", {x, axes});
    const Node pad =
        g.create_node("Pad", "opset1", name + "/pad", {before.out_port(), of_kept(1), of_kept(2)});
    pad.set("pad_mode", "reflect");
    const Node after = g.create_node("Unsqueeze", "opset1", name + "/unsqueezed", {pad.out_port(), axes});
    copy_runtime_info({n}, {before, pad});
    Gone gone;
    take_place(n, after.out_port(), {}, gone);
  }
};

void register_narrow_reflecting_pads(Registry& r) { r.transformation<NarrowReflectingPads>(); }

}  // namespace mo::builtin_passes
