// A dimension that is read from a shape becomes a constant when inputs of other shapes cannot change it:
//   ShapeOf(MatMul(x, weights [8,16]))[last]  ->  16
#include <mo/symbols.hpp>
#include "support/eliminate.hpp"
#include "support/simplifying.hpp"

#include <algorithm>
#include <set>

namespace mo::builtin_passes {

// Looks at whatever is computed from a shape, which no pattern says.
class FoldDimensions : public ModelPass {
 public:
  FoldDimensions() : ModelPass(MO_PHASE_PRE_MIDDLE) {
    id = "middle.fold_dimensions";
    doc =
        "dimensions that are read from a shape, and cannot change with those of the inputs, become constants";
    before = R"(
      %x = Parameter -> f32[?,2]
      %w = Const -> f32[2,3] {1,2,3,4,5,6}
      %m = MatMul@opset1 (%x, %w) {transpose_a=false, transpose_b=false}
      %s = ShapeOf@opset3 (%m) {output_type=i64}
      %one = Const -> i64[1] {1}
      %zero = Const -> i64[] {0}
      %d = Gather@opset1 (%s, %one, %zero)
      %list = Concat@opset1 (%d, %one) {axis=0}
      %y = Tile@opset1 (%m, %list)
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[?,2]
      %w = Const -> f32[2,3] {1,2,3,4,5,6}
      %m = MatMul@opset1 (%x, %w) {transpose_a=false, transpose_b=false}
      %list = Const -> i64[2] {3,1}
      %y = Tile@opset1 (%m, %list)
      Result (%y))";
    force_clean_up = true;
  }
  void run_on_model(Graph g) override {
    const auto shapes = g.get_op_nodes("ShapeOf");
    if (shapes.empty()) return;
    SymbolsOf symbols;
    std::set<mo_node> seen;
    std::vector<Node> open = shapes;
    while (!open.empty()) {
      const Node n = open.back();
      open.pop_back();
      if (!seen.insert(n.id()).second || n.out_count() != 1) continue;
      const OutPort p = n.out_port();
      if (!symbols.values(p)) continue;
      const Symbols values = *symbols.values(p);
      if (values.empty()) continue;
      const auto fixed = [](const Symbol& e) { return e.is_number(); };
      if (std::all_of(values.begin(), values.end(), fixed)) {
        fold(g, p, values);
        continue;
      }
      // What is joined to a size that varies may be cut off again.
      for (const InPort& reader : p.get_destinations())
        if (!reader.node().is("Result")) open.push_back(reader.node());
    }
  }

 private:
  static void fold(const Graph& g, const OutPort& p, const Symbols& values) {
    if (has_result_consumers(p))
      return pass_over(p.node(), "it is an output of the model, and a constant cannot be called by its name");
    std::vector<double> numbers;
    for (const Symbol& e : values) numbers.push_back(static_cast<double>(e.index));
    const auto dims = p.shape().rank() == 0 ? std::vector<int64_t>{}
                                            : std::vector<int64_t>{static_cast<int64_t>(values.size())};
    const Tensor t = Tensor::filled(g.context(), p.type(), numbers, dims);
    p.get_connection().set_source(g.create_const(p.node().name() + "/fixed", t).out_port(), Names::merge);
  }
};

void register_fold_dimensions(Registry& r) { simplifying<FoldDimensions>(r, Stage::dimensions); }

}  // namespace mo::builtin_passes
