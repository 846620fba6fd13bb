// Operators of opset 18 to 22, old ones of rare use, sequences and the operators of other domains. Numbers
// are those of ONNX's node tests, or follow by hand from its specification.
#include "operator_fixture.hpp"

namespace mo::test {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;

class OnnxNewer : public OnnxOperators {
 protected:
  static auto near(const std::vector<double>& v) { return Pointwise(DoubleNear(1e-5), v); }
  static OnnxTensor counted(std::vector<int64_t> dims, size_t n) {
    std::vector<float> v;
    for (size_t i = 1; i <= n; ++i) v.push_back(static_cast<float>(i));
    return floats(std::move(dims), v);
  }
};

TEST_F(OnnxNewer, Determinants) {
  EXPECT_THAT(eval(11, "Det", {floats({2, 2}, {0, 1, 2, 3})}), near({-2}));
  EXPECT_THAT(eval(11, "Det", {floats({3, 2, 2}, {1, 2, 3, 4, 1, 2, 2, 1, 1, 3, 3, 1})}), near({-2, -3, -8}));
  EXPECT_THAT(eval(11, "Det", {floats({3, 3}, {0, 1, 2, 1, 0, 3, 4, -3, 8})}), near({-2}));
  EXPECT_THAT(eval(11, "Det", {floats({3, 3}, {1, 2, 3, 2, 4, 6, 7, 8, 1})}), near({0}));
  EXPECT_THAT(eval(11, "Det", {floats({1, 1}, {7})}), near({7}));
  ModelBuilder m(11);
  m.input("x", OnnxType::float32, {"n", "n"});
  m.output(m.op("Det", {"x"}));
  EXPECT_THAT(failure_of(m), HasSubstr("size of the matrices"));
}

TEST_F(OnnxNewer, CastsToSmallFloatsAreCutOff) {
  for (const auto& [type, most] : {std::pair{17, 448.0}, std::pair{19, 57344.0}}) {
    for (const int saturate : {1, 0}) {
      ModelBuilder m(19);
      m.input("x", OnnxType::float32, {2});
      const std::string small = m.op("Cast", {"x"}, {{"to", type}, {"saturate", saturate}});
      m.output(m.op("CastLike", {"x", small}, {{"saturate", saturate}}));
      m.output(small);
      const core::GraphPtr g = prepare(m, core::Stage::infer);
      const auto cuts = g->nodes_of("Clamp");
      ASSERT_EQ(cuts.size(), saturate == 1 ? 2U : 0U) << app::to_text(*g);
      for (const core::NodeId n : cuts) EXPECT_EQ(attribute<double>(*g, n, "max"), most);
    }
  }
}

TEST_F(OnnxNewer, BoundsThatAreKnownLateMakeAStridedSlice) {
  ModelBuilder m(13);
  m.input("x", OnnxType::float32, {4, 6});
  // Axes that are computed: the front phase does not know them.
  const std::string axes = m.op("Sub", {m.constant(ints({2})), m.constant(ints({1}))});
  m.output(
      m.op("Slice", {"x", m.constant(ints({-1})), m.constant(ints({-100})), axes, m.constant(ints({-2}))}));
  const core::GraphPtr g = prepare(m);
  EXPECT_EQ(count(*g, "Slice"), 0U) << app::to_text(*g);
  EXPECT_EQ(count(*g, "StridedSlice"), 1U);
  EXPECT_EQ(shape(*g), (Shape{4, 3}));
}

TEST_F(OnnxNewer, PadsGoRoundWhereNeitherTheyNorTheRankAreKnownYet) {
  ModelBuilder m(19);
  const std::string x = m.op("Unsqueeze", {m.constant(floats({1, 3}, {1, 2, 3})), m.constant(ints({0}))});
  // 0, 0, 4 in front and 0, 1, -1 behind.
  const std::string pads =
      m.op("Sub", {m.constant(ints({1, 1, 5, 1, 2, 0})), m.constant(ints({1, 1, 1, 1, 1, 1}))});
  m.output(m.op("Pad", {x, pads}, {{"mode", "wrap"}}));
  const core::GraphPtr g = prepare(m);
  EXPECT_EQ(shape(*g), (Shape{1, 2, 6}));
  EXPECT_THAT(values(*g, 0), ElementsAre(3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2));
}

TEST_F(OnnxNewer, ACheckIsLeftOut) {
  ModelBuilder m(9);
  m.input("x", OnnxType::float32, {2});
  m.node({.type = "Assert", .inputs = {m.op("Less", {"x", m.constant(counted({}, 1))})}, .outputs = {"a"}});
  m.output(m.op("Neg", {"x"}));
  EXPECT_EQ(count(*prepare(m), "Less"), 0U);
}

class OnnxSequences : public OnnxNewer {
 protected:
  ModelBuilder m_{13};
  std::string tensor(const std::vector<float>& v) {
    return m_.constant(floats({static_cast<int64_t>(v.size())}, v));
  }
  std::string number(int64_t i) { return m_.constant(OnnxTensor::scalar<int64_t>(i)); }
};

TEST_F(OnnxSequences, ElementsComeFromWhereTheSequenceIsMade) {
  const std::string made = m_.op("SequenceConstruct", {tensor({1}), tensor({2})});
  const std::string longer = m_.op("SequenceInsert", {made, tensor({3}), number(0)});
  const std::string last = m_.op("SequenceInsert", {longer, tensor({4})});
  const std::string shorter = m_.op("SequenceErase", {last, number(1)});  // 3, 2, 4
  m_.output(m_.op("ConcatFromSequence", {shorter}, {{"axis", 0}}));
  m_.output(m_.op("SequenceAt", {shorter, number(-1)}));
  m_.output(m_.op("SequenceLength", {last}));
  m_.output(m_.op("ConcatFromSequence", {made}, {{"axis", 0}, {"new_axis", 1}}));
  const core::GraphPtr g = prepare(m_);
  EXPECT_THAT(values(*g, 0), ElementsAre(3, 2, 4));
  EXPECT_THAT(values(*g, 1), ElementsAre(4));
  EXPECT_THAT(values(*g, 2), ElementsAre(4));
  EXPECT_EQ(shape(*g, 3), (Shape{2, 1}));
}

TEST_F(OnnxSequences, PartsOfATensor) {
  const std::string x = tensor({1, 2, 3, 4, 5});
  const std::string equal = m_.op("SplitToSequence", {x, number(2)});
  m_.output(m_.op("SequenceAt", {equal, number(2)}));
  const std::string listed = m_.op("SplitToSequence", {x, m_.constant(ints({1, 4}))});
  m_.output(m_.op("SequenceAt", {listed, number(1)}));
  const std::string single = m_.op("SplitToSequence", {x}, {{"keepdims", 0}});
  m_.output(m_.op("SequenceAt", {single, number(3)}));
  const core::GraphPtr g = prepare(m_);
  EXPECT_THAT(values(*g, 0), ElementsAre(5));
  EXPECT_THAT(values(*g, 1), ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(values(*g, 2), ElementsAre(4));
  EXPECT_EQ(shape(*g, 2), Shape());
}

TEST_F(OnnxSequences, WhatIsNotKnownIsRefused) {
  m_.input("i", OnnxType::int64, {});
  m_.output(m_.op("SequenceAt", {m_.op("SequenceConstruct", {tensor({1}), tensor({2})}), "i"}));
  EXPECT_THAT(failure_of(m_), HasSubstr("the IR has no sequences"));
}

TEST_F(OnnxSequences, OptionalValues) {
  m_.input("x", OnnxType::float32, {2});
  const std::string there = m_.op("Optional", {"x"});
  m_.output(m_.op("OptionalHasElement", {there}));
  m_.output(m_.op("Relu", {m_.op("OptionalGetElement", {there})}));
  const core::GraphPtr g = prepare(m_);
  EXPECT_THAT(values(*g, 0), ElementsAre(1));
  EXPECT_EQ(shape(*g, 1), (Shape{2}));
}

TEST_F(OnnxNewer, OperatorsOfDetectorsInBothDomains) {
  for (const char* domain : {"", "org.openvinotoolkit"}) {
    ModelBuilder m(11);
    m.opset("org.openvinotoolkit", 1);
    m.input("x", OnnxType::float32, {1, 8, 2, 3});
    m.input("picture", OnnxType::float32, {1, 3, 40, 60});
    m.input("boxes", OnnxType::float32, {12, 4});
    m.input("scores", OnnxType::float32, {12});
    std::vector<Shape> expected;
    const auto add = [&](std::string_view type, std::vector<std::string> inputs, const Shape& result,
                         std::vector<OnnxAttribute> attributes = {}) {
      m.output(m.op(type, std::move(inputs), std::move(attributes), domain));
      expected.push_back(result);
    };
    const std::string eight = m.constant(counted({8}, 8)), one = m.constant(counted({}, 1));
    add("PriorBox", {"x", "picture"}, {1, 2, 24},
        {{"min_size", Floats{10}}, {"offset", .5F}, {"step", 20.0F}});
    add("PriorBoxClustered", {"x", "picture"}, {1, 2, 48},
        {{"width", Floats{10, 9}}, {"height", Floats{8, 7}}});
    add("Normalize", {"x", eight}, {1, 8, 2, 3}, {{"eps", 1e-10F}});
    add("GroupNorm", {"x", eight, eight}, {1, 8, 2, 3}, {{"num_groups", 4}});
    add("ExperimentalDetectronGroupNorm", {"x", eight, eight}, {1, 8, 2, 3}, {{"num_groups", 2}});
    add("FakeQuantize", {"x", one, one, one, one}, {1, 8, 2, 3}, {{"levels", 16}});
    add("ExperimentalDetectronTopKROIs", {"boxes", "scores"}, {7, 4}, {{"max_rois", 7}});
    add("ExperimentalDetectronROIFeatureExtractor", {"boxes", "x"}, {12, 8, 5, 5}, {{"output_size", 5}});
    add("ExperimentalDetectronPriorGridGenerator", {"boxes", "x", "picture"}, {72, 4},
        {{"stride_x", 20.0F}, {"stride_y", 20.0F}});
    m.input("im_info", OnnxType::float32, {3});
    m.input("anchors", OnnxType::float32, {24, 4});
    m.input("deltas", OnnxType::float32, {16, 2, 3});
    m.input("logits", OnnxType::float32, {4, 2, 3});
    add("ExperimentalDetectronGenerateProposalsSingleImage", {"im_info", "anchors", "deltas", "logits"},
        {9, 4}, {{"post_nms_count", 9}});
    m.input("class_deltas", OnnxType::float32, {12, 324});
    m.input("class_scores", OnnxType::float32, {12, 81});
    m.input("size", OnnxType::float32, {1, 3});
    add("ExperimentalDetectronDetectionOutput", {"boxes", "class_deltas", "class_scores", "size"}, {100, 4});
    m.input("offsets", OnnxType::float32, {1, 18, 2, 3});
    add("DeformableConv2D", {"x", "offsets", m.constant(counted({1, 8, 3, 3}, 72))}, {1, 1, 2, 3},
        {{"pads", Ints{1, 1, 1, 1}}, {"kernel_shape", Ints{3, 3}}});
    m.input("locations", OnnxType::float32, {1, 24});
    m.input("confidences", OnnxType::float32, {1, 12});
    m.input("priors", OnnxType::float32, {1, 2, 24});
    add("DetectionOutput", {"locations", "confidences", "priors"}, {1, 1, 12, 7},
        {{"num_classes", 2}, {"keep_top_k", Ints{12}}, {"code_type", "CENTER_SIZE"}, {"nms_threshold", .5F}});
    const core::GraphPtr g = prepare(m);
    for (size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(shape(*g, i), expected[i]) << domain << " " << i;
  }
}

TEST_F(OnnxNewer, RandomNumbersHaveTheirShapes) {
  ModelBuilder m(15);
  m.input("x", OnnxType::float32, {2, 3});
  m.output(m.op("RandomNormal", {}, {{"shape", Ints{4, 5}}, {"seed", 2.0F}}));
  m.output(m.op("RandomNormalLike", {"x"}, {{"dtype", 10}}));
  m.output(m.op("Multinomial", {"x"}, {{"sample_size", 7}}));
  const core::GraphPtr g = prepare(m);
  EXPECT_EQ(shape(*g, 0), (Shape{4, 5}));
  EXPECT_EQ(shape(*g, 1), (Shape{2, 3}));
  EXPECT_EQ(g->out(output(*g, 1)).tensor.type, ElementType::f16);
  EXPECT_EQ(shape(*g, 2), (Shape{2, 7}));
}

}  // namespace mo::test
