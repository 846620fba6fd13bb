// Operators of opset 18 to 22, old ones of rare use, sequences and the operators of other domains. Numbers
// are those of ONNX's node tests, or follow by hand from its specification.
#include "operator_fixture.hpp"

namespace mo::test {

using testing::DoubleNear;
using testing::Each;
using testing::ElementsAre;
using testing::ElementsAreArray;
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

TEST_F(OnnxNewer, AffineGridOfTheIdentity) {
  const OnnxTensor same = floats({1, 2, 3}, {1, 0, 0, 0, 1, 0}), size = ints({1, 1, 2, 2});
  EXPECT_THAT(eval(20, "AffineGrid", {same, size}), near({-.5, -.5, .5, -.5, -.5, .5, .5, .5}));
  EXPECT_THAT(eval(20, "AffineGrid", {same, size}, {{"align_corners", 1}}),
              near({-1, -1, 1, -1, -1, 1, 1, 1}));
  const OnnxTensor volume = floats({1, 3, 4}, {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, .5F});
  EXPECT_THAT(eval(20, "AffineGrid", {volume, ints({1, 1, 2, 1, 1})}, {{"align_corners", 1}}),
              near({-1, -1, -.5, 1, -1, -.5}));
}

TEST_F(OnnxNewer, GramsAreCounted) {
  const OnnxTensor x = OnnxTensor::of<int32_t>({12}, {1, 1, 3, 3, 3, 7, 8, 6, 7, 5, 6, 8});
  const auto grams = [&](int shortest, int skips, const char* mode = "TF") {
    return eval(9, "TfIdfVectorizer", {x},
                {{"mode", mode},
                 {"min_gram_length", shortest},
                 {"max_gram_length", 2},
                 {"max_skip_count", skips},
                 {"ngram_counts", Ints{0, 4}},
                 {"ngram_indexes", Ints{0, 1, 2, 3, 4, 5, 6}},
                 {"pool_int64s", Ints{2, 3, 5, 4, 5, 6, 7, 8, 6, 7}},
                 {"weights", Floats{1, 1, 2, 1, 1, 4, 1}}});
  };
  EXPECT_THAT(grams(2, 0), ElementsAre(0, 0, 0, 0, 1, 1, 1));
  EXPECT_THAT(grams(2, 5), ElementsAre(0, 0, 0, 0, 1, 3, 1));
  EXPECT_THAT(grams(1, 5), ElementsAre(0, 3, 1, 0, 1, 3, 1));
  EXPECT_THAT(grams(1, 5, "TFIDF"), ElementsAre(0, 3, 2, 0, 1, 12, 1));
  EXPECT_THAT(grams(1, 5, "IDF"), ElementsAre(0, 1, 2, 0, 1, 4, 1));
}

TEST_F(OnnxNewer, PoolingBeyondTheFirstOperationSet) {
  // The mean of every other element of 3 x 3 out of 1 to 16.
  const OnnxTensor x = counted({1, 1, 4, 4}, 16);
  EXPECT_THAT(eval(19, "AveragePool", {x}, {{"kernel_shape", Ints{2, 2}}, {"dilations", Ints{2, 2}}}),
              near({6, 7, 10, 11}));
  EXPECT_THAT(eval(18, "LpPool", {x}, {{"kernel_shape", Ints{2, 2}}, {"dilations", Ints{2, 2}}, {"p", 1}}),
              near({24, 28, 40, 44}));
  // A window that would begin in the padding does not count.
  const OnnxTensor two = floats({1, 1, 1, 2}, {3, 4});
  const std::vector<OnnxAttribute> windows{
      {"kernel_shape", Ints{1, 1}}, {"strides", Ints{1, 2}}, {"pads", Ints{0, 0, 0, 1}}, {"ceil_mode", 1}};
  EXPECT_THAT(eval(22, "MaxPool", {two}, windows), ElementsAre(3));
  EXPECT_THAT(eval(18, "LpPool", {counted({1, 1, 1, 5}, 5)},
                   {{"kernel_shape", Ints{1, 2}}, {"strides", Ints{1, 2}}, {"ceil_mode", 1}, {"p", 1}}),
              near({3, 7, 5}));
}

TEST_F(OnnxNewer, ResizeBeyondInterpolate) {
  const OnnxTensor x = counted({1, 1, 2, 4}, 8), scales = floats({4}, {1, 1, .6F, .6F});
  EXPECT_THAT(eval(13, "Resize", {x, none(), scales},
                   {{"mode", "linear"}, {"coordinate_transformation_mode", "align_corners"}}),
              near({1, 3.142857}));
  EXPECT_THAT(eval(19, "Resize", {counted({1, 1, 1, 4}, 4), none(), floats({4}, {1, 1, 1, .6F})},
                   {{"mode", "linear"}, {"coordinate_transformation_mode", "half_pixel_symmetric"}}),
              near({1.6666667, 3.3333333}));
  EXPECT_THAT(
      eval(18, "Resize", {counted({1, 1, 4, 4}, 16), none(), scales}, {{"mode", "linear"}, {"antialias", 1}}),
      near({2.875, 4.5, 9.375, 11}));
  // Half of the picture, and what is beyond its end.
  EXPECT_THAT(eval(18, "Resize", {counted({1, 1, 1, 3}, 3), floats({2}, {.5F, 1.5F}), none(), ints({3})},
                   {{"mode", "linear"},
                    {"coordinate_transformation_mode", "tf_crop_and_resize"},
                    {"extrapolation_value", 10.0F},
                    {"axes", Ints{3}}}),
              near({2, 3, 10}));
  EXPECT_THAT(eval(18, "Resize", {counted({1, 1, 2, 4}, 8), none(), none(), ints({4, 4})},
                   {{"keep_aspect_ratio_policy", "not_larger"},
                    {"axes", Ints{2, 3}},
                    {"mode", "nearest"},
                    {"nearest_mode", "floor"}}),
              ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
}

TEST_F(OnnxNewer, PadGoesRound) {
  const OnnxTensor x = counted({1, 3}, 3);
  EXPECT_THAT(eval(19, "Pad", {x, ints({0, 2, 0, 1})}, {{"mode", "wrap"}}), ElementsAre(2, 3, 1, 2, 3, 1));
  EXPECT_THAT(eval(19, "Pad", {x, ints({4, -1}), none(), ints({1})}, {{"mode", "wrap"}}),
              ElementsAre(3, 1, 2, 3, 1, 2));
}

TEST_F(OnnxNewer, BatchNormalizationInTraining) {
  const std::vector<OnnxTensor> inputs{floats({2, 1, 1}, {1, 3}), floats({1}, {2}), floats({1}, {5}),
                                       floats({1}, {0}), floats({1}, {1})};
  const auto output = [&](size_t i) {
    return eval(15, "BatchNormalization", inputs, {{"training_mode", 1}, {"epsilon", 3.0F}}, 3, i);
  };
  EXPECT_THAT(output(0), near({4, 6}));
  EXPECT_THAT(output(1), near({.2}));
  EXPECT_THAT(output(2), near({1}));
}

TEST_F(OnnxNewer, VolumesAreSampled) {
  const OnnxTensor x = counted({1, 1, 2, 2, 2}, 8), middle = floats({1, 1, 1, 2, 3}, {0, 0, 0, -1, -1, 1});
  EXPECT_THAT(eval(20, "GridSample", {x, middle}, {{"align_corners", 1}}), near({4.5, 5}));
  EXPECT_THAT(eval(20, "GridSample", {x, floats({1, 1, 1, 1, 3}, {-1, -1, -1})}), near({.125}));
  EXPECT_THAT(eval(20, "GridSample", {x, floats({1, 1, 1, 1, 3}, {9, -9, 9})},
                   {{"padding_mode", "border"}, {"mode", "nearest"}}),
              near({6}));
}

TEST_F(OnnxNewer, OperatorsOfTheFirstDays) {
  const OnnxTensor x = counted({1, 1, 3, 4}, 12);
  EXPECT_THAT(eval(1, "Crop", {x}, {{"border", Ints{1, 0, 2, 1}}}), ElementsAre(2, 6));
  EXPECT_THAT(eval(1, "Crop", {x}, {{"border", Ints{1, 1, 0, 0}}, {"scale", Ints{1, 2}}}), ElementsAre(6, 7));
  const OnnxTensor two = floats({1}, {2});
  EXPECT_THAT(eval(1, "Scale", {floats({2}, {1, 2})}, {{"scale", 3.0F}}), ElementsAre(3, 6));
  EXPECT_THAT(eval(1, "ConstantFill", {ints({2, 1})}, {{"input_as_shape", 1}, {"value", 4.0F}}),
              ElementsAre(4, 4));
  EXPECT_THAT(eval(1, "GivenTensorFill", {}, {{"values", Floats{1, 2}}, {"shape", Ints{2, 1}}}),
              ElementsAre(1, 2));
  EXPECT_THAT(eval(1, "ScaledTanh", {floats({1}, {.25F})}, {{"alpha", 2.0F}, {"beta", 2.0F}}),
              near({0.9242343}));
  EXPECT_THAT(eval(1, "ParametricSoftplus", {floats({1}, {.5F})}, {{"alpha", 2.0F}, {"beta", 2.0F}}),
              near({2.6265234}));
  EXPECT_THAT(eval(1, "Tile", {floats({1, 2}, {1, 2}), two, floats({1}, {1})}), ElementsAre(1, 2, 1, 2));
  const OnnxTensor table = counted({3, 2}, 6);
  EXPECT_THAT(
      eval(9, "ATen", {table, ints({0, 2, 1}), ints({0, 2})}, {{"operator", "embedding_bag"}, {"mode", 0}}),
      ElementsAre(6, 8, 3, 4));
  EXPECT_THAT(
      eval(9, "ATen", {table, ints({0, 2, 1}), ints({0, 2})}, {{"operator", "embedding_bag"}, {"mode", 1}}),
      ElementsAre(3, 4, 3, 4));
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

TEST_F(OnnxNewer, OperatorsOfOpset23And24) {
  // Mean square of 3 and 4 is 12.5.
  EXPECT_THAT(
      eval(23, "RMSNormalization", {floats({1, 2}, {3, 4}), floats({2}, {1, 2})}, {{"epsilon", 0.0F}}),
      near({0.8485281, 2.2627417}));
  EXPECT_THAT(eval(24, "Swish", {floats({2}, {1, -2})}, {{"alpha", 2.0F}}), near({0.8807971, -0.0359724}));
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

TEST_F(OnnxNewer, RegionsAndDeformedPictures) {
  // The greatest element of each quarter of a picture of 1 to 16.
  EXPECT_THAT(eval(1, "MaxRoiPool", {counted({1, 1, 4, 4}, 16), floats({1, 5}, {0, 0, 0, 3, 3})},
                   {{"pooled_shape", Ints{2, 2}}}),
              ElementsAre(6, 8, 14, 16));
  // Each element of the kernel half a pixel further to the right.
  const OnnxTensor x = counted({1, 1, 3, 3}, 9), w = floats({1, 1, 1, 1}, {2}), bias = floats({1}, {1});
  std::vector<float> moved(18, 0);
  std::fill(moved.begin() + 9, moved.end(), .5F);
  const std::vector<OnnxTensor> inputs{x, w, floats({1, 2, 3, 3}, moved), bias,
                                       floats({1, 1, 3, 3}, std::vector<float>(9, .5F))};
  EXPECT_THAT(eval(19, "DeformConv", inputs, {{"kernel_shape", Ints{1, 1}}}),
              near({2.5, 3.5, 2.5, 5.5, 6.5, 4, 8.5, 9.5, 5.5}));
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
