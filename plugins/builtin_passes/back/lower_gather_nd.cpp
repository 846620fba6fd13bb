// For releases without GatherND-8:
//   GatherND-8(x, indices)  ->  GatherND-5(x, indices), reshaped where several batch dimensions became one
#include "support/lowering.hpp"

namespace mo::builtin_passes {

class LowerGatherNd : public Lowering {
 public:
  LowerGatherNd() {
    id = "back.lower_gather_nd";
    doc = "GatherND-5 for releases without GatherND-8";
    before = R"(
      %x = Parameter -> f32[2,3,4,5]
      %i = Const -> i64[2,3,1] {0,1,2,3,0,1}
      %y = GatherND@opset8 (%x, %i) {batch_dims=2}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,3,4,5]
      %i = Const -> i64[2,3,1] {0,1,2,3,0,1}
      %g = GatherND@opset5 (%x, %i) {batch_dims=2}
      %s = Const -> i64[3] {2,3,5}
      %y = Reshape@opset1 (%g, %s) {special_zero=false}
      Result (%y))";
    lowers("GatherND", {8});
  }

 private:
  Ports lower(const Build& b, const Node& n) override {
    const auto batch = n.attr("batch_dims", int64_t{0});
    if (batch <= 1) return as_older(n, "opset5", {});
    const Shape s = n.out_port().shape();
    only_when(s.is_static(), "its result is ", s, "; ", batch,
              " batch dimensions, which GatherND-5 makes one, come back by numbers only");
    const Node older = b.node("GatherND", "opset5", {b.in(0), b.in(1)});
    older.set("batch_dims", batch);
    return {b.reshape(older.out_port(), b.list(s.to_static()))};
  }
};

void register_lower_gather_nd(Registry& r) { r.transformation<LowerGatherNd>(); }

}  // namespace mo::builtin_passes
