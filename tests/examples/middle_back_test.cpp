// Middle and back transformations of the examples: graphs before and after.
#include "tests/examples/seeds.hpp"

namespace mo::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// L2Norm: a pattern with data nodes.

class SeedL2Norm : public Seeds {
 protected:
  void norm_graph(std::string_view x, std::string_view half, std::string_view eps) {
    graph(text("%x = ", x, R"(
      %two = Const -> f32[] {2}
      %axes = Const -> i64[1] {1}
      %eps = Const -> f32)",
               eps, R"(
      %half = Const -> f32[] {)",
               half, R"(}
      %sq = Power@opset1 (%x, %two)
      %sum = ReduceSum@opset1 (%sq, %axes) {keep_dims=true}
      %max = Maximum@opset1 (%sum, %eps)
      %rsqrt = Power@opset1 (%max, %half)
      %y = Multiply@opset1 "norm" (%x, %rsqrt) -> _ names("out")
      Result "r" (%y)
    )"));
  }
};

TEST_F(SeedL2Norm, OneOperation) {
  norm_graph("Parameter -> f32[2,2]", "-0.5", "[] {0.25}");
  EXPECT_EQ(run("seeds.middle.l2_norm").matches, 1U);
  EXPECT_EQ(now(), "x:Parameter() axes:Const() r:Result(norm) norm:NormalizeL2(x,axes)");
  EXPECT_THAT(tensor_names("norm"), ElementsAre("out"));
  EXPECT_EQ(attribute_as<std::string>("norm", "eps_mode"), "max");
  EXPECT_EQ(attribute_as<double>("norm", "eps"), 0.25);
  EXPECT_EQ(run("seeds.middle.l2_norm").edits, 0U);
}

TEST_F(SeedL2Norm, TheSameValue) {
  norm_graph("Const -> f32[2,2] {3,4,0,0.1}", "-0.5", "[] {0.25}");
  // 3/5, 4/5; then the sum, 0.01, is less than epsilon: 0.1/sqrt(0.25).
  EXPECT_THAT(values(), near({0.6F, 0.8F, 0, 0.2F}));
  EXPECT_EQ(run("seeds.middle.l2_norm").matches, 1U);
  EXPECT_THAT(values(), near({0.6F, 0.8F, 0, 0.2F}));
}

TEST_F(SeedL2Norm, AnotherPowerIsNoNorm) {
  norm_graph("Parameter -> f32[2,2]", "-1", "[] {0.25}");
  const std::string before = now();
  const auto s = run("seeds.middle.l2_norm");
  EXPECT_EQ(s.matches + s.declined, 0U);
  EXPECT_EQ(now(), before);
}

TEST_F(SeedL2Norm, OneEpsilonForAll) {
  norm_graph("Parameter -> f32[2,2]", "-0.5", "[2,1] {0.25,0.5}");
  const std::string before = now();
  const auto s = run("seeds.middle.l2_norm");
  ASSERT_EQ(s.declined, 1U);
  EXPECT_EQ(s.declines.front().why, "the epsilon is not one number");
  EXPECT_EQ(now(), before);
}

// CheckForCycle: the whole graph.

using SeedCheckForCycle = Seeds;

TEST_F(SeedCheckForCycle, NamesTheNodesOfTheCycle) {
  graph(R"(
    %x = Parameter
    %a = Add@opset1 "first" (%x, %c)
    %b = ReLU@opset1 "second" (%a)
    %c = ReLU@opset1 "third" (%b)
    Result "r" (%b)
  )");
  const std::string message = test::failure_of([&] { run("seeds.middle.check_for_cycle"); });
  for (const char* name : {"cycle", "first", "second", "third", "seeds.middle.check_for_cycle"})
    EXPECT_THAT(message, HasSubstr(name));
}

TEST_F(SeedCheckForCycle, NoCycleNoEdit) {
  graph("%x = Parameter\n%a = ReLU@opset1 (%x)\nResult \"r\" (%a)");
  EXPECT_EQ(run("seeds.middle.check_for_cycle").edits, 0U);
}

// ReLU reorder: a pattern of the back phase.

