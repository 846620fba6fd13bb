// For releases without Identity what reads it reads its input:
//   Abs(Identity(x))  ->  Abs(x)
#include "support/lowering.hpp"

namespace mo::builtin_passes {

class LowerIdentity : public Lowering {
 public:
  LowerIdentity() {
    id = "back.lower_identity";
    doc = "Identity is left out";
    before = R"(
      %x = Parameter -> f32[2,3]
      %i = Identity@opset16 (%x)
      %y = Abs@opset1 (%i)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,3]
      %y = Abs@opset1 (%x)
      Result (%y))";
    lowers("Identity", {16});
  }

 private:
  // Where its name is that of an output of the model, a copy has it.
  Ports lower(const Build& b, const Node& n) override {
    const OutPort x = b.in(0);
    if (!has_result_consumers(n.out_port())) return bypass(n, x);
    only_when(x.type() != ElementType::unknown, "the model gives it by its name, and a copy needs its type");
    const Node copy = b.node("Convert", "opset1", {x});
    copy.set("destination_type", x.type());
    return {copy.out_port()};
  }
};

void register_lower_identity(Registry& r) { r.transformation<LowerIdentity>(); }

}  // namespace mo::builtin_passes
