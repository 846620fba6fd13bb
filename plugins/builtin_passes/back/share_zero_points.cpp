// Zero points of packed weights that are the same everywhere are one number, which is what runtimes have fast
// kernels for:
//   Subtract(Convert(weights), Convert({8,8,8}))  ->  Subtract(Convert(weights), Convert(8))
#include <mo/sdk.hpp>

#include <cstring>

#include "support/expressions.hpp"

namespace mo::builtin_passes {

class ShareZeroPoints : public MatcherPass {
 public:
  ShareZeroPoints() : MatcherPass(MO_PHASE_BACK) {
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
    const Pattern weights = wrap_type({"Convert"}, {constant()}, are_packed);
    register_matcher(wrap_type({"Subtract"}, {weights, optional({"Convert"}, constant())}),
                     [weights](const Graph& g, const Match& m) { share(g, m.root(), m.port(weights)); });
  }

 private:
  static bool are_packed(const OutPort& p) { return bits(p.node().in_port(0).get_source().type()) <= 8; }

  static Tensor first_of(Context, const Tensor&);
  static void share(const Graph& g, const Node& n, const OutPort& weights) {
    // What it is subtracted from gives the shape.
    only_when(n.out_port().shape() == weights.shape(), "zero points of shape ",
              n.in_port(1).get_source().shape(), " spread the weights, which are ", weights.shape());
    InPort at = n.in_port(1);
    if (const auto convert = made_by(at.get_source(), "Convert")) {
      only_when(only_reader_of(convert->out_port()).has_value(), "'", convert->name(),
                "' is read elsewhere, too");
      at = convert->in_port(0);
    }
    const OutPort source = at.get_source();
    const auto value = source.value();
    if (!value || value->size() < 2) return;
    const int width = bits(value->type());
    only_when(width == 2 || width == 4 || width >= 8, "zero points of ", name(value->type()),
              " do not lie in whole bytes, or parts of one");
    const auto numbers = value->to_floats<double>();
    for (size_t i = 1; i < numbers.size(); ++i)
      only_when(numbers[i] == numbers.front(), "zero point 0 is ", numbers.front(), ", number ", i, " is ",
                numbers[i]);
    const Node one = g.create_const(source.node().name() + "/one", first_of(g.context(), *value));
    copy_runtime_info({source.node()}, {one});
    at.set_source(one.out_port());
  }
};

// The first element by itself.
Tensor ShareZeroPoints::first_of(Context c, const Tensor& t) {
  const auto made = Tensor::create_bytes(c, t.type(), {});
  std::memcpy(made.second, t.data(), made.first.bytes());
  if (const int width = bits(t.type()); width < 8)
    *static_cast<uint8_t*>(made.second) &= static_cast<uint8_t>((1 << width) - 1);
  return made.first;
}

void register_share_zero_points(Registry& r) { r.transformation<ShareZeroPoints>(); }

}  // namespace mo::builtin_passes
