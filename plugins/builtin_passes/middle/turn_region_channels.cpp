// RegionYolo reads channels in the second place, and of the regions that its mask names. A transformation that
// puts it behind what a model of TensorFlow gives, as YOLO.py of the Model Optimizer did, leaves both open:
//   RegionYolo(x), x: [N, H, W, channels]  ->  Transpose(RegionYolo(Transpose(x))) with all regions in its mask
#include <mo/build.hpp>
#include "support/simplifying.hpp"

#include <numeric>

namespace mo::builtin_passes {

class TurnRegionChannels : public MatcherPass {
 public:
  TurnRegionChannels() : MatcherPass(MO_PHASE_PRE_MIDDLE) {
    id = "middle.turn_region_channels";
    doc = "RegionYolo reads channels in the second place, and its mask names regions";
    before = R"(
      %x = Parameter -> f32[1,4,4,12]
      %y = RegionYolo@opset1 (%x) {axis=1, end_axis=-1, coords=4, classes=1, num=2, do_softmax=false}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,4,4,12]
      %first = Const@opset1 -> i64[4] {0,3,1,2}
      %t = Transpose@opset1 (%x, %first)
      %r = RegionYolo@opset1 (%t) {axis=1, end_axis=-1, coords=4, classes=1, num=2, do_softmax=false, mask=[0,1]}
      %last = Const@opset1 -> i64[4] {0,2,3,1}
      %y = Transpose@opset1 (%r, %last)
      Result (%y))";
    run_before = {"middle.change_layout"};
    register_matcher(wrap_type({"RegionYolo"}),
                     [](const Graph& g, const Match& m) { complete(g, m.root()); });
  }

 private:
  static void complete(const Graph& g, const Node& n) {
    const auto num = n.attr<int64_t>("num");
    auto mask = n.attr<std::vector<int64_t>>("mask");
    const bool softmax = n.attr<bool>("do_softmax"), all = !softmax && mask.empty();
    if (all) {
      mask.resize(static_cast<size_t>(num));
      std::iota(mask.begin(), mask.end(), 0);
    }
    const int64_t each = n.attr<int64_t>("classes") + n.attr<int64_t>("coords") + 1;
    const int64_t channels = each * (softmax ? num : static_cast<int64_t>(mask.size()));
    const OutPort x = n.in_port(0).get_source();
    const Shape s = x.shape();
    const bool last = s.has_rank() && !s[1].contains(channels);
    only_when(all || last, "there are ", channels,
              " channels in the second place, and the mask names regions");
    if (all) n.set("mask", mask);
    if (!last) return;
    const Build b(g, n);
    n.in_port(0).set_source(b.channels_first(x, 4));
    const OutPort made = n.out_port();
    if (made.shape().rank() != 4) return;
    const auto readers = made.get_destinations();
    const OutPort turned = b.channels_last(made, 4);
    for (const InPort& reader : readers) reader.set_source(turned);
    turned.set_tensor_names(made.tensor_names());
    made.set_tensor_names({});
  }
};

void register_turn_region_channels(Registry& r) { simplifying<TurnRegionChannels>(r, Stage::transposes); }

}  // namespace mo::builtin_passes
