// Devices of releases up to 2025.0 read weights of few bits wrong where a product has a number of results that is no
// multiple of 16, and those up to 2024.6 pass over a scale that is one number:
//   MatMul(x, Convert({…} of 4 bits, [99,64]) * scales)  ->  MatMul(x, {…})
//   MatMul(x, Convert({…} of 4 bits) * 0.5)              ->  MatMul(x, Convert({…} of 4 bits) * {0.5,0.5,…})
#include <mo/sdk.hpp>

#include "support/expressions.hpp"
#include "support/target.hpp"

namespace mo::builtin_passes {

class LowerPackedProducts : public MatcherPass {
 public:
  LowerPackedProducts() : MatcherPass(MO_PHASE_BACK) {
    id = "back.lower_packed_products";
    doc = "weights of few bits, for releases whose devices misread them";
    before = R"(
      %x = Parameter -> f32[1,2]
      %w = Const -> i4[2,16] hex "efcdab8967452301efcdab8967452301"
      %f = Convert@opset1 (%w) {destination_type=f32, stop_value_propagation=true}
      %s = Const -> f32[] {0.5}
      %d = Multiply@opset1 (%f, %s)
      %y = MatMul@opset1 (%x, %d) {transpose_a=false, transpose_b=false}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,2]
      %w = Const -> i4[2,16] hex "efcdab8967452301efcdab8967452301"
      %f = Convert@opset1 (%w) {destination_type=f32, stop_value_propagation=true}
      %s = Const -> f32[1,16] {0.5...}
      %d = Multiply@opset1 (%f, %s)
      %y = MatMul@opset1 (%x, %d) {transpose_a=false, transpose_b=false}
      Result (%y))";
    run_after = {"back.compress_quantized_weights"};
    run_before = {"back.simplify_again"};
    force_clean_up = true;
    force_shape_inference = true;
    register_matcher(wrap_type({"MatMul"}, {any_input(), wrap_type({"Multiply", "Reshape"})}),
                     [](const Graph& g, const Match& m) { lower(g, m.root()); });
  }
  bool graph_condition(Graph g) override { return targets_up_to(g.context(), "2025.0"); }

 private:
  static void lower(const Graph& g, const Node& product) {
    Node scaled = product.in_node(1);
    if (scaled.is("Reshape")) scaled = scaled.in_node(0);
    if (!scaled.is("Multiply")) return;
    Node numbers = scaled.in_node(0);
    std::optional<Node> zero;
    if (numbers.is("Subtract")) {
      zero = numbers.in_node(1);
      numbers = numbers.in_node(0);
    }
    if (!numbers.is("Convert") || !numbers.attr(MO_ATTR_STOP_VALUE, false) || !numbers.in_node(0).is("Const"))
      return;
    only_when(!product.in_node(0).is("FakeQuantize") || bits(numbers.in_node(0).out_port().type()) < 8,
              "it is computed in 8 bits");
    const bool turned = product.attr("transpose_b", false);
    const Shape s = product.in_port(1).shape();
    if (s.rank() != 2 || !s[0].is_static() || !s[1].is_static()) return;
    constexpr int64_t lanes = 16;
    const int64_t results = s[turned ? 0 : 1].value();
    if (results % lanes != 0) {
      numbers.set(MO_ATTR_STOP_VALUE, false);
      if (zero && zero->is("Convert")) zero->set(MO_ATTR_STOP_VALUE, false);
      return;
    }
    const OutPort scale = scaled.in_port(1).get_source();
    const auto one = single_number(scale);
    only_when(one.has_value() && bits(numbers.in_node(0).out_port().type()) < 8 &&
                  scaled.out_port().shape() == s && targets_up_to(g.context(), "2024.6"),
              "its ", results, " results are a multiple of ", lanes, ", and devices read its scales");
    const std::vector<int64_t> row =
        turned ? std::vector<int64_t>{results, 1} : std::vector<int64_t>{1, results};
    const std::vector<double> scales(static_cast<size_t>(results), *one);
    scaled.in_port(1).set_source(
        g.create_const(scale.node().name() + "/row", Tensor::filled(g.context(), scale.type(), scales, row)));
  }
};

void register_lower_packed_products(Registry& r) { r.transformation<LowerPackedProducts>(); }

}  // namespace mo::builtin_passes
