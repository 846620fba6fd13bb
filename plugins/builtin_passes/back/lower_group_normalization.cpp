// For releases without GroupNormalization:
//   GroupNormalization(x, scale, bias)  ->  MVN over each group, reshaped, times scale, plus bias
#include "support/lowering.hpp"

namespace mo::builtin_passes {

class LowerGroupNormalization : public Lowering {
 public:
  LowerGroupNormalization() {
    id = "back.lower_group_normalization";
    doc = "GroupNormalization as MVN of groups";
    before = R"(
      %x = Parameter -> f32[2,4,3,5]
      %scale = Const -> f32[4] {1,0.5,2,-1}
      %bias = Const -> f32[4] {0,1,-1,0.25}
      %y = GroupNormalization@opset12 (%x, %scale, %bias) {num_groups=2, epsilon=0.001}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,4,3,5]
      %groups = Const -> i64[3] {0,2,-1}
      %g = Reshape@opset1 (%x, %groups) {special_zero=true}
      %axes = Const -> i64[1] {2}
      %m = MVN@opset6 (%g, %axes) {eps=0.001, eps_mode="inside_sqrt", normalize_variance=true}
      %dims = Const -> i64[4] {2,4,3,5}
      %r = Reshape@opset1 (%m, %dims) {special_zero=false}
      %scale = Const -> f32[1,4,1,1] {1,0.5,2,-1}
      %s = Multiply@opset1 (%r, %scale)
      %bias = Const -> f32[1,4,1,1] {0,1,-1,0.25}
      %y = Add@opset1 (%s, %bias)
      Result (%y))";
    lowers("GroupNormalization", {12});
  }

 private:
  Ports lower(const Build& b, const Node& n) override {
    const OutPort x = b.in(0);
    const Shape s = x.shape();
    only_when(s.has_rank(), "the rank of what is normalized is not known");
    const Node mvn =
        b.node("MVN", "opset6", {b.reshape(x, {0, n.attr<int64_t>("num_groups"), -1}), b.list({2})});
    mvn.set("eps", n.attr<double>("epsilon")).set("eps_mode", "inside_sqrt").set("normalize_variance", true);
    Ints channels(s.size(), 1);
    channels[1] = -1;
    const OutPort dims = s.is_static() ? b.list(s.to_static()) : b.shape_of(x);
    const OutPort scaled =
        b.op("Multiply", "opset1", {b.reshape(mvn.out_port(), dims), b.reshape(b.in(1), channels)});
    return {b.op("Add", "opset1", {scaled, b.reshape(b.in(2), channels)})};
  }
};

void register_lower_group_normalization(Registry& r) { r.transformation<LowerGroupNormalization>(); }

}  // namespace mo::builtin_passes
