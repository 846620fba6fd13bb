// A Transpose that leaves the elements where they are is a Reshape, which costs a runtime nothing:
//   Transpose(x [1,1,1,8], 0312)  ->  Reshape(x, {0, -1, 1, 0})
#include "support/fuse_transposes.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class ReshapeTransposes : public ModelPass {
 public:
  ReshapeTransposes() : ModelPass(MO_PHASE_POST_MIDDLE) {
    id = "middle.reshape_transposes";
    doc = "a Transpose that leaves the elements where they are becomes a Reshape";
    before = R"(
      %x = Parameter -> f32[?,1,1,4]
      %order = Const -> i64[4] {0,3,1,2}
      %y = Transpose@opset1 (%x, %order)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[?,1,1,4]
      %to = Const -> i64[4] {0,-1,1,1}
      %y = Reshape@opset1 (%x, %to) {special_zero=true}
      Result (%y))";
    run_after = {"middle.move_transposes"};
    force_clean_up = true;
  }
  void run_on_model(Graph g) override {
    fuse_transposes(g);
    for (const Node& n : g.get_op_nodes("Transpose")) {
      const auto order = n.opset() == "opset1" ? order_of(n) : std::nullopt;
      const auto target = order ? reshape_target(n.in_port(0).shape(), *order) : std::nullopt;
      if (!target) continue;
      n.in_port(1).set_source(g.create_ints(n.name() + "/shape", *target).out_port());
      n.set_op("Reshape", "opset1");
      n.set("special_zero", true);
    }
  }
};

void register_reshape_transposes(Registry& r) { simplifying<ReshapeTransposes>(r, Stage::transposes); }

}  // namespace mo::builtin_passes
