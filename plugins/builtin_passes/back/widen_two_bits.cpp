// Devices of releases before 2026.4 do not compute with weights of 2 bits:
//   Const u2  ->  Const u4
#include <mo/sdk.hpp>

#include "support/target.hpp"

namespace mo::builtin_passes {

class WidenTwoBits : public FrontReplacementOp {
 public:
  WidenTwoBits() : FrontReplacementOp(MO_PHASE_BACK) {
    id = "back.widen_two_bits";
    doc = "weights of 2 bits become weights of 4 bits";
    before = R"(
      %x = Parameter -> f32[1,2]
      %w = Const -> u2[2,2] hex "e4"
      %f = Convert@opset1 (%w) {destination_type=f32, stop_value_propagation=true}
      %y = MatMul@opset1 (%x, %f) {transpose_a=false, transpose_b=false}
      Result (%y))";
    after = R"(
      %x = Parameter -> f32[1,2]
      %w = Const -> u4[2,2] hex "1032"
      %f = Convert@opset1 (%w) {destination_type=f32, stop_value_propagation=true}
      %y = MatMul@opset1 (%x, %f) {transpose_a=false, transpose_b=false}
      Result (%y))";
    ops = {"Convert"};
    run_before = {"back.share_zero_points"};
    force_clean_up = true;
    force_shape_inference = true;
  }
  void replace_sub_graph(Graph g, Match& m) override {
    const Node n = m["op"], weights = n.in_node(0);
    only_when(weights.is("Const") && weights.out_port().type() == ElementType::u2,
              "it converts no constant of type u2");
    only_when(targets_up_to(g.context(), "2026.3"), "the release computes with 2 bits");
    const Tensor value = *weights.out_port().value();
    const auto numbers = value.to_ints();
    const auto made = Tensor::create_bytes(g.context(), ElementType::u4, value.dims());
    auto* bytes = static_cast<uint8_t*>(made.second);
    for (size_t i = 0; i < numbers.size(); ++i)
      bytes[i / 2] |= static_cast<uint8_t>(static_cast<unsigned>(numbers[i]) << (i % 2 * 4));
    const Node wide = g.create_const(weights.name() + "/u4", made.first);
    copy_runtime_info({weights}, {wide});
    n.in_port(0).set_source(wide.out_port());
  }
};

void register_widen_two_bits(Registry& r) { r.transformation<WidenTwoBits>(); }

}  // namespace mo::builtin_passes
