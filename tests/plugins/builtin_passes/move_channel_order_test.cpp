#include "tests/plugins/builtin_passes/passes_lab.hpp"

namespace mo::test {
namespace {

const std::string convolution =
    "{strides=[1,1], pads_begin=[0,0], pads_end=[0,0], dilations=[1,1], auto_pad=\"explicit\"}";

// The channels reversed, then `body` from %g on.
std::string reversed_net(const std::string& body) {
  return R"(
    %x = Parameter@opset1 "x" {element_type=f32, shape=shape[1,3,1,1]} -> f32[1,3,1,1] names("x")
    %order = Const@opset1 "order" -> i64[3] {2,1,0}
    %axis = Const@opset1 "axis" -> i64[] {1}
    %w = Const@opset1 "w" -> f32[2,3,1,1] {1,10,100,1,0,0}
    %c = Const@opset1 "c" -> f32[1,3,1,1] {1,2,3}
    %k = Const@opset1 "k" -> f32[1] {2}
    %flat = Const@opset1 "flat" -> i64[2] {1,3}
    %g = Gather@opset1 "g" (%x, %order, %axis)
  )" + body;
}

std::vector<double> numbers(const PassesLab& lab, const core::Graph& g, core::PortRef port) {
  std::vector<double> list;
  const core::TensorRef value = g.out(port).tensor.value;
  if (!value) return list;
  const Tensor t = Tensor::borrow(lab.session.host(), value.get());
  for (size_t i = 0; i < t.size(); ++i) list.push_back(t.number(i));
  return list;
}

// What convolutions of one pixel give, and all outputs that are known, for one input.
std::vector<double> computed(PassesLab& lab, core::Graph& g) {
  core::cut_inputs(g, app::parse_inputs("x->[5 7 11]"), false);
  core::infer_all(lab.session, g);
  std::vector<double> all;
  for (const core::NodeId n : g.nodes_of("Convolution")) {
    const auto pixel = numbers(lab, g, g.source({n, 0})), weights = numbers(lab, g, g.source({n, 1}));
    EXPECT_EQ(pixel.size(), 3U);
    for (size_t o = 0; o < 2; ++o) {
      double sum = 0;
      for (size_t i = 0; i < 3; ++i) sum += pixel.at(i) * weights.at(o * 3 + i);
      all.push_back(sum);
    }
  }
  for (const core::NodeId n : g.results())
    for (const double v : numbers(lab, g, g.source({n, 0}))) all.push_back(v);
  EXPECT_FALSE(all.empty());
  return all;
}

struct BodyRow {
  std::string body;
  bool moves;
};

TEST(MoveChannelOrder, NumbersStayAndTheGatherGoes) {
  const BodyRow rows[] = {
      {"%y = Convolution@opset1 \"y\" (%g, %w) " + convolution + "\nResult@opset1 (%y)", true},
      {"%a = Add@opset1 \"a\" (%g, %c)\n%m = Multiply@opset1 \"m\" (%k, %a)\n"
       "%y = Convolution@opset1 \"y\" (%m, %w) " +
           convolution + "\nResult@opset1 (%y)",
       true},
      {"%a = Subtract@opset1 \"a\" (%c, %g)\n%y = Convolution@opset1 \"y\" (%a, %w) " + convolution +
           "\n%z = Convolution@opset1 \"z\" (%g, %w) " + convolution +
           "\n%s = Divide@opset1 \"s\" (%y, %z)\nResult@opset1 (%s)",
       true},
      // Somebody sees the channels, or something is not understood.
      {"%y = Convolution@opset1 \"y\" (%g, %w) " + convolution +
           "\n%r = Reshape@opset1 \"r\" (%g, %flat) {special_zero=false}\nResult@opset1 (%y)\nResult@opset1 "
           "(%r)",
       false},
      {"%y = ReLU@opset1 \"y\" (%g)\nResult@opset1 (%y)", false},
      {"%y = Add@opset1 \"y\" (%g, %x)\nResult@opset1 (%y)", false},
      {"Result@opset1 (%g)", false},
  };
  for (const BodyRow& r : rows) {
    const auto result = [&](bool move) {
      PassesLab lab;
      const auto g = lab.graph(reversed_net(r.body));
      if (move) lab.run(*g, {"middle.move_channel_order_to_weights"});
      EXPECT_EQ(g->nodes_of("Gather").empty(), move && r.moves) << r.body;
      const std::string once = app::to_text(*g);
      if (move) lab.run(*g, {"middle.move_channel_order_to_weights"});
      EXPECT_EQ(app::to_text(*g), once);
      return computed(lab, *g);
    };
    EXPECT_EQ(result(true), result(false)) << r.body;
  }
}

}  // namespace
}  // namespace mo::test
