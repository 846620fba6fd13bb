// Devices take a FakeQuantize of 65536 levels for exact and leave it out, with the limits that it sets:
//   FakeQuantize(x, low, high, low, high, 65536 levels)  ->  FakeQuantize(Clamp(x, low, high), …)
// What cannot be beyond them is not cut: a softmax of limits 0 and 1, what another FakeQuantize has cut.
#include <mo/sdk.hpp>

#include "support/expressions.hpp"
#include "support/quantization.hpp"
#include "support/value_range.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class ClampSixteenBits : public MatcherPass {
 public:
  ClampSixteenBits() : MatcherPass(MO_PHASE_BACK) {
    id = "back.clamp_sixteen_bits";
    doc = "what a FakeQuantize of 16 bits reads is cut at its limits, which devices would leave out with it";
    before = R"(
      %x = Parameter -> f32[1,2,4]
      %low = Const -> f32[] {-4}
      %high = Const -> f32[] {2}
      %y = FakeQuantize@opset1 (%x, %low, %high, %low, %high) {levels=65536}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,2,4]
      %c = Clamp@opset1 (%x) {min=-4.0, max=2.0}
      %low = Const -> f32[] {-4}
      %high = Const -> f32[] {2}
      %y = FakeQuantize@opset1 (%c, %low, %high, %low, %high) {levels=65536}
      Result (%y))";
    run_after = {"back.simplify_again"};
    force_clean_up = true;
    force_shape_inference = true;
    const Pattern quantize =
        wrap_type({"FakeQuantize"}, {any_input(), constant(), constant(), any_input(), any_input()});
    quantize->with("levels", 65536);
    register_matcher(quantize, [](const Graph& g, const Match& m) { cut(g, m.root()); });
  }

 private:
  static void cut(const Graph& g, const Node& n) {
    OutPort x = n.in_port(0).get_source();
    const OutPort low = n.in_port(1).get_source(), high = n.in_port(2).get_source();
    only_when(!x.node().is("Clamp") && !x.node().is("Minimum"), "'", x.node().name(), "' cuts it already");
    const auto limits = quantize_limits(n);
    only_when(limits && limits->in_low == limits->out_low && limits->in_high == limits->out_high,
              "its limits are others on both sides, so devices compute it");
    only_when(!stays_within(value_range(x), *limits), "what '", x.node().name(),
              "' gives is within its limits");
    const auto least = single_number(low), most = single_number(high);
    if (least && *least >= 0 && x.node().is("ReLU") && only_reader_of(x)) {
      copy_runtime_info({x.node(), n}, {n});
      x = x.node().in_port(0).get_source();  // which the limits cut, too
    }
    if (least && most) {
      only_when(*least < *most, "its limits are in the wrong order");
      const Node made = g.create_node("Clamp", "opset1", n.name() + "/limits", {x});
      made.set("min", *least).set("max", *most);
      n.in_port(0).set_source(made.out_port());
      return;
    }
    const Node above = g.create_node("Maximum", "opset1", n.name() + "/low", {x, low}),
               within = g.create_node("Minimum", "opset1", n.name() + "/high", {above.out_port(), high});
    n.in_port(0).set_source(within.out_port());
  }

  // But for less than a level, which is what rounding may take.
  static bool stays_within(const ValueRange& r, const QuantizeLimits& limits) {
    const double least = *std::max_element(limits.in_low.begin(), limits.in_low.end());
    const double most = *std::min_element(limits.in_high.begin(), limits.in_high.end());
    const double level = (most - least) / 65535 * (1 + 1e-5);
    return level > 0 && r.least >= least - level && r.most <= most + level;
  }
};

void register_clamp_sixteen_bits(Registry& r) { r.transformation<ClampSixteenBits>(); }

}  // namespace mo::builtin_passes
