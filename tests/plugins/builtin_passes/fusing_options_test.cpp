// What options keep apart, and what fusing leaves of names.
#include "tests/plugins/builtin_passes/passes_lab.hpp"

namespace mo::test {
namespace {

using testing::HasSubstr;

constexpr std::string_view block_net = R"(
  %x = Parameter@opset1 "x" {element_type=f32, shape=shape[1,2,1,2]} -> f32[1,2,1,2] names("x")
  %w = Const@opset1 "w" -> f32[2,2,1,1] {1,2,3,4}
  %c = Convolution@opset1 "block1/conv" (%x, %w) {strides=[1,1], dilations=[1,1], pads_begin=[0,0], pads_end=[0,0]} -> _ names("c")
  %f = Const@opset1 "f" -> f32[1,2,1,1] {10,100}
  %m = Multiply@opset1 "block1/scale" (%c, %f) -> _ names("m")
  %g = Const@opset1 "g" -> f32[2] {1,2}
  %b = Const@opset1 "b" -> f32[2] {0,1}
  %n = BatchNormInference@opset5 "block1/norm" (%m, %g, %b, %b, %g) {epsilon=0.0} -> _ names("n")
  Result@opset1 "r" (%n)
)";
const std::vector<std::string> passes = {"middle.split_batch_norm", "middle.fuse_linear"};

std::string ops_after(const std::string& option, const core::Attribute& value) {
  PassesLab lab;
  lab.session.set_option(option, value);
  const auto g = lab.graph(block_net);
  lab.run(*g, passes);
  std::string list;
  for (const char* op : {"Convolution", "Multiply", "Add", "BatchNormInference"})
    list += text(list.empty() ? "" : " ", g->nodes_of(op).size());
  return list;
}

TEST(FusingOptions, KeepOperationsApart) {
  EXPECT_EQ(ops_after("finegrain_fusing", std::string("nothing,like.it")), "1 0 1 0");
  EXPECT_EQ(ops_after("finegrain_fusing", std::string("conv$")), "1 1 1 0");
  EXPECT_EQ(ops_after("finegrain_fusing", std::string("other,.*/scale")), "1 2 1 0");
  EXPECT_EQ(ops_after("finegrain_fusing", std::string("^block1")), "1 2 1 0");
  EXPECT_EQ(ops_after("disable_fusing", true), "1 2 1 0");
}

TEST(FusingOptions, AnExpressionThatIsNoneIsRefused) {
  EXPECT_THAT(PassesLab::failure_of([] { ops_after("finegrain_fusing", std::string("a,b[")); }),
              HasSubstr("--finegrain_fusing: 'b[' is not a regular expression"));
}

TEST(FusingOptions, NamesOfOutputsStayAndThoseOfWhatIsGoneGo) {
  PassesLab lab;
  const auto g = lab.graph(block_net);
  lab.run(*g, passes);
  const core::NodeId norm = g->find("block1/norm");
  ASSERT_NE(norm, core::no_node);
  EXPECT_EQ(g->op(norm), "Add");
  const std::string written = app::to_text(*g);
  EXPECT_THAT(written, HasSubstr("names(\"n\")"));
  EXPECT_THAT(written, testing::Not(HasSubstr("names(\"c\")")));
  EXPECT_THAT(written, testing::Not(HasSubstr("names(\"m\")")));
}

TEST(FusingOptions, NormalisationOfUnknownRankStays) {
  PassesLab lab;
  const auto g = lab.graph(R"(
    %x = Parameter@opset1 "x" {element_type=f32, shape=shape[...]} -> f32[...] names("x")
    %g = Const@opset1 "g" -> f32[2] {1,2}
    %n = BatchNormInference@opset5 "n" (%x, %g, %g, %g, %g) {epsilon=0.0} -> _ names("n")
    Result@opset1 "r" (%n)
  )");
  const std::string before = app::to_text(*g);
  lab.run(*g, passes);
  EXPECT_EQ(app::to_text(*g), before);
}

TEST(FusingOptions, QuantizedWeightsStayAsTheyAreWhenAsked) {
  constexpr std::string_view quantized = R"(
    %x = Parameter@opset1 "x" {element_type=f32, shape=shape[1,2]} -> f32[1,2] names("x")
    %w = Const@opset1 "w" -> f32[2] {-1,0.5}
    %a = Const@opset1 "a" -> f32[] {-1}
    %b = Const@opset1 "b" -> f32[] {1}
    %q = FakeQuantize@opset1 "q" (%w, %a, %b, %a, %b) {levels=255, stop_value_propagation=true}
    %y = Multiply@opset1 "y" (%x, %q) -> _ names("y")
    Result@opset1 "r" (%y)
  )";
  for (const bool wanted : {true, false}) {
    PassesLab lab;
    lab.session.set_option("disable_weights_compression", !wanted);
    const auto g = lab.graph(quantized);
    lab.run(*g, {"back.compress_quantized_weights"});
    EXPECT_EQ(g->nodes_of("FakeQuantize").empty(), wanted);
    EXPECT_EQ(g->op(g->find("q")), wanted ? "Multiply" : "FakeQuantize");
  }
}

}  // namespace
}  // namespace mo::test
