// The newer family of transformations: graphs before and after.
#include "tests/examples/seeds.hpp"

namespace mo::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Replacement.

class SeedNegative : public Seeds, public ::testing::WithParamInterface<const char*> {};

TEST_P(SeedNegative, BecomesMultiply) {
  graph(R"(
    %x = Const -> f32[2] {1.5,-2}
    %n = Negative@opset1 "neg" (%x) rt {from="user"} -> _ names("out")
    %y = ReLU@opset1 (%n)
    Result "r" (%y)
    Result "r2" (%n)
  )");
  EXPECT_EQ(run(GetParam()).matches, 1U);
  EXPECT_THAT(now(), HasSubstr("y:ReLU(neg) r:Result(y) r2:Result(neg)"));
  EXPECT_EQ(graph_->op(graph_->find("neg")), "Multiply");
  EXPECT_THAT(tensor_names("neg"), ElementsAre("out"));
  EXPECT_EQ(rt_info("neg", "from"), "user");
  EXPECT_THAT(values(), near({0, 2}));
}
INSTANTIATE_TEST_SUITE_P(BothWays, SeedNegative,
                         ::testing::Values("seeds.negative_to_multiply",
                                           "seeds.negative_to_multiply_by_hand"));

// Insertion.

class SeedInsertion : public Seeds {
 protected:
  void conv_graph() {
    graph(R"(
      %x = Parameter -> f32[1,1,2,2]
      %w = Const -> f32[1,1,1,1] {1}
      %c = Convolution@opset1 "conv" (%x, %w) {strides=[1,1], dilations=[1,1], pads_begin=[0,0], pads_end=[0,0]} rt {from="user"} -> _ names("out")
      %s = Sigmoid@opset1 (%c)
      Result "r" (%c)
      Result "r2" (%s)
    )");
  }
};

TEST_F(SeedInsertion, BehindEveryConsumer) {
  conv_graph();
  EXPECT_EQ(run("seeds.insert_relu").matches, 1U);
  EXPECT_EQ(
      now(),
      "x:Parameter() w:Const() conv:Convolution(x,w) s:Sigmoid(conv/relu) r:Result(conv/relu) r2:Result(s) "
      "conv/relu:ReLU(conv)");
}

TEST_F(SeedInsertion, ByACopyThatLeavesItsNames) {
  conv_graph();
  EXPECT_EQ(run("seeds.insert_relu_with_copy").matches, 1U);
  EXPECT_EQ(now(),
            "x:Parameter() w:Const() s:Sigmoid(conv) r:Result(conv) r2:Result(s) conv/conv:Convolution(x,w) "
            "conv:ReLU(conv/conv)");
  EXPECT_THAT(tensor_names("conv"), ElementsAre("out"));
  EXPECT_EQ(attribute_as<std::vector<int64_t>>("conv/conv", "strides"), (std::vector<int64_t>{1, 1}));
  EXPECT_EQ(rt_info("conv/conv", "from"), "user");
}

// Elimination.

using SeedElimination = Seeds;

TEST_F(SeedElimination, BetweenTwoNodes) {
  graph(R"(
    %x = Parameter -> f32[2] names("in")
    %zero = Const -> f32[] {0}
    %a = Add@opset1 "add" (%zero, %x) -> f32[2] names("sum")
    %y = ReLU@opset1 (%a)
    Result "r" (%y)
  )");
  EXPECT_EQ(run("seeds.eliminate_add_zero").matches, 1U);
  EXPECT_THAT(now(), HasSubstr("y:ReLU(x)"));
  EXPECT_THAT(tensor_names("x"), ElementsAre("in", "sum"));
  EXPECT_EQ(graph_->op(graph_->find("x")), "Parameter");
}

TEST_F(SeedElimination, TheNameOfAnOutputMoves) {
  graph(R"(
    %x = Parameter -> f32[2]
    %zero = Const -> f32[] {0}
    %y = ReLU@opset1 "relu" (%x) rt {one="a"} -> f32[2]
    %a = Add@opset1 "add" (%y, %zero) rt {two="b"} -> f32[2]
    Result "r" (%a)
  )");
  EXPECT_EQ(run("seeds.eliminate_add_zero").matches, 1U);
  EXPECT_THAT(now(), HasSubstr("add:ReLU(x)"));
  EXPECT_THAT(now(), HasSubstr("r:Result(add)"));
  EXPECT_EQ(rt_info("add", "one"), "a");
  EXPECT_EQ(rt_info("add", "two"), "b");
}

