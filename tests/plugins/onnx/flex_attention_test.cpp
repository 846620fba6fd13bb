// FlexAttention with graphs that change its scores and weights.
#include "operator_fixture.hpp"

namespace mo::test {
namespace {

using testing::HasSubstr;

class OnnxFlexAttention : public OnnxOperators {
 protected:
  // Scores are 2 and -6; what looks at them sees the values around it, and its own constants.
  static void add(ModelBuilder& m, const GraphBuilder& score_mod, const GraphBuilder& prob_mod,
                  bool halves = false) {
    m.opset("ai.onnx.preview", 1);
    m.initializer("limit", floats({}, {-1}));
    std::vector<std::string> inputs{m.constant(floats({1, 1, 1, 1}, {2})),
                                    m.constant(floats({1, 1, 2, 1}, {1, -3})),
                                    m.constant(floats({1, 1, 2, 1}, {10, 20}))};
    if (halves)
      for (std::string& i : inputs) i = m.op("Cast", {i}, {{"to", 10}});
    m.node({.type = "FlexAttention",
            .inputs = inputs,
            .outputs = {"y"},
            .attributes = {{"score_mod", score_mod}, {"prob_mod", prob_mod}},
            .name = "op",
            .domain = "ai.onnx.preview"});
    m.output("y");
  }
  static GraphBuilder clipped() {
    GraphBuilder g("score_mod");
    g.input("scores", OnnxType::float32, {1, 1, 1, 2});
    g.output(g.op("Max", {"scores", "limit"}));
    return g;
  }
  static GraphBuilder halved() {
    GraphBuilder g("prob_mod");
    g.input("weights", OnnxType::float32, {1, 1, 1, 2});
    g.initializer("half", floats({}, {0.5F}));
    g.output(g.op("Mul", {"weights", "half"}));
    return g;
  }
};

TEST_F(OnnxFlexAttention, GraphsChangeScoresAndWeights) {
  const double first = std::exp(2.0), second = std::exp(-1.0);
  const double wanted = 0.5 * (10 * first + 20 * second) / (first + second);
  ModelBuilder m(26);
  add(m, clipped(), halved());
  EXPECT_THAT(computed(m), testing::ElementsAre(testing::DoubleNear(wanted, 1e-5)));
  // They compute in f32 when the inputs are halves.
  ModelBuilder of_halves(26);
  add(of_halves, clipped(), halved(), true);
  const auto g = prepare(of_halves);
  EXPECT_EQ(g->out(output(*g)).tensor.type, ElementType::f16);
  EXPECT_NEAR(values(*g).at(0), wanted, 0.01);
}

TEST_F(OnnxFlexAttention, NodesOfAGraphAreNamedAfterIt) {
  ModelBuilder m(26);
  add(m, clipped(), halved());
  const auto g = prepare(m, core::Stage::load);
  const auto text = app::to_text(*g);
  EXPECT_THAT(text, HasSubstr("op/score_mod/"));
  EXPECT_THAT(text, HasSubstr("\"op/prob_mod/half\""));
}

TEST_F(OnnxFlexAttention, AGraphHasOneInputAndOneOutput) {
  GraphBuilder two("score_mod");
  two.input("scores", OnnxType::float32, {1, 1, 1, 2});
  two.input("other", OnnxType::float32, {1, 1, 1, 2});
  two.output(two.op("Add", {"scores", "other"}));
  ModelBuilder m(26);
  add(m, two, halved());
  EXPECT_THAT(failure_of(m),
              HasSubstr("attribute 'score_mod': the graph has 2 inputs and 1 outputs, expected one of each"));
  GraphBuilder unknown("prob_mod");
  unknown.input("weights", OnnxType::float32, {1, 1, 1, 2});
  unknown.output(unknown.op("Add", {"weights", "nowhere"}));
  ModelBuilder other(26);
  add(other, clipped(), unknown);
  EXPECT_THAT(failure_of(other), HasSubstr("reads value 'nowhere'"));
}

}  // namespace
}  // namespace mo::test
