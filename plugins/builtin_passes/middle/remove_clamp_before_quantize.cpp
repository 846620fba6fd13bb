// What FakeQuantize cuts off need not be cut off before it:
//   FakeQuantize(ReLU(x), 0, high, …)       ->  FakeQuantize(x, 0, high, …)
//   FakeQuantize(Clamp(x, a, b), low, high, …)  ->  FakeQuantize(x, low, high, …)  for a <= low, high <= b
#include "support/fusing_filter.hpp"
#include "support/linear_steps.hpp"
#include "support/quantization.hpp"
#include "support/simplifying.hpp"

#include <algorithm>
#include <limits>

namespace mo::builtin_passes {

class RemoveClampBeforeQuantize : public MatcherPass {
 public:
  RemoveClampBeforeQuantize() : MatcherPass(MO_PHASE_POST_MIDDLE) {
    id = "middle.remove_clamp_before_quantize";
    doc = "what FakeQuantize cuts off is not cut off before it";
    before = R"(
      %x = Parameter -> f32[1,2,4,4]
      %r = ReLU@opset1 (%x)
      %low = Const -> f32[] {0}
      %high = Const -> f32[] {4}
      %y = FakeQuantize@opset1 (%r, %low, %high, %low, %high) {levels=256}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,2,4,4]
      %low = Const -> f32[] {0}
      %high = Const -> f32[] {4}
      %y = FakeQuantize@opset1 (%x, %low, %high, %low, %high) {levels=256}
      Result (%y))";
    run_after = {"middle.fuse_into_fake_quantize"};
    force_clean_up = true;
    const Pattern clamp = wrap_type({"ReLU", "Clamp"}, {any_input()});
    register_matcher(wrap_type({"FakeQuantize"}, {clamp})->variadic(),
                     [=](const Graph&, const Match& m) { take_out(m.port(clamp), m.root()); });
  }
  bool graph_condition(Graph g) override { return fusing_is_wanted(g.context()); }

 private:
  static void take_out(const OutPort& clamped, const Node& n) {
    const Node clamp = clamped.node();
    only_when(only_reader_of(clamped).has_value(), "something else reads '", clamp.name(), "', too");
    only_when(n.attr<int64_t>("levels", 0) != 65536, "devices leave 65536 levels out, and do not cut then");
    only_when(cuts_no_more(clamp, n), "'", clamp.name(), "' cuts off more than its limits do");
    const FusingFilter filter(n.context());
    only_when(filter.allows(n) && filter.allows(clamp), "--finegrain_fusing keeps it, or '", clamp.name(),
              "'");
    copy_runtime_info({clamp, n}, {n});
    n.in_port(0).set_source(clamp.in_port(0).get_source());
  }

  static bool cuts_no_more(const Node& clamp, const Node& quantize) {
    double least = 0, most = std::numeric_limits<double>::infinity();
    if (clamp.is("Clamp")) {
      least = clamp.attr<double>("min");
      most = clamp.attr<double>("max");
    }
    const auto limits = quantize_limits(quantize);
    if (!limits || least > most) return false;
    const auto apart = combined(limits->in_low, limits->in_high, [](double l, double h) { return h - l; });
    const auto all = [](const ChannelValues& values, auto holds) {
      return std::all_of(values.begin(), values.end(), holds);
    };
    return apart && all(*apart, [](double w) { return w > 0; }) &&
           all(limits->in_low, [&](double v) { return v >= least; }) &&
           all(limits->in_high, [&](double v) { return v <= most; });
  }
};

void register_remove_clamp_before_quantize(Registry& r) {
  simplifying<RemoveClampBeforeQuantize>(r, Stage::linear);
}

}  // namespace mo::builtin_passes