TEST_F(SeedElimination, NamesThatCannotMove) {
  // To a model input; and to a node whose name is asked for, too.
  for (const char* text : {R"(
    %x = Parameter -> f32[2]
    %zero = Const -> f32[] {0}
    %a = Add@opset1 "add" (%x, %zero) -> f32[2]
    Result "r" (%a)
  )",
                           R"(
    %x = Parameter -> f32[2]
    %zero = Const -> f32[] {0}
    %y = ReLU@opset1 "relu" (%x) -> f32[2]
    %a = Add@opset1 "add" (%y, %zero) -> f32[2]
    Result "r" (%a)
    Result "r2" (%y)
  )"}) {
    graph(text);
    const std::string before = app::to_text(*graph_);
    const auto s = run("seeds.eliminate_add_zero");
    EXPECT_EQ(s.matches, 0U);
    EXPECT_EQ(s.declined, 1U);
    EXPECT_THAT(s.declines.front().why, HasSubstr("the name of the output would be lost"));
    EXPECT_EQ(app::to_text(*graph_), before);
  }
}

TEST_F(SeedElimination, ABroadcastStays) {
  graph(R"(
    %x = Parameter -> f32[]
    %zero = Const -> f32[1] {0}
    %a = Add@opset1 "add" (%x, %zero) -> f32[1]
    %y = ReLU@opset1 (%a)
    Result "r" (%y)
  )");
  EXPECT_EQ(run("seeds.eliminate_add_zero").declined, 1U);
  EXPECT_THAT(now(), HasSubstr("y:ReLU(add)"));
}

// Decomposition and runtime info.

using SeedDivide = Seeds;

TEST_F(SeedDivide, BecomesPowerAndMultiplyWithItsRuntimeInfo) {
  graph(R"(
    %a = Const -> f32[2] {1,9}
    %b = Const -> f32[2] {4,-3}
    %d = Divide@opset1 "div" (%a, %b) rt {from="user"} -> f32[2] names("out")
    Result "r" (%d)
  )");
  EXPECT_EQ(run("seeds.div_to_power_multiply").matches, 1U);
  EXPECT_EQ(
      now(),
      "a:Const() b:Const() r:Result(div) div/-1:Const() div/pow:Power(b,div/-1) div:Multiply(a,div/pow)");
  EXPECT_EQ(rt_info("div", "from"), "user");
  EXPECT_EQ(rt_info("div/pow", "from"), "user");
  EXPECT_THAT(tensor_names("div"), ElementsAre("out"));
  EXPECT_THAT(values(), near({0.25F, -3}));
}

TEST_F(SeedDivide, OfIntegersStays) {
  graph(R"(
    %a = Parameter -> i32[2]
    %d = Divide@opset1 "div" (%a, %a) -> i32[2]
    Result "r" (%d)
  )");
  EXPECT_EQ(run("seeds.div_to_power_multiply").edits, 0U);
}

// A chain by one matcher.

using SeedReluChain = Seeds;

TEST_F(SeedReluChain, OneMatcherFusesAChain) {
  std::string chain = "%x = Parameter -> f32[2]\n%0 = ReLU@opset1 \"r0\" (%x) rt {k0=\"v\"}\n";
  for (int i = 1; i < 50; ++i)
    append_text(chain, text("%", i, " = ReLU@opset1 \"r", i, "\" (%", i - 1, ") rt {k", i, "=\"v\"}\n"));
  graph(chain + "Result \"r\" (%49)");
  EXPECT_EQ(run("seeds.relu_relu_fusion").matches, 49U);
  EXPECT_EQ(now(), "x:Parameter() r:Result(r49) r49:ReLU(x)");
  EXPECT_EQ(rt_info("r49", "k0"), "v");
  EXPECT_EQ(rt_info("r49", "k49"), "v");
  EXPECT_EQ(run("seeds.relu_relu_fusion").edits, 0U);
}

TEST_F(SeedReluChain, WhatIsReadElsewhereStays) {
  graph(R"(
    %x = Parameter -> f32[2]
    %a = ReLU@opset1 (%x)
    %b = ReLU@opset1 (%a)
    %c = ReLU@opset1 (%b)
    Result "r" (%c)
    Result "r2" (%b)
  )");
  run("seeds.relu_relu_fusion");
  EXPECT_THAT(now(), HasSubstr("b:ReLU(x)"));
  EXPECT_THAT(now(), HasSubstr("c:ReLU(b)"));
}

// Folding.

// By hand one run is enough. What a clean-up folds can be matched in the next run only.
class SeedFolding : public Seeds, public ::testing::WithParamInterface<std::pair<const char*, size_t>> {};

