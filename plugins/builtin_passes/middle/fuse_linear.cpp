// Constants that are multiplied and added one after the other, batch normalisation included, become one of
// each, and what is multiplied goes into the weights before it:
//   Add(Multiply(Add(Convolution(x, w), a), b), c)  ->  Add(Convolution(x, w * b), a * b + c)
#include "support/fusing_filter.hpp"
#include "support/linear_fusion.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

// Rows are of any length, and what they leave depends on what stands before and behind them: no pattern says
// that.
class FuseLinear : public ModelPass {
 public:
  FuseLinear() : ModelPass(MO_PHASE_POST_MIDDLE) {
    id = "middle.fuse_linear";
    doc =
        "constants that are added and multiplied one after the other become one of each, or go into weights";
    before = R"(
      %x = Parameter -> f32[1,2,4,4]
      %w = Const -> f32[3,2,1,1] {1,2,3,4,5,6}
      %c = Convolution@opset1 (%x, %w) {strides=[1,1], dilations=[1,1], pads_begin=[0,0], pads_end=[0,0]}
      %a = Const -> f32[1,3,1,1] {1,2,3}
      %s = Add@opset1 (%c, %a)
      %b = Const -> f32[3,1,1] {2,4,8}
      %m = Multiply@opset1 (%s, %b)
      %d = Const -> f32[] {5}
      %y = Add@opset1 (%m, %d)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,2,4,4]
      %w = Const -> f32[3,2,1,1] {2,4,12,16,40,48}
      %c = Convolution@opset1 (%x, %w) {strides=[1,1], dilations=[1,1], pads_begin=[0,0], pads_end=[0,0]}
      %a = Const -> f32[1,3,1,1] {7,13,29}
      %y = Add@opset1 (%c, %a)
      Result (%y))";
    run_after = {"middle.reshape_transposes"};
    force_clean_up = true;
  }
  bool graph_condition(Graph g) override { return fusing_is_wanted(g.context()); }
  void run_on_model(Graph g) override { fuse_linear_chains(g, false); }
};

void register_fuse_linear(Registry& r) {
  r.option("disable_fusing", MO_OPTION_FLAG, "sums and products with constants stay operations of their own");
  r.option("finegrain_fusing", MO_OPTION_STRING,
           "regular expressions, separated by commas; operations in whose names one is found are not fused");
  simplifying<FuseLinear>(r, Stage::linear);
}

}  // namespace mo::builtin_passes
