// Front transformations of the examples: graphs before and after.
#include "tests/examples/seeds.hpp"

namespace mo::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Mish: a pattern.

using SeedMishFusion = Seeds;

TEST_F(SeedMishFusion, OneOperationOfTheSameValue) {
  graph(R"(
    %x = Const -> f32[3] {-2,0,1}
    %s = SoftPlus@opset4 "s" (%x) rt {from="s"}
    %t = Tanh@opset1 (%s)
    %m = Multiply@opset1 "mish" (%x, %t) -> _ names("out")
    Result "r" (%m)
  )");
  const auto before = values();
  EXPECT_EQ(run("seeds.front.mish_fusion").matches, 1U);
  EXPECT_EQ(graph_->op(graph_->find("mish")), "Mish");
  EXPECT_THAT(tensor_names("mish"), ElementsAre("out"));
  EXPECT_EQ(rt_info("mish", "from"), "s");
  // x * tanh(ln(1 + e^x)) at -2, 0 and 1.
  EXPECT_THAT(values(), near({-0.25250148F, 0, 0.86509839F}));
  EXPECT_THAT(before, near({-0.25250148F, 0, 0.86509839F}));
  EXPECT_EQ(run("seeds.front.mish_fusion").edits, 0U);
}

TEST_F(SeedMishFusion, OperandsInEitherOrder) {
  graph(R"(
    %x = Parameter -> f32[3]
    %s = SoftPlus@opset4 (%x)
    %t = Tanh@opset1 (%s)
    %m = Multiply@opset1 (%t, %x)
    Result "r" (%m)
  )");
  run("seeds.front.mish_fusion");
  EXPECT_THAT(now(), HasSubstr("r:Result(m) m:Mish(x)"));
}

TEST_F(SeedMishFusion, AnotherTensorStaysAsItIs) {
  graph(R"(
    %x = Parameter -> f32[3]
    %y = Parameter -> f32[3]
    %s = SoftPlus@opset4 (%x)
    %t = Tanh@opset1 (%s)
    %m = Multiply@opset1 (%y, %t)
    Result "r" (%m)
  )");
  const std::string before = app::to_text(*graph_);
  const auto s = run("seeds.front.mish_fusion");
  EXPECT_EQ(s.matches, 0U);
  EXPECT_EQ(s.declined, 1U);
  EXPECT_EQ(app::to_text(*graph_), before);
}

// Pack: one operation.

using SeedPack = Seeds;

TEST_F(SeedPack, AConcatOfUnsqueezed) {
  graph(R"(
    %a = Const -> f32[2] {1,2}
    %b = Const -> f32[2] {3,4}
    %p = Pack "packed" (%a, %b) {axis=1} -> _ names("out")
    Result "r" (%p)
  )");
  run("seeds.front.pack");
  EXPECT_EQ(graph_->op(graph_->find("packed")), "Concat");
  EXPECT_THAT(tensor_names("packed"), ElementsAre("out"));
  // As numpy.stack([[1, 2], [3, 4]], axis=1) has it.
  EXPECT_THAT(values(), near({1, 3, 2, 4}));
  EXPECT_EQ(shape("packed"), "f32[2,2]");
  EXPECT_EQ(run("seeds.front.pack").edits, 0U);
}

TEST_F(SeedPack, WithoutAnAxisTheFirst) {
  graph("%a = Const -> f32[2] {1,2}\n%p = Pack (%a, %a)\nResult \"r\" (%p)");
  run("seeds.front.pack");
  EXPECT_THAT(values(), near({1, 2, 1, 2}));
  EXPECT_EQ(shape("p"), "f32[2,2]");
}

// SqueezeNormalize: the whole graph.

using SeedSqueezeNormalize = Seeds;

TEST_F(SeedSqueezeNormalize, TheAttributeBecomesAnInput) {
  graph(R"(
    %x = Parameter -> f32[1,3,1,2]
    %s = Squeeze@opset1 "s" (%x) {squeeze_dims=[0,2]}
    Result "r" (%s)
  )");
  run("seeds.front.squeeze_normalize");
  EXPECT_EQ(now(), "x:Parameter() s:Squeeze(x,s/Dims) r:Result(s) s/Dims:Const()");
  EXPECT_EQ(attribute("s", "squeeze_dims"), nullptr);
  infer();
  EXPECT_EQ(shape("s"), "f32[3,2]");
  EXPECT_EQ(run("seeds.front.squeeze_normalize").edits, 0U);
}

TEST_F(SeedSqueezeNormalize, TwoInputsAreNormal) {
  graph(R"(
    %x = Parameter -> f32[1,3]
    %d = Const -> i64[1] {0}
    %s = Squeeze@opset1 (%x, %d)
    Result "r" (%s)
  )");
  EXPECT_EQ(run("seeds.front.squeeze_normalize").edits, 0U);
}

