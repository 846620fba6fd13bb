// A sum with a negated tensor is a difference, and a product with -1 is Negative:
//   Add(x, Negative(y))       ->  Subtract(x, y)
//   Subtract(x, Negative(y))  ->  Add(x, y)
//   Multiply(x, -1)           ->  Negative(x)
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class FuseNegatives : public MatcherPass {
 public:
  FuseNegatives() : MatcherPass(MO_PHASE_BACK) {
    id = "back.fuse_negatives";
    doc = "sums with negated tensors are differences, and products with -1 are Negative";
    before = R"(
      %x = Parameter -> f32[2,?]
      %y = Parameter -> f32[2,?]
      %m = Const -> f32[] {-1}
      %n = Multiply@opset1 (%y, %m)
      %s = Add@opset1 (%n, %x)
      Result (%s))";
    after = R"(
      %x = Parameter -> f32[2,?]
      %y = Parameter -> f32[2,?]
      %s = Subtract@opset1 (%x, %y)
      Result (%s))";
    force_clean_up = true;
    const Pattern negative = wrap_type({"opset1::Negative"}, {any_input()}, is_read_once);
    const Pattern minus_one = constant()->where([](const OutPort& p) { return is_uniform(p, -1); });
    register_matcher(any_of({wrap_type({"opset1::Add"}, {any_input(), negative}),
                             wrap_type({"opset1::Subtract"}, {any_input(), negative}),
                             wrap_type({"opset1::Multiply"}, {any_input(), minus_one})}),
                     [negative, minus_one](const Graph&, const Match& m) {
                       const Node n = m.root();
                       if (n.is("Multiply")) return negate(n, m.port(minus_one));
                       fuse(n, m.node(negative));
                     });
  }

 private:
  static bool is_read_once(const OutPort& negative) {
    only_when(negative.destination_count() == 1, "'", negative.node().name(), "' is read elsewhere, too");
    return true;
  }

  static void negate(const Node& n, const OutPort& minus_one) {
    const OutPort a = source_of(n, 0), x = a == minus_one ? source_of(n, 1) : a;
    only_when(keeps_shape(x, minus_one), "what is multiplied with -1 is spread over ", minus_one.shape());
    only_when(is_signed(x.type()), "numbers of type ", name(x.type()), " have no sign");
    n.delete_input_port(1);
    n.in_port(0).set_source(x);
    n.set_op("Negative", "opset1");
    n.erase("auto_broadcast");
  }

  static void fuse(const Node& n, const Node& negative) {
    const OutPort y = source_of(negative, 0), first = source_of(n, 0);
    if (n.is("Subtract")) {
      n.in_port(1).set_source(y);
      n.set_op("Add", "opset1");
      return;
    }
    n.in_port(0).set_source(first == negative.out_port() ? source_of(n, 1) : first);
    n.in_port(1).set_source(y);
    n.set_op("Subtract", "opset1");
  }
};

void register_fuse_negatives(Registry& r) { simplifying<FuseNegatives>(r, Stage::linear); }

}  // namespace mo::builtin_passes
