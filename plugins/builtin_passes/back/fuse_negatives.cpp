// A sum with a negated tensor is a difference, and a product with -1 is Negative:
//   Add(x, Negative(y))       ->  Subtract(x, y)
//   Subtract(x, Negative(y))  ->  Add(x, y)
//   Multiply(x, -1)           ->  Negative(x)
#include <mo/build.hpp>

#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class FuseNegatives : public FrontReplacementOp {
 public:
  FuseNegatives() : FrontReplacementOp(MO_PHASE_BACK) {
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
    ops = {"opset1::Multiply", "opset1::Negative"};
  }
  Ports replace_op(Graph, Node n) override {
    const bool is_product = n.is("Multiply");
    if (!is_product || negate(n)) fuse(n, is_product);
    return {};
  }

 private:
  static bool negate(const Node& n) {
    const OutPort a = source_of(n, 0), b = source_of(n, 1);
    const bool second = is_uniform(b, -1);
    if (!second && !is_uniform(a, -1)) return false;
    const OutPort x = second ? a : b, minus_one = second ? b : a;
    only_when(keeps_shape(x, minus_one), "what is multiplied with -1 is spread over ", minus_one.shape());
    only_when(is_signed(x.type()), "numbers of type ", name(x.type()), " have no sign");
    n.delete_input_port(1);
    n.in_port(0).set_source(x);
    n.set_op("Negative", "opset1");
    n.erase("auto_broadcast");
    return true;
  }

  // `is_new`: it has become Negative just now, which stays.
  static void fuse(const Node& negative, bool is_new) {
    const OutPort out = negative.out_port();
    const auto readers = out.get_destinations();
    if (readers.size() != 1) {
      const bool is_near = std::any_of(readers.begin(), readers.end(), [](const InPort& r) {
        return r.node().is("opset1::Add") || r.node().is("opset1::Subtract");
      });
      only_when(is_new || !is_near, "'", negative.name(), "' is read elsewhere, too");
      return;
    }
    const InPort reader = readers.front();
    const Node n = reader.node();
    const OutPort y = source_of(negative, 0);
    if (n.is("opset1::Subtract") && reader.index() == 1) {
      reader.set_source(y);
      n.set_op("Add", "opset1");
    } else if (n.is("opset1::Add")) {
      const OutPort x = n.in_port(1 - reader.index()).get_source();
      n.in_port(0).set_source(x);
      n.in_port(1).set_source(y);
      n.set_op("Subtract", "opset1");
    }
  }
};

void register_fuse_negatives(Registry& r) { simplifying<FuseNegatives>(r, Stage::linear); }

}  // namespace mo::builtin_passes
