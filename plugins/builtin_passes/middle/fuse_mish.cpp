// Mish written out:
//   x * Tanh(SoftPlus(x))  ->  Mish(x)
#include "support/fusion.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class FuseMish : public Fusion {
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
  void run_on_model(Graph g) override {
    Gone gone;
    for_each_above(g, {"SoftPlus"}, {"Tanh", "Multiply"}, 2, gone, [&](const Node& n) {
      if (n.op() != "Multiply") return;
      for (const size_t i : {0U, 1U}) {
        const OutPort x = n.in_port(i).get_source();
        const auto tanh = made_by(n.in_port(1 - i).get_source(), "Tanh");
        const auto plus = tanh ? made_by(tanh->in_port(0).get_source(), "SoftPlus") : std::nullopt;
        if (!plus || plus->in_port(0).get_source() != x || !serves_only(n, {*tanh, *plus})) continue;
        const Node made = g.create_node("Mish", "opset4", n.name() + "/Mish", {x});
        take_place(n, made.out_port(), {*tanh, *plus}, gone);
        return;
      }
    });
  }
};

void register_fuse_mish(Registry& r) { simplifying<FuseMish>(r, Stage::fuse); }

}  // namespace mo::builtin_passes
