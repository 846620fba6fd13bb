// A quotient by the root of the mean square is written in the way that all releases with an operation of
// their own for it look for:
//   x / Sqrt(ReduceMean(x * x) + eps)  ->  x * Power(Sqrt(ReduceMean(Power(x, 2)) + eps), -1)
// Those before 2025 know neither the quotient nor the product of x with itself.
// All of them share two constants, which the first one by name gives their names: no pattern knows the others.
#include "support/eliminate.hpp"
#include "support/root_mean_square.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class WriteOutRms : public ModelPass {
 public:
  WriteOutRms() : ModelPass(MO_PHASE_BACK) {
    id = "back.write_out_rms";
    doc = "quotients by a root mean square are written as runtimes look for them";
    before = R"(
      %x = Parameter -> f32[?,8]
      %s = Multiply@opset1 (%x, %x)
      %axes = Const -> i64[1] {-1}
      %m = ReduceMean@opset1 (%s, %axes) {keep_dims=true}
      %eps = Const -> f32[] {0.001}
      %e = Add@opset1 (%m, %eps)
      %r = Sqrt@opset1 (%e)
      %y = Divide@opset1 (%x, %r) {m_pythondiv=true}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[?,8]
      %two = Const -> f32[] {2}
      %s = Power@opset1 (%x, %two)
      %axes = Const -> i64[1] {-1}
      %m = ReduceMean@opset1 (%s, %axes) {keep_dims=true}
      %eps = Const -> f32[] {0.001}
      %e = Add@opset1 (%m, %eps)
      %r = Sqrt@opset1 (%e)
      %minus = Const -> f32[] {-1}
      %i = Power@opset1 (%r, %minus)
      %y = Multiply@opset1 (%x, %i)
      Result (%y))";
    run_after = {"back.simplify_again"};
    force_clean_up = true;
  }
  bool graph_condition(Graph g) override { return has_rms_operation(g.context()); }
  void run_on_model(Graph g) override {
    std::vector<RmsNormalization> found;
    for (const Node& n : g.get_op_nodes("Divide")) {
      if (const auto rms = rms_normalization(n.out_port()))
        found.push_back(*rms);
      else if (made_by(source_of(n, 1), "Sqrt"))
        pass_over(n, "its root is not that of the mean square of what it divides, over the last dimension");
    }
    // In an order that the next conversion of the result finds, too: the first one names the constants.
    std::sort(found.begin(), found.end(), [](const RmsNormalization& l, const RmsNormalization& r) {
      return l.quotient.name() < r.quotient.name();
    });
    Numbers numbers;
    for (const RmsNormalization& rms : found) write_out(g, rms, numbers);
  }

 private:
  using Numbers = std::map<std::pair<ElementType, double>, OutPort>;

  static void write_out(const Graph& g, const RmsNormalization& rms, Numbers& numbers) {
    const Node n = rms.quotient;
    const auto number = [&](const char* what, double value) {
      OutPort& known = numbers[{rms.x.type(), value}];
      if (!known)
        known = g.create_const(n.name() + what, Tensor::filled(g.context(), rms.x.type(), {value}, {}))
                    .out_port();
      return known;
    };
    if (rms.square.is("Multiply")) {
      rms.square.set_op("Power", "opset1");
      rms.square.in_port(1).set_source(number("/two", 2));
    }
    const Node inverse =
        g.create_node("Power", "opset1", n.name() + "/inverse", {rms.root, number("/minus_one", -1)});
    inverse.out_port().set_shape(rms.root.type(), rms.root.shape());
    n.in_port(1).set_source(inverse.out_port());
    n.erase("m_pythondiv");
    n.set_op("Multiply", "opset1");
  }
};

void register_write_out_rms(Registry& r) { r.transformation<WriteOutRms>(); }

}  // namespace mo::builtin_passes
