// A Transpose of the last two dimensions before MatMul is an attribute of it:
//   MatMul(a, Transpose(b, {0, 2, 1}))  ->  MatMul(a, b, transpose_b)
#include "support/fusion.hpp"
#include "support/simplifying.hpp"

namespace mo::builtin_passes {

class FoldMatmulTransposes : public Fusion {
 public:
  FoldMatmulTransposes() {
    id = "middle.fold_matmul_transposes";
    doc = "a Transpose of the last two dimensions before MatMul becomes its transpose_a or transpose_b";
    before = R"(
      %a = Parameter -> f32[2,3,4]
      %b = Parameter -> f32[2,5,4]
      %order = Const -> i64[3] {0,2,1}
      %t = Transpose@opset1 (%b, %order)
      %y = MatMul@opset1 (%a, %t) {transpose_a=false, transpose_b=false}
      Result (%y))";
    after = R"(
      %a = Parameter -> f32[2,3,4]
      %b = Parameter -> f32[2,5,4]
      %y = MatMul@opset1 (%a, %b) {transpose_a=false, transpose_b=true}
      Result (%y))";
    ops = {"MatMul"};
  }

 private:
  void fuse_at(const Graph&, const Node& n) override {
    fold(n, 0, "transpose_a");
    fold(n, 1, "transpose_b");
  }

  // What else reads the Transpose keeps it, and then nothing is gained.
  static bool has_only_products(const Node& turn) {
    for (const InPort& reader : turn.out_port().get_destinations())
      if (!reader.node().is("MatMul")) return false;
    return true;
  }

  void fold(const Node& n, size_t i, std::string_view attribute) {
    const OutPort operand = n.in_port(i).get_source();
    const auto turn = exchange_of_last_two(operand);
    if (!turn) {
      if (made_by(operand, "Transpose") && operand.node().in_node(1).is("Const"))
        near("'", operand.node().name(), "' moves other dimensions than the last two");
      return;
    }
    if (!has_only_products(*turn)) {
      near("others than MatMul read '", turn->name(), "', too, so that it stays");
      return;
    }
    n.in_port(i).set_source(turn->in_port(0).get_source());
    n.set(attribute, !n.attr<bool>(attribute, false));
    if (turn->out_port().disconnected()) turn->remove();
    note_edit();
  }
};

void register_fold_matmul_transposes(Registry& r) { simplifying<FoldMatmulTransposes>(r, Stage::weights); }

}  // namespace mo::builtin_passes
