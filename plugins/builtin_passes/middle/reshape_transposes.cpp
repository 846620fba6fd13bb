// A Transpose that leaves the elements where they are is a Reshape, which costs a runtime nothing:
//   Transpose(x [1,1,1,8], 0312)  ->  Reshape(x, {0, -1, 1, 0})
#include "support/fuse_transposes.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

// Rows of Transposes become one first, and of all that do the same one stays: no pattern says that.
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
      const auto order = order_of(n);
      if (!order) continue;
      const Shape s = n.in_port(0).shape();
      const auto target = reshape_target(s, *order);
      if (!target) {
        if (reshape_target(where_open(s, 1), *order))
          pass_over(n, "it moves a dimension of ", s, " that is not known, and may not be 1");
        continue;
      }
      n.in_port(1).set_source(g.create_ints(n.name() + "/shape", *target).out_port());
      n.set_op("Reshape", "opset1");
      n.set("special_zero", true);
    }
  }

 private:
  static Shape where_open(Shape s, int64_t size) {
    for (Dim& d : s)
      if (!d.is_static()) d = Dim(size);
    return s;
  }
};

void register_reshape_transposes(Registry& r) { simplifying<ReshapeTransposes>(r, Stage::transposes); }

}  // namespace mo::builtin_passes
