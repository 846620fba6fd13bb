// A product with a reciprocal is a quotient:
//   Multiply(x, Power(y, -1))   ->  Divide(x, y)
//   Multiply(x, Divide(1, y))   ->  Divide(x, y)
// A reciprocal of 0 is infinite, and so is the quotient, unless 0 is divided: that is NaN both times.
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class FuseReciprocals : public MatcherPass {
 public:
  FuseReciprocals() : MatcherPass(MO_PHASE_BACK) {
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
    const Pattern reciprocal = any_of({wrap_type({"opset1::Power"}, {any_input(), constant()},
                                                 [](const OutPort& p) { return is_free(p, 1, -1); }),
                                       wrap_type({"opset1::Divide"}, {constant(), any_input()},
                                                 [](const OutPort& p) { return is_free(p, 0, 1); })});
    register_matcher(wrap_type({"opset1::Multiply"}, {reciprocal, any_input()}),
                     [reciprocal](const Graph&, const Match& m) { fuse(m.root(), m.port(reciprocal)); });
  }

 private:
  // A reciprocal, which input `constant` makes it, that can go.
  static bool is_free(const OutPort& p, uint32_t constant, double number) {
    const Node r = p.node();
    if (!is_uniform(source_of(r, constant), number)) return false;
    only_when(p.destination_count() == 1, "'", r.name(), "' is read elsewhere, too");
    only_when(is_float(p.type()), "'", r.name(), "' is of ", name(p.type()),
              ", where a reciprocal is rounded to 0");
    only_when(keeps_shape(source_of(r, 1 - constant), source_of(r, constant)), "'", r.name(),
              "' spreads what it divides by");
    return true;
  }

  static void fuse(const Node& n, const OutPort& reciprocal) {
    const OutPort y = source_of(reciprocal.node(), reciprocal.node().is("Power") ? 0 : 1),
                  first = source_of(n, 0);
    n.in_port(0).set_source(first == reciprocal ? source_of(n, 1) : first);
    n.in_port(1).set_source(y);
    n.set_op("Divide", "opset1");
    n.set("m_pythondiv", true);
  }
};

void register_fuse_reciprocals(Registry& r) { simplifying<FuseReciprocals>(r, Stage::linear); }

}  // namespace mo::builtin_passes