TEST_P(SeedFolding, LeavesOneConstant) {
  const auto [id, runs] = GetParam();
  graph(R"(
    %x = Parameter -> f32[2]
    %a = Const -> f32[2] {2,3}
    %b = Const -> f32[] {5}
    %c = Const -> f32[] {10}
    %m = Multiply@opset1 "m" (%a, %x)
    %n = Multiply@opset1 "n" (%m, %b)
    %o = Multiply@opset1 "o" (%c, %n) -> _ names("out")
    Result "r" (%o)
  )");
  size_t matches = 0;
  for (size_t i = 0; i < runs; ++i) matches += run(id).matches;
  EXPECT_EQ(matches, 2U);
  core::clean_up(session(), *graph_);
  EXPECT_EQ(graph_->size(), 4U) << now();
  EXPECT_THAT(now(), HasSubstr("o:Multiply(x,"));
  EXPECT_THAT(tensor_names("o"), ElementsAre("out"));
  const core::TensorRef value = graph_->out(graph_->node(node("o")).inputs[1].source).tensor.value;
  ASSERT_TRUE(value);
  EXPECT_EQ(std::memcmp(value->data(), std::vector<float>{100, 150}.data(), 8), 0);
}
INSTANTIATE_TEST_SUITE_P(BothWays, SeedFolding,
                         ::testing::Values(std::pair("seeds.multiply_fusion", size_t{1}),
                                           std::pair("seeds.multiply_fusion_by_clean_up", size_t{2})));

// By hand the constants are folded before any clean-up.
using SeedFoldingByHand = Seeds;
TEST_F(SeedFoldingByHand, NothingIsLeftToDo) {
  graph(R"(
    %x = Parameter -> f32[2]
    %a = Const -> f32[] {2}
    %b = Const -> f32[] {5}
    %m = Multiply@opset1 "m" (%a, %x)
    %n = Multiply@opset1 "n" (%m, %b)
    Result "r" (%n)
  )");
  run("seeds.multiply_fusion");
  EXPECT_THAT(now(), HasSubstr("n/constants/folded:Const()"));
  EXPECT_THAT(now(), HasSubstr("n:Multiply(x,n/constants/folded)"));
}

// Several matchers, a manager, and matching by hand.

using SeedPasses = Seeds;

constexpr std::string_view mixed = R"(
  %x = Parameter -> f32[2]
  %d = Divide@opset1 "d" (%x, %x) -> f32[2]
  %a = ReLU@opset1 "a" (%d)
  %b = ReLU@opset1 "b" (%a)
  Result "r" (%b)
  Result "r2" (%d)
)";

TEST_F(SeedPasses, MatchersOfARewriteHaveOneGroup) {
  EXPECT_EQ(lab_["seeds.mark_relu"].group, "seeds.mark_all");
  EXPECT_EQ(lab_["seeds.mark_divide"].group, "seeds.mark_all");
  EXPECT_FALSE(lab_["seeds.mark_relu"].enabled) << "what is said of the whole is said of each";
  EXPECT_EQ(session().registry().transformation("seeds.mark_all"), nullptr);
}

TEST_F(SeedPasses, AManagerRunsOthersInItsOrder) {
  graph(mixed);
  run("seeds.decompose_and_mark");
  EXPECT_EQ(graph_->op(graph_->find("d")), "Multiply");
  EXPECT_EQ(rt_info("a", "seen"), "relu");
  EXPECT_EQ(rt_info("b", "seen"), "relu");
  EXPECT_EQ(rt_info("d", "seen"), "") << "Divide was gone when its turn came";
}

TEST_F(SeedPasses, AMatcherOnSingleNodes) {
  graph(mixed);
  run("seeds.mark_outputs");
  EXPECT_EQ(rt_info("b", "seen"), "output");
  EXPECT_EQ(rt_info("a", "seen"), "");
  EXPECT_EQ(rt_info("d", "seen"), "");
}

TEST_F(SeedPasses, PatternsByHand) {
  graph(R"(
    %x = Parameter -> f32[2]
    %c = Const -> f32[] {2}
    %m = Multiply@opset1 (%c, %x)
    %a = Add@opset1 (%m, %x)
    %cat = Concat@opset1 (%a, %m, %x) {axis=0}
    %s = SoftMax@opset8 (%cat) {axis=-1}
    %t = SoftMax@opset8 (%s) {axis=0}
    %l = LogSoftmax@opset5 (%t) {axis=-1}
    %k = LogSoftmax@opset5 (%l)
    Result "r" (%k)
  )");
  run("seeds.describe_nodes");
  EXPECT_EQ(rt_info("m", "fits"), "scaled x");
  EXPECT_EQ(rt_info("a", "fits"), "");
  EXPECT_EQ(rt_info("cat", "fits"), "concat of 3");
  EXPECT_EQ(rt_info("s", "fits"), "last axis");
  EXPECT_EQ(rt_info("t", "fits"), "");
  EXPECT_EQ(rt_info("l", "fits"), "last axis");
  EXPECT_EQ(rt_info("k", "fits"), "") << "by default the axis is 1";
}

}  // namespace
}  // namespace mo::test
