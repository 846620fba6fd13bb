// Softsign written out, as PyTorch, Keras and ONNX models come:
//   x / (1 + Abs(x))  ->  SoftSign(x)
#include "support/fusion.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class FuseSoftSign : public TextFusion {
 public:
  FuseSoftSign() {
    id = "middle.fuse_soft_sign";
    doc = "x divided by 1 + Abs(x) becomes SoftSign";
    before = R"(
      %x = Parameter -> f32[1,8,4,4]
      %a = Abs@opset1 (%x)
      %one = Const -> f32[] {1}
      %s = Add@opset1 (%a, %one)
      %y = Divide@opset1 (%x, %s)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,8,4,4]
      %y = SoftSign@opset9 (%x)
      Result (%y))";
  }
  bool graph_condition(Graph g) override { return may_make(g, "SoftSign", "opset9"); }
};

void register_fuse_soft_sign(Registry& r) { simplifying<FuseSoftSign>(r, Stage::fuse); }

}  // namespace mo::builtin_passes
