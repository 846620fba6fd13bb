// A sum with a negated tensor is a difference, and a product with -1 is Negative:
//   Add(x, Negative(y))       ->  Subtract(x, y)
//   Subtract(x, Negative(y))  ->  Add(x, y)
//   Multiply(x, -1)           ->  Negative(x)
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class FuseNegatives : public ModelPass {
 public:
  FuseNegatives() : ModelPass(MO_PHASE_BACK) {
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
  }
  void run_on_model(Graph g) override {
    for (const Node& n : g.get_op_nodes("Multiply")) negate(n);
    for (const Node& n : g.get_op_nodes("Negative")) fuse(n);
  }

 private:
  static void negate(const Node& n) {
    const OutPort a = source_of(n, 0), b = source_of(n, 1);
    const bool second = is_uniform(b, -1);
    if ((!second && !is_uniform(a, -1)) || n.opset() != "opset1") return;
    const OutPort x = second ? a : b;
    if (!keeps_shape(x, second ? b : a) || !is_signed(x.type())) return;
    n.delete_input_port(1);
    n.in_port(0).set_source(x);
    n.set_op("Negative", "opset1");
    n.erase("auto_broadcast");
  }

  static void fuse(const Node& negative) {
    const OutPort out = negative.out_port();
    if (negative.opset() != "opset1" || out.destination_count() != 1) return;
    const InPort reader = out.get_destinations().front();
    const Node n = reader.node();
    const std::string op = n.op();
    if (n.opset() != "opset1") return;
    const OutPort y = source_of(negative, 0);
    if (op == "Subtract" && reader.index() == 1) {
      reader.set_source(y);
      n.set_op("Add", "opset1");
    } else if (op == "Add") {
      const OutPort x = n.in_port(1 - reader.index()).get_source();
      n.in_port(0).set_source(x);
      n.in_port(1).set_source(y);
      n.set_op("Subtract", "opset1");
    }
  }
};

void register_fuse_negatives(Registry& r) { simplifying<FuseNegatives>(r, Stage::linear); }

}  // namespace mo::builtin_passes