class SeedReluReorder : public Seeds {
 protected:
  void shuffle_graph(std::string_view pads) {
    graph(text(R"(
      %x = Parameter -> f32[1,4,2,2]
      %s1 = Const -> i64[5] {1,2,2,2,2}
      %order = Const -> i64[5] {0,2,1,3,4}
      %s2 = Const -> i64[4] {1,4,2,2}
      %w = Const -> f32[1,4,1,1] {1,2,3,4}
      %relu = ReLU@opset1 (%x)
      %r1 = Reshape@opset1 (%relu, %s1) {special_zero=false}
      %t = Transpose@opset1 (%r1, %order)
      %r2 = Reshape@opset1 (%t, %s2) {special_zero=false}
      %conv = Convolution@opset1 "conv" (%r2, %w) {strides=[1,1], dilations=[1,1], pads_begin=)",
               pads, R"(, pads_end=[0,0]}
      Result "r" (%conv)
    )"));
  }
};

TEST_F(SeedReluReorder, BehindTheShuffle) {
  shuffle_graph("[1,1]");
  infer();
  const std::string before = shape("conv");
  EXPECT_EQ(run("seeds.back.relu_reorder").matches, 1U);
  EXPECT_THAT(now(), HasSubstr("relu:ReLU(r2) r1:Reshape(x,s1) t:Transpose(r1,order) r2:Reshape(t,s2) "
                               "conv:Convolution(relu,w)"));
  infer();
  EXPECT_EQ(shape("conv"), before);
  EXPECT_EQ(before, "f32[1,1,3,3]");
  EXPECT_EQ(run("seeds.back.relu_reorder").edits, 0U);
}

TEST_F(SeedReluReorder, WithoutPadsNothingMoves) {
  shuffle_graph("[0,0]");
  EXPECT_EQ(run("seeds.back.relu_reorder").declined, 1U);
  EXPECT_THAT(now(), HasSubstr("r1:Reshape(relu,s1)"));
}

TEST_F(SeedReluReorder, ReluThatIsReadElsewhereStays) {
  shuffle_graph("[1,1]");
  core::Graph& g = *graph_;
  const core::NodeId other = g.add_node("Result", "opset1", "r_other", 1, 0);
  g.connect({g.find("relu"), 0}, {other, 0});
  EXPECT_EQ(run("seeds.back.relu_reorder").matches, 0U);
  EXPECT_THAT(now(), HasSubstr("r1:Reshape(relu,s1)"));
}

// GatherTree: the whole graph in the back phase.

using SeedGatherTree = Seeds;

TEST_F(SeedGatherTree, TheEndTokenBecomesAScalar) {
  graph(R"(
    %ids = Parameter -> i32[3,1,2]
    %parents = Parameter -> i32[3,1,2]
    %lengths = Parameter -> i32[1]
    %end = Const -> i32[1] {7}
    %g = GatherTree@opset1 "tree" (%ids, %parents, %lengths, %end)
    %h = GatherTree@opset1 "second" (%ids, %parents, %lengths, %end)
    Result "r" (%g)
    Result "r2" (%h)
  )");
  infer();
  run("seeds.back.gather_tree_normalizer");
  EXPECT_THAT(now(), HasSubstr("tree:GatherTree(ids,parents,lengths,tree/Squeeze)"));
  EXPECT_THAT(now(), HasSubstr("second:GatherTree(ids,parents,lengths,second/Squeeze)"));
  infer();
  EXPECT_EQ(shape("tree/Squeeze"), "i32[]");
  EXPECT_EQ(shape("tree"), "i32[3,1,2]");
  EXPECT_EQ(run("seeds.back.gather_tree_normalizer").edits, 0U);
}

TEST_F(SeedGatherTree, AScalarStays) {
  graph(R"(
    %ids = Parameter -> i32[3,1,2]
    %lengths = Parameter -> i32[1]
    %end = Const -> i32[] {7}
    %g = GatherTree@opset1 "tree" (%ids, %ids, %lengths, %end)
    Result "r" (%g)
  )");
  EXPECT_EQ(run("seeds.back.gather_tree_normalizer").edits, 0U);
}

}  // namespace
}  // namespace mo::test
