// Products with 1, sums with 0, powers of 1:
//   Multiply(x, 1), Divide(x, 1), Add(x, 0), Subtract(x, 0), Power(x, 1)  ->  x
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class RemoveNeutralArithmetic : public Elimination {
 public:
  RemoveNeutralArithmetic() : Elimination({"Multiply", "Divide", "Add", "Subtract", "Power"}) {
    id = "middle.remove_neutral_arithmetic";
    doc = "products with 1, sums with 0 and powers of 1 are left out";
    before = R"(
      %x = Parameter -> f32[2,?]
      %one = Const -> f32[1,1] {1}
      %zero = Const -> f32[] {0}
      %m = Multiply@opset1 (%one, %x)
      %a = Subtract@opset1 (%m, %zero)
      %y = ReLU@opset1 (%a)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[2,?]
      %y = ReLU@opset1 (%x)
      Result (%y))";
  }
  // There are fewer constants of zeros and ones than sums and products.
  void run_on_model(Graph g) override {
    for (const Node& constant : g.get_op_nodes("Const")) {
      const Context c = g.context();
      const OutPort port(c, mo_port{constant.id(), 0, MO_PORT_OUT});
      const auto first = first_number(port);
      if ((first != 0.0 && first != 1.0) || !is_uniform(port, *first)) continue;
      for (const InPort& reader : port.get_destinations()) {
        const Node n = reader.node();
        if (!has_neutral(op_of(n)) || opset_of(n).substr(0, 5) != "opset") continue;
        if (const OutPort left = heir(n)) eliminate(n.out_port(), left);
      }
    }
  }
  OutPort heir(const Node& n) override {
    const std::string_view op = op_of(n);
    const double neutral = op == "Add" || op == "Subtract" ? 0 : 1;
    const OutPort a = source_of(n, 0), b = source_of(n, 1);
    if (is_uniform(b, neutral) && keeps_shape(a, b)) return a;
    const bool commutes = op == "Add" || op == "Multiply";
    return commutes && is_uniform(a, neutral) && keeps_shape(b, a) ? b : OutPort();
  }

 private:
  static bool has_neutral(std::string_view op) {
    return op == "Add" || op == "Multiply" || op == "Subtract" || op == "Divide" || op == "Power";
  }
};

void register_remove_neutral_arithmetic(Registry& r) {
  simplifying<RemoveNeutralArithmetic>(r, Stage::remove);
}

}  // namespace mo::builtin_passes
