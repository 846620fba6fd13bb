// A product with a reciprocal is a quotient:
//   Multiply(x, Power(y, -1))   ->  Divide(x, y)
//   Multiply(x, Divide(1, y))   ->  Divide(x, y)
// A reciprocal of 0 is infinite, and so is the quotient, unless 0 is divided: that is NaN both times.
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class FuseReciprocals : public ModelPass {
 public:
  FuseReciprocals() : ModelPass(MO_PHASE_BACK) {
    id = "back.fuse_reciprocals";
    doc = "products with reciprocals are quotients";
    before = R"(
      %x = Parameter -> f32[2,?]
      %y = Parameter -> f32[2,?]
      %e = Exp@opset1 (%y)
      %m = Const -> f32[] {-1}
      %p = Power@opset1 (%e, %m)
      %q = Multiply@opset1 (%p, %x)
      Result (%q))";
    after = R"(
      %x = Parameter -> f32[2,?]
      %y = Parameter -> f32[2,?]
      %e = Exp@opset1 (%y)
      %q = Divide@opset1 (%x, %e) {m_pythondiv=true}
      Result (%q))";
    force_clean_up = true;
  }
  void run_on_model(Graph g) override {
    for (const Node& n : g.get_op_nodes("Power"))
      if (is_uniform(source_of(n, 1), -1) && keeps_shape(source_of(n, 0), source_of(n, 1)))
        fuse(n, source_of(n, 0));
    for (const Node& n : g.get_op_nodes("Divide"))
      if (is_uniform(source_of(n, 0), 1) && keeps_shape(source_of(n, 1), source_of(n, 0)))
        fuse(n, source_of(n, 1));
  }

 private:
  static void fuse(const Node& reciprocal, const OutPort& y) {
    const OutPort out = reciprocal.out_port();
    if (reciprocal.opset() != "opset1" || out.destination_count() != 1 || !is_float(out.type())) return;
    const InPort reader = out.get_destinations().front();
    const Node n = reader.node();
    if (n.op() != "Multiply" || n.opset() != "opset1") return;
    const OutPort x = n.in_port(1 - reader.index()).get_source();
    n.in_port(0).set_source(x);
    n.in_port(1).set_source(y);
    n.set_op("Divide", "opset1");
    n.set("m_pythondiv", true);
  }
};

void register_fuse_reciprocals(Registry& r) { simplifying<FuseReciprocals>(r, Stage::linear); }

}  // namespace mo::builtin_passes
