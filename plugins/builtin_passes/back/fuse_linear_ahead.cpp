// What is multiplied goes into the weights behind it, and what is added behind these, unless padding makes a
// difference. Activations have been found before, which a missing factor would hide:
//   Convolution(Multiply(Add(x, a), b), w)  ->  Convolution(Add(x, a), b * w)
// How long a row of such steps is, and how many weights at its ends take part, no pattern says.
#include "support/fusing_filter.hpp"
#include "support/linear_fusion.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class FuseLinearAhead : public ModelPass {
 public:
  FuseLinearAhead() : ModelPass(MO_PHASE_BACK) {
    id = "back.fuse_linear_ahead";
    doc = "constants that are multiplied go into the weights after them";
    before = R"(
      %x = Parameter -> f32[1,2,4,4]
      %a = Const -> f32[1,2,1,1] {-1,-2}
      %s = Add@opset1 (%x, %a)
      %b = Const -> f32[1,2,1,1] {0.5,0.25}
      %m = Multiply@opset1 (%s, %b)
      %w = Const -> f32[2,2,1,1] {1,2,3,4}
      %y = Convolution@opset1 (%m, %w) {strides=[1,1], dilations=[1,1], pads_begin=[1,1], pads_end=[1,1]}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,2,4,4]
      %a = Const -> f32[1,2,1,1] {-1,-2}
      %s = Add@opset1 (%x, %a)
      %w = Const -> f32[2,2,1,1] {0.5,0.5,1.5,1}
      %y = Convolution@opset1 (%s, %w) {strides=[1,1], dilations=[1,1], pads_begin=[1,1], pads_end=[1,1]}
      Result (%y))";
    run_after = {Anchor::back_start};
    run_before = {Anchor::back_finish};
    force_clean_up = true;
  }
  bool graph_condition(Graph g) override { return fusing_is_wanted(g.context()); }
  void run_on_model(Graph g) override { fuse_linear_chains(g, true); }
};

void register_fuse_linear_ahead(Registry& r) { simplifying<FuseLinearAhead>(r, Stage::linear); }

}  // namespace mo::builtin_passes
