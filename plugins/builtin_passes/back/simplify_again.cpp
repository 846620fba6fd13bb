// What fusions, and Transposes that moved, leave behind is simplified as the model was at the start: the same
// transformations run until nothing is left for them.
#include <mo/sdk.hpp>

#include <algorithm>

namespace mo::builtin_passes {

namespace {

// In this order.
constexpr const char* simplifying[] = {
    "middle.remove_converts",
    "middle.remove_slices",
    "middle.remove_pads",
    "middle.remove_gathers",
    "middle.remove_tiles",
    "middle.remove_broadcasts",
    "middle.remove_reductions",
    "middle.remove_pools",
    "middle.remove_neutral_arithmetic",
    "middle.remove_repetitions",
    "middle.remove_selects",
    "middle.flatten_concats",
    "middle.remove_splits",
    "middle.split_concats",
    "middle.join_slices",
    "middle.fold_ranks",
    "middle.fold_dimensions",
    "middle.keep_dimensions",
    "middle.read_dimensions",
    "middle.share_operations",
    "middle.fuse_reshapes",
    "middle.fuse_clamp",
    "middle.fuse_depth_to_space",
    "middle.fuse_dilation",
    "middle.fuse_gelu",
    "middle.fuse_hsigmoid",
    "middle.fuse_hswish",
    "middle.fuse_soft_plus",
    "middle.fuse_mish",
    "middle.fuse_mvn",
    "middle.fuse_normalize_l2",
    "middle.fuse_prelu",
    "middle.fuse_reduces",
    "middle.fuse_shuffle_channels",
    "middle.fuse_softmax",
    "middle.fuse_swish",
    "middle.fuse_upsampling",
    "middle.fuse_pads",
    "middle.move_shapes_into_weights",
    "middle.fold_flattened_transposes",
    "middle.fuse_lstm_cell",
    "middle.fuse_gru_cell",
    "back.make_sequences",
    "middle.fold_matmul_transposes",
    "middle.fuse_linear",
    "back.fuse_linear_ahead",
    "middle.fuse_into_fake_quantize",
    "middle.remove_clamp_before_quantize",
    "middle.group_convolutions",
    "back.fuse_reciprocals",
    "back.fuse_negatives",
    "middle.move_transposes",
    "middle.reshape_transposes",
};

}  // namespace

class SimplifyAgain : public ModelPass {
 public:
  SimplifyAgain() : ModelPass(MO_PHASE_BACK) {
    id = "back.simplify_again";
    doc = "what other transformations left behind is simplified as the model was at the start";
    before = R"(
      %x = Parameter -> f32[2,?]
      %one = Const -> f32[] {1}
      %a = ReLU@opset1 (%x)
      %b = ReLU@opset1 (%x)
      %m = Multiply@opset1 (%b, %one)
      %y = Add@opset1 (%a, %m)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,?]
      %a = ReLU@opset1 (%x)
      %y = Add@opset1 (%a, %a)
      Result (%y))";
    run_not_recursively = true;  // each of them looks at bodies itself
    run_after = {"back.fuse_negatives", "back.fuse_reciprocals", "back.prefer_older_operations"};
    force_clean_up = true;
  }
  void run_on_model(Graph g) override {
    // One round may take as much away as it adds, and leave something for the next. Where nothing changed at
    // all, a round costs nothing: what found nothing is not run again.
    constexpr int most_rounds = 8;
    size_t last = 0;
    for (int round = 0, equal = 0; round < most_rounds && equal < 2; ++round) {
      const size_t now = g.nodes().size();
      equal = now == last ? equal + 1 : 0;
      last = now;
      run_all(g);
    }
  }

 private:
  static void run_all(const Graph& g) {
    Manager all(g.context());
    const auto off = option<std::vector<std::string>>(g.context(), "disabled_transforms")
                         .value_or(std::vector<std::string>{});
    for (const char* pass : simplifying)
      if (std::find(off.begin(), off.end(), pass) == off.end()) all.register_pass(pass);
    all.run_passes(g);
  }
};

void register_simplify_again(Registry& r) { r.transformation<SimplifyAgain>(); }

}  // namespace mo::builtin_passes