// All of size 1: the operation needs no second input for that.
TEST_F(SeedSqueezeNormalize, NeitherStaysAsItIs) {
  graph("%x = Parameter -> f32[1,3]\n%s = Squeeze@opset1 \"bare\" (%x)\nResult \"r\" (%s)");
  EXPECT_EQ(run("seeds.front.squeeze_normalize").edits, 0U);
}

// SquaredDifference: one operation by several.

using SeedSquaredDifference = Seeds;

TEST_F(SeedSquaredDifference, ThreeOperationsOfTheSameValue) {
  graph(R"(
    %a = Const -> f32[3] {1,2,-4}
    %b = Const -> f32[] {3}
    %d = SquaredDifference@opset1 "d" (%a, %b) -> _ names("out")
    Result "r" (%d)
  )");
  run("seeds.front.squared_difference");
  EXPECT_EQ(now(),
            "a:Const() b:Const() r:Result(d) d/-1:Const() d/negate_:Multiply(b,d/-1) d/add_:Add(a,d/negate_) "
            "d/2:Const() d:Power(d/add_,d/2)");
  EXPECT_THAT(tensor_names("d"), ElementsAre("out"));
  EXPECT_THAT(values(), near({4, 1, 49}));
}

// MVN: a pattern whose operation checks its inputs.

class SeedMvn : public Seeds {
 protected:
  void mvn_graph(std::string_view mean_axes, std::string_view fbn = "epsilon=0.0") {
    graph(text(R"(
      %x = Const -> f32[1,2,1,2] {1,2,3,6}
      %gamma = Const -> f32[2] {1,10}
      %beta = Const -> f32[2] {0,5}
      %axes = Const -> i64[2] )",
               mean_axes, R"(
      %axes2 = Const -> i64[2] {1,2}
      %mean = ReduceMean@opset1 (%x, %axes) {keep_dims=true}
      %stop = StopGradient (%mean)
      %sq = SquaredDifference@opset1 (%x, %stop)
      %var = ReduceMean@opset1 "var" (%sq, %axes2) {keep_dims=true}
      %sm = Squeeze@opset1 (%mean, %axes)
      %sv = Squeeze@opset1 (%var, %axes)
      %fbn = FusedBatchNorm "fbn" (%x, %gamma, %beta, %sm, %sv) {)",
               fbn, R"(} -> _ names("out")
      Result "r" (%fbn)
    )"));
  }
};

TEST_F(SeedMvn, OneNormalization) {
  mvn_graph("{1,2}");
  EXPECT_EQ(run("seeds.front.mvn").matches, 1U);
  EXPECT_EQ(graph_->op(graph_->find("fbn")), "Add");
  EXPECT_THAT(tensor_names("fbn"), ElementsAre("out"));
  infer();
  EXPECT_EQ(shape("fbn"), "f32[1,2,1,2]");
  EXPECT_EQ(run("seeds.middle.mvn_to_opset").matches, 1U);
  core::clean_up(session(), *graph_);
  EXPECT_EQ(graph_->find("mean"), core::no_node);
  // (x - mean) / deviation per channel is -1 and 1; times 1 and 10, plus 0 and 5.
  EXPECT_THAT(values(), near({-1, -5, 1, 15}));
}

TEST_F(SeedMvn, OtherReductionIndicesAreRefusedByItsInference) {
  mvn_graph("{0,1}");
  run("seeds.front.mvn");
  const std::string message = test::failure_of([&] { infer(); });
  EXPECT_THAT(message, HasSubstr("the reduction indices of the mean are not the required ones"));
  EXPECT_THAT(message, HasSubstr("fbn/MVN_"));
}

TEST_F(SeedMvn, ChannelsInFront) {
  mvn_graph("{1,2}", "epsilon=0.0, data_format=\"NCHW\"");
  run("seeds.front.mvn");
  EXPECT_EQ(attribute_as<std::vector<int64_t>>("fbn/MVN_", "required_reduction_indices"),
            (std::vector<int64_t>{2, 3}));
  EXPECT_THAT(now(), HasSubstr("Multiply(fbn/MVN_,fbn/Unsqueeze)"));
}

TEST_F(SeedMvn, AnotherTensorStaysAsItIs) {
  graph(R"(
    %x = Parameter
    %y = Parameter
    %axes = Const -> i64[2] {1,2}
    %mean = ReduceMean@opset1 (%x, %axes)
    %stop = StopGradient (%mean)
    %sq = SquaredDifference (%x, %stop)
    %var = ReduceMean@opset1 "var" (%sq, %axes)
    %sm = Squeeze (%mean, %axes)
    %sv = Squeeze (%var, %axes)
    %fbn = FusedBatchNorm (%y, %x, %x, %sm, %sv) {epsilon=0.1}
    Result "r" (%fbn)
  )");
  const std::string before = app::to_text(*graph_);
  EXPECT_EQ(run("seeds.front.mvn").declined, 1U);
  EXPECT_EQ(app::to_text(*graph_), before);
}

}  // namespace
}  // namespace mo::test
