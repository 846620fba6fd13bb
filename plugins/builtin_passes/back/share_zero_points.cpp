// Zero points of packed weights that are the same everywhere are one number, which is what runtimes have fast
// kernels for:
//   Subtract(Convert(weights), Convert({8,8,8}))  ->  Subtract(Convert(weights), Convert(8))
#include <mo/sdk.hpp>

#include "support/expressions.hpp"

#include <algorithm>

namespace mo::builtin_passes {

class ShareZeroPoints : public ModelPass {
 public:
  ShareZeroPoints() : ModelPass(MO_PHASE_BACK) {
    id = "back.share_zero_points";
    doc = "equal zero points of packed weights are one number";
    before = R"(
      %x = Parameter -> f32[1,2]
      %w = Const -> u8[2,2] {1,2,3,4}
      %f = Convert@opset1 (%w) {destination_type=f32, stop_value_propagation=true}
      %z = Const -> u8[2,1] {8,8}
      %g = Convert@opset1 (%z) {destination_type=f32, stop_value_propagation=true}
      %d = Subtract@opset1 (%f, %g)
      %y = MatMul@opset1 (%x, %d) {transpose_a=false, transpose_b=false}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,2]
      %w = Const -> u8[2,2] {1,2,3,4}
      %f = Convert@opset1 (%w) {destination_type=f32, stop_value_propagation=true}
      %z = Const -> u8[] {8}
      %g = Convert@opset1 (%z) {destination_type=f32, stop_value_propagation=true}
      %d = Subtract@opset1 (%f, %g)
      %y = MatMul@opset1 (%x, %d) {transpose_a=false, transpose_b=false}
      Result (%y))";
    run_after = {"back.simplify_again"};
    force_clean_up = true;
    force_shape_inference = true;
  }
  void run_on_model(Graph g) override {
    for (const Node& n : g.get_op_nodes("Subtract")) share(g, n);
  }

 private:
  static void share(const Graph& g, const Node& n) {
    const auto weights = made_by(n.in_port(0).get_source(), "Convert");
    if (!weights || weights->in_node(0).op() != "Const" || bits(weights->in_port(0).get_source().type()) > 8)
      return;
    // What it is subtracted from gives the shape.
    if (n.out_port().shape() != weights->out_port().shape()) return;
    InPort at = n.in_port(1);
    if (const auto convert = made_by(at.get_source(), "Convert")) {
      if (!only_reader_of(convert->out_port())) return;
      at = convert->in_port(0);
    }
    const OutPort source = at.get_source();
    const auto value = source.node().op() == "Const" ? source.value() : std::nullopt;
    if (!value || value->size() < 2) return;
    const auto numbers = value->to_floats<double>();
    if (std::any_of(numbers.begin(), numbers.end(), [&](double v) { return v != numbers.front(); })) return;
    const Node one = g.create_const(source.node().name() + "/one",
                                    Tensor::filled(g.context(), value->type(), {numbers.front()}, {}));
    copy_runtime_info({source.node()}, {one});
    at.set_source(one.out_port());
  }
};

void register_share_zero_points(Registry& r) { r.transformation<ShareZeroPoints>(); }

}  // namespace mo::builtin_passes
