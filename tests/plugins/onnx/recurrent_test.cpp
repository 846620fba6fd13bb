// LSTM, GRU and RNN with weights for which a network can be computed in the head: the gates are Relu.
#include "onnx_fixture.hpp"

namespace mo::test {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;

namespace {
using Strings = std::vector<std::string>;

OnnxTensor left_out() { return {}; }
}  // namespace

class OnnxRecurrent : public Onnx {
 protected:
  static std::unique_ptr<ModelBuilder> model(std::string_view type, const std::vector<OnnxTensor>& inputs,
                                             std::vector<OnnxAttribute> attributes, const Strings& outputs,
                                             int64_t version = 14) {
    auto model = std::make_unique<ModelBuilder>(version);
    ModelBuilder& m = *model;
    OnnxNode n{.type = std::string(type), .attributes = std::move(attributes), .name = "op"};
    for (const OnnxTensor& t : inputs) n.inputs.push_back(t.type == OnnxType::undefined ? "" : m.constant(t));
    n.outputs = outputs;
    m.node(n);
    for (const std::string& o : outputs)
      if (!o.empty()) m.output(o);
    return model;
  }
  static OnnxTensor lengths(int32_t length) { return OnnxTensor::of<int32_t>({1}, {length}); }

  OnnxTensor one_ = floats({1, 1, 1}, {1}), two_steps_ = floats({2, 1, 1}, {1, 2});
  OnnxTensor both_ = floats({2, 1, 1}, {1, 1});
};

TEST_F(OnnxRecurrent, ARnnGoesBothWays) {
  const std::vector<OnnxAttribute> ways{{"direction", "bidirectional"},
                                        {"activations", Strings{"Relu", "Relu"}}};
  const auto m = model("RNN", {two_steps_, both_, both_}, ways, {"y", "h"}, 7);
  EXPECT_THAT(computed(*m, 0), ElementsAre(1, 3, 3, 2));  // [time, direction, batch, hidden]
  EXPECT_THAT(computed(*m, 1), ElementsAre(3, 3));
  EXPECT_EQ(shape(*prepare(*m)), (Shape{2, 2, 1, 1}));
  const auto shorter = model("RNN", {two_steps_, both_, both_, left_out(), lengths(1)}, ways, {"y", "h"});
  EXPECT_THAT(computed(*shorter, 0), ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(computed(*shorter, 1), ElementsAre(1, 1));
}

TEST_F(OnnxRecurrent, TheBatchMayComeFirst) {
  const auto m =
      model("RNN", {floats({1, 2, 1}, {1, 2}), both_, both_},
            {{"direction", "bidirectional"}, {"activations", Strings{"Relu"}}, {"layout", 1}}, {"y", "h"});
  const auto g = prepare(*m);
  EXPECT_EQ(shape(*g, 0), (Shape{1, 2, 2, 1}));
  EXPECT_EQ(shape(*g, 1), (Shape{1, 2, 1}));
  EXPECT_THAT(values(*g, 0), ElementsAre(1, 3, 3, 2));
}

TEST_F(OnnxRecurrent, GatesOfAnLstmAreReordered) {
  const OnnxTensor w = floats({1, 4, 1}, {1, 2, 3, 4}), r = floats({1, 4, 1}, {0, 0, 0, 0});
  const OnnxTensor x = floats({2, 1, 1}, {1, 1});
  const std::vector<OnnxAttribute> relu{{"activations", Strings{"Relu", "Relu", "Relu"}}};
  const auto m = model("LSTM", {x, w, r}, relu, {"y", "h", "c"});
  EXPECT_THAT(computed(*m, 0), ElementsAre(8, 32));
  EXPECT_THAT(computed(*m, 1), ElementsAre(32));
  EXPECT_THAT(computed(*m, 2), ElementsAre(16));
  const auto only_c = model("LSTM", {x, w, r}, relu, {"", "", "c"}, 1);
  EXPECT_THAT(computed(*only_c, 0), ElementsAre(16));
  // Biases of W and R, and states to start with.
  const auto biased = model("LSTM",
                            {floats({1, 1, 1}, {0}), w, r, floats({1, 8}, {1, 1, 2, 4, 0, 1, 1, 0}),
                             left_out(), one_, floats({1, 1, 1}, {5})},
                            relu, {"y", "h", "c"});
  EXPECT_THAT(computed(*biased, 2), ElementsAre(3 * 5 + 1 * 4));
  EXPECT_THAT(computed(*biased, 1), ElementsAre(2 * 19));
}

TEST_F(OnnxRecurrent, PeepholesOfAnLstm) {
  const OnnxTensor w = floats({1, 4, 1}, {1, 2, 3, 4}), r = floats({1, 4, 1}, {0, 0, 0, 0});
  const auto m = model("LSTM",
                       {floats({2, 1, 1}, {1, 1}), w, r, left_out(), left_out(), left_out(), left_out(),
                        floats({1, 3}, {1, 0.5, 2})},
                       {{"activations", Strings{"Relu", "Relu", "Relu"}}}, {"y"});
  EXPECT_THAT(computed(*m), ElementsAre(16, 2176));
}

TEST_F(OnnxRecurrent, PeepholesStopAtTheEndOfASequence) {
  const OnnxTensor w = floats({1, 4, 1}, {1, 2, 3, 4}), r = floats({1, 4, 1}, {0, 0, 0, 0});
  // Behind its end a sequence gives zeros, and the states stay.
  const auto shorter = model("LSTM",
                             {floats({2, 1, 1}, {1, 1}), w, r, left_out(), lengths(1), left_out(), left_out(),
                              floats({1, 3}, {1, 0.5, 2})},
                             {{"activations", Strings{"Relu", "Relu", "Relu"}}}, {"y", "h"});
  EXPECT_THAT(computed(*shorter, 0), ElementsAre(16, 0));
  EXPECT_THAT(computed(*shorter, 1), ElementsAre(16));
}

// The numbers follow from the equations of ONNX with the forget gate 1 - input gate, by numpy.
TEST_F(OnnxRecurrent, CoupledGatesOfAnLstm) {
  const OnnxTensor x = floats({2, 1, 1}, {0.5, 0.5}), w = floats({1, 4, 1}, {1, 2, 3, 4}),
                   r = floats({1, 4, 1}, {0, 0, 0, 0});
  const std::vector<OnnxAttribute> one_way{{"activations", Strings{"Sigmoid", "Relu", "Relu"}},
                                           {"input_forget", 1}};
  const auto near = [](const std::vector<double>& v) { return Pointwise(DoubleNear(1e-5), v); };
  const auto m = model("LSTM", {x, w, r}, one_way, {"y", "h", "c"});
  EXPECT_THAT(computed(*m, 0), near({0.910108, 1.253711}));
  EXPECT_THAT(computed(*m, 1), near({1.253711}));
  EXPECT_THAT(computed(*m, 2), near({1.714926}));
  // The peephole of the forget gate, 7, counts for nothing.
  const auto holes =
      model("LSTM", {x, w, r, left_out(), left_out(), left_out(), left_out(), floats({1, 3}, {1, 0.5, 7})},
            one_way, {"y"});
  EXPECT_THAT(computed(*holes), near({1.039674, 1.651339}));
  auto both_ways = one_way;
  both_ways.push_back({"direction", "bidirectional"});
  const auto back = model("LSTM",
                          {floats({2, 1, 1}, {0.5, 1}), floats({2, 4, 1}, {1, 2, 3, 4, 1, 2, 3, 4}),
                           floats({2, 4, 1}, {0, 0, 0, 0, 0, 0, 0, 0})},
                          both_ways, {"y"});
  EXPECT_THAT(computed(*back), near({0.910108, 1.717210, 2.870557, 2.575657}));  // [time, direction]
}

TEST_F(OnnxRecurrent, AGruResetsBeforeOrAfter) {
  const OnnxTensor w = floats({1, 3, 1}, {0.5, 2, 1}), r = floats({1, 3, 1}, {0, 0, 1});
  for (const bool after : {false, true}) {
    const auto m =
        model("GRU", {one_, w, r, floats({1, 6}, {0, 0, 0, 0, 0, 1}), left_out(), one_},
              {{"activations", Strings{"Relu", "Relu"}}, {"linear_before_reset", after ? 1 : 0}}, {"y"});
    EXPECT_THAT(computed(*m), ElementsAre(after ? 3 : 2.5));
  }
}

TEST_F(OnnxRecurrent, SumsAreClipped) {
  const auto m =
      model("RNN", {two_steps_, one_, one_}, {{"activations", Strings{"Relu"}}, {"clip", 1.5F}}, {"y"});
  EXPECT_THAT(computed(*m), ElementsAre(1, 1.5));
}

TEST_F(OnnxRecurrent, DimensionsMayBeOpen) {
  ModelBuilder m(14);
  m.input("x", OnnxType::float32, {"time", "batch", 1});
  m.initializer("w", floats({1, 4, 1}, {1, 2, 3, 4}));
  m.node({.type = "LSTM", .inputs = {"x", "w", "w"}, .outputs = {"y", "h"}, .name = "op"});
  m.output("y");
  const auto g = prepare(m);
  EXPECT_EQ(shape(*g), (Shape{any_dim, 1, any_dim, 1}));
  EXPECT_EQ(count(*g, "LSTMSequence"), 1U);
}

TEST_F(OnnxRecurrent, WhatOnnxDoesNotHaveIsRefused) {
  const auto failure = [&](std::vector<OnnxAttribute> attributes) {
    return failure_of(*model("RNN", {two_steps_, one_, one_}, std::move(attributes), {"y"}));
  };
  EXPECT_THAT(failure({{"activations", Strings{"Gelu"}}}), HasSubstr("has 'Gelu', which ONNX does not have"));
  EXPECT_THAT(failure({{"activations", Strings{"Affine"}}}),
              HasSubstr("'activation_alpha' has no number for 'Affine'"));
  EXPECT_THAT(failure({{"activations", Strings{"Relu", "Tanh", "Relu"}}}), HasSubstr("has 3 entries"));
  EXPECT_THAT(failure({{"direction", "sideways"}}), HasSubstr("'sideways'"));
  EXPECT_THAT(failure({{"layout", 2}}), HasSubstr("'layout' is 2"));
}

}  // namespace mo::test
