// The operations of a BasicLSTMCell, as TensorFlow 1 writes them, become LSTMCell.
#include <cmath>

#include "tests/plugins/builtin_passes/passes_lab.hpp"

namespace mo::test {
namespace {

// One unit, one input; two steps of the same kernel. `axis` of the first Concat, a number for the forget
// gate.
std::string two_steps(std::string_view forget = "1") {
  std::string s = text(R"(
    %x = Parameter@opset1 "x" {element_type=f32, shape=shape[1,1]} -> f32[1,1] names("x")
    %h0 = Parameter@opset1 "h0" {element_type=f32, shape=shape[1,1]} -> f32[1,1] names("h0")
    %c0 = Parameter@opset1 "c0" {element_type=f32, shape=shape[1,1]} -> f32[1,1] names("c0")
    %k = Const@opset1 "k" -> f32[2,4] {0.1,0.2,0.3,0.4,-0.5,0.6,-0.7,0.8}
    %b = Const@opset1 "b" -> f32[4] {0.01,0.02,0.03,0.04}
    %axis = Const@opset1 "axis" -> i64[] {1}
    %one = Const@opset1 "one" -> f32[] {)",
                       forget, "}\n");
  for (const char* t : {"0", "1"}) {
    const std::string n = t == std::string_view("0") ? "1" : "2";
    s += text("%v", n, " = Concat@opset1 (%x, %h", t, ") {axis=1}\n");
    s += text("%m", n, " = MatMul@opset1 (%v", n, ", %k) {transpose_a=false, transpose_b=false}\n");
    s += text("%s", n, " = Add@opset1 (%m", n, ", %b)\n");
    s +=
        text("%i", n, ", %j", n, ", %f", n, ", %o", n, " = Split@opset1 (%s", n, ", %axis) {num_splits=4}\n");
    s += text("%g", n, " = Add@opset1 (%f", n, ", %one)\n");
    s += text("%sf", n, " = Sigmoid@opset1 (%g", n, ")\n%si", n, " = Sigmoid@opset1 (%i", n, ")\n");
    s += text("%so", n, " = Sigmoid@opset1 (%o", n, ")\n%tj", n, " = Tanh@opset1 (%j", n, ")\n");
    s += text("%kept", n, " = Multiply@opset1 (%c", t, ", %sf", n, ")\n");
    s += text("%new", n, " = Multiply@opset1 (%si", n, ", %tj", n, ")\n");
    s += text("%c", n, " = Add@opset1 (%kept", n, ", %new", n, ") -> _ names(\"c", n, "\")\n");
    s += text("%tc", n, " = Tanh@opset1 (%c", n, ")\n");
    s += text("%h", n, " = Multiply@opset1 \"h", n, "\" (%tc", n, ", %so", n, ") -> _ names(\"h", n, "\")\n");
  }
  return s + "Result@opset1 \"r\" (%h2)\n";
}

double sigmoid(double v) { return 1 / (1 + std::exp(-v)); }

double output(double x, double h, double c, double forget) {
  for (int step = 0; step < 2; ++step) {
    const double i = 0.1 * x - 0.5 * h + 0.01, j = 0.2 * x + 0.6 * h + 0.02, f = 0.3 * x - 0.7 * h + 0.03,
                 o = 0.4 * x + 0.8 * h + 0.04;
    c = c * sigmoid(f + forget) + sigmoid(i) * std::tanh(j);
    h = std::tanh(c) * sigmoid(o);
  }
  return h;
}

TEST(FuseLstmCell, StepsOfOneKernelBecomeCellsWithTheSameWeights) {
  PassesLab lab;
  const auto g = lab.graph(two_steps("0.25"));
  lab.run(*g, {"tf.middle.fuse_lstm_cell"});
  EXPECT_EQ(g->nodes_of("LSTMCell").size(), 2U);
  EXPECT_EQ(g->op(g->find("h2")), "LSTMCell");
  EXPECT_EQ(g->nodes_of("Const").size(), 3U) << core::to_text(*g);
  EXPECT_EQ(g->nodes_of("Sigmoid").size() + g->nodes_of("MatMul").size(), 0U);
  const auto h = lab.computed(*g, "x->[[2]],h0->[[0.5]],c0->[[-1.5]]");
  ASSERT_EQ(h.size(), 1U);
  EXPECT_NEAR(h[0], output(2, 0.5, -1.5, 0.25), 1e-6);
}

TEST(FuseLstmCell, GatesInAnotherOrderStay) {
  PassesLab lab;
  std::string net = two_steps();
  for (size_t at = 0; (at = net.find("%i1, %j1", at)) != std::string::npos;) net.replace(at, 8, "%j1, %i1");
  for (size_t at = 0; (at = net.find("%i2, %j2", at)) != std::string::npos;) net.replace(at, 8, "%j2, %i2");
  const auto g = lab.graph(net);
  lab.run(*g, {});
  const std::string before = core::to_text(*g);
  lab.run(*g, {"tf.middle.fuse_lstm_cell"});
  EXPECT_EQ(core::to_text(*g), before);
}

TEST(FuseLstmCell, StatesOfUnknownBatchStay) {
  PassesLab lab;
  std::string net = two_steps();
  const std::string fixed = R"(%c0 = Parameter@opset1 "c0" {element_type=f32, shape=shape[1,1]} -> f32[1,1])";
  const size_t at = net.find(fixed);
  ASSERT_NE(at, std::string::npos);
  net.replace(at, fixed.size(),
              R"(%c0 = Parameter@opset1 "c0" {element_type=f32, shape=shape[?,1]} -> f32[?,1])");
  const auto g = lab.graph(net);
  lab.run(*g, {"tf.middle.fuse_lstm_cell"});
  EXPECT_EQ(g->nodes_of("LSTMCell").size(), 0U) << "a state of one row would be used for all";
}

}  // namespace
}  // namespace mo::test
