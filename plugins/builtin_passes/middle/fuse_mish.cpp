// Mish written out:
//   x * Tanh(SoftPlus(x))  ->  Mish(x)
#include "support/fusion.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class FuseMish : public TextFusion {
 public:
  FuseMish() {
    id = "middle.fuse_mish";
    doc = "x * Tanh(SoftPlus(x)) becomes Mish";
    before = R"(
      %x = Parameter -> f32[1,8,4,4]
      %s = SoftPlus@opset4 (%x)
      %t = Tanh@opset1 (%s)
      %y = Multiply@opset1 (%x, %t)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,8,4,4]
      %y = Mish@opset4 (%x)
      Result (%y))";
    run_after.push_back("middle.fuse_soft_plus");
  }
};

void register_fuse_mish(Registry& r) { simplifying<FuseMish>(r, Stage::fuse); }

}  // namespace mo::builtin_passes
