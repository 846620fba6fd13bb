// What becomes of single operators: of their attributes, and of numbers. Models whose inputs are constants
// are computed by the host itself, so a row here is a sentence of the ONNX specification.
#include <numeric>

#include "operator_fixture.hpp"

namespace mo::test {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;

// Convolutions.

TEST_F(OnnxOperators, ConvWithBiasKeepsTheNameOnTheSum) {
  const auto g = single(13, "Conv", {1, 2, 8, 8},
                        {floats({4, 2, 3, 3}, std::vector<float>(72, 1)), floats({4}, {1, 2, 3, 4})},
                        {{"pads", Ints{1, 1, 1, 1}}, {"strides", Ints{2, 2}}});
  EXPECT_EQ(type(*g, "op"), "Add@opset1");
  const core::NodeId conv = g->nodes_of("Convolution")[0];
  EXPECT_EQ(attribute<List>(*g, conv, "strides"), (List{2, 2}));
  EXPECT_EQ(attribute<List>(*g, conv, "pads_begin"), (List{1, 1}));
  EXPECT_EQ(attribute<std::string>(*g, conv, "auto_pad"), "explicit");
  EXPECT_EQ(shape(*g), (Shape{1, 4, 4, 4}));
  const core::TensorRef& bias = g->out(g->source({node(*g, "op"), 1})).tensor.value;
  EXPECT_EQ(bias->dims, (List{1, 4, 1, 1}));
  EXPECT_NE(bias->base != nullptr || bias->file != nullptr, false) << "the bias is a copy";
}

TEST_F(OnnxOperators, GroupsOfAConvAreADimensionOfTheWeights) {
  const auto g =
      single(13, "Conv", {1, 4, 8, 8}, {floats({6, 2, 1, 1}, std::vector<float>(12, 1))}, {{"group", 2}});
  EXPECT_EQ(type(*g, "op"), "GroupConvolution@opset1");
  EXPECT_EQ(g->out(g->source({node(*g, "op"), 1})).tensor.shape, (Shape{2, 3, 2, 1, 1}));
  EXPECT_EQ(shape(*g), (Shape{1, 6, 8, 8}));
}

TEST_F(OnnxOperators, AutoPadIgnoresPads) {
  const auto g = single(13, "Conv", {1, 1, 8, 8}, {floats({1, 1, 3, 3}, std::vector<float>(9, 1))},
                        {{"auto_pad", "SAME_UPPER"}, {"pads", Ints{5, 5, 5, 5}}});
  const core::NodeId conv = node(*g, "op");
  EXPECT_EQ(attribute<std::string>(*g, conv, "auto_pad"), "same_upper");
  EXPECT_EQ(attribute<List>(*g, conv, "pads_end"), (List{0, 0}));
  EXPECT_EQ(shape(*g), (Shape{1, 1, 8, 8}));
}

TEST_F(OnnxOperators, WeightsOfAConvMayBeComputed) {
  for (const int64_t group : {1, 2}) {
    ModelBuilder m(13);
    m.input("x", OnnxType::float32, {1, 4, 8, 8});
    m.input("w", OnnxType::float32, {6, 4 / group, 3, 3});
    m.input("b", OnnxType::float32, {6});
    m.output(m.op("Conv", {"x", m.op("Abs", {"w"}), "b"}, {{"group", group}, {"kernel_shape", Ints{3, 3}}}));
    EXPECT_EQ(shape(*prepare(m)), (Shape{1, 6, 6, 6}));
  }
}

TEST_F(OnnxOperators, ListsOfTheWrongLengthAreNamed) {
  ModelBuilder m(13);
  m.input("x", OnnxType::float32, {1, 1, 8, 8});
  m.initializer("w", floats({1, 1, 3, 3}, std::vector<float>(9, 1)));
  m.node({.type = "Conv",
          .inputs = {"x", "w"},
          .outputs = {"y"},
          .attributes = {{"pads", Ints{1, 1}}},
          .name = "c1"});
  m.output("y");
  EXPECT_THAT(failure_of(m), testing::AllOf(HasSubstr("'pads' has 2 entries, expected 4"), HasSubstr("c1")));
}

TEST_F(OnnxOperators, ConvTranspose) {
  const OnnxTensor w = floats({2, 3, 3, 3}, std::vector<float>(54, 1));
  const auto shape_of = [&](std::vector<OnnxAttribute> attributes) {
    return shape(*single(11, "ConvTranspose", {1, 2, 5, 5}, {w}, std::move(attributes)));
  };
  EXPECT_EQ(shape_of({}), (Shape{1, 3, 7, 7}));
  EXPECT_EQ(shape_of({{"strides", Ints{2, 2}}, {"output_padding", Ints{1, 1}}, {"pads", Ints{1, 1, 1, 1}}}),
            (Shape{1, 3, 10, 10}));
  EXPECT_EQ(shape_of({{"strides", Ints{2, 2}}, {"auto_pad", "SAME_UPPER"}}), (Shape{1, 3, 10, 10}));
  EXPECT_EQ(shape_of({{"strides", Ints{2, 2}}, {"output_shape", Ints{12, 10}}}), (Shape{1, 3, 12, 10}));
  EXPECT_EQ(shape_of({{"strides", Ints{4, 4}}, {"auto_pad", "SAME_LOWER"}}), (Shape{1, 3, 20, 20}));
}

TEST_F(OnnxOperators, ConvTransposeSharesWhatIsCutOff) {
  // Of 11, the whole length, 10 are wanted: SAME_UPPER cuts the end, the default the beginning.
  const OnnxTensor w = floats({1, 1, 3}, {1, 1, 1});
  for (const bool upper : {true, false}) {
    const auto g = single(
        11, "ConvTranspose", {1, 1, 5}, {w},
        {{"strides", Ints{2}}, {"output_shape", Ints{10}}, {"auto_pad", upper ? "SAME_UPPER" : "NOTSET"}});
    const core::NodeId n = node(*g, "op");
    EXPECT_EQ(attribute<List>(*g, n, "pads_begin"), (List{upper ? 0 : 1}));
    EXPECT_EQ(attribute<List>(*g, n, "pads_end"), (List{upper ? 1 : 0}));
  }
}

// Pooling.

TEST_F(OnnxOperators, MaxPoolIsTheOldestThatDoes) {
  EXPECT_EQ(type(*single(12, "MaxPool", {1, 1, 8, 8}, {}, {{"kernel_shape", Ints{2, 2}}}), "op"),
            "MaxPool@opset1");
  EXPECT_EQ(type(*single(12, "MaxPool", {1, 1, 8, 8}, {},
                         {{"kernel_shape", Ints{2, 2}}, {"dilations", Ints{2, 2}}}),
                 "op"),
            "MaxPool@opset8");
  const auto g = single(12, "MaxPool", {1, 1, 8, 8}, {},
                        {{"kernel_shape", Ints{3, 3}}, {"strides", Ints{2, 2}}, {"ceil_mode", 1}});
  EXPECT_EQ(shape(*g), (Shape{1, 1, 4, 4}));
}

TEST_F(OnnxOperators, AveragePoolAndItsPadding) {
  for (const int count : {0, 1}) {
    const auto g =
        single(11, "AveragePool", {1, 1, 8, 8}, {},
               {{"kernel_shape", Ints{3, 3}}, {"pads", Ints{1, 1, 1, 1}}, {"count_include_pad", count}});
    EXPECT_EQ(attribute<bool>(*g, node(*g, "op"), "exclude-pad"), count == 0);
  }
}

TEST_F(OnnxOperators, GlobalPoolsOfAnyRank) {
  EXPECT_EQ(shape(*single(13, "GlobalAveragePool", {1, 3, 8, 8})), (Shape{1, 3, 1, 1}));
  // The rank is only known after inference: its computation becomes a constant.
  ModelBuilder m(13);
  m.input("x", OnnxType::float32, {1, 3, OnnxDim::unknown(), OnnxDim::unknown(), 4});
  m.output(m.op("GlobalMaxPool", {m.op("Relu", {"x"})}));
  const auto g = prepare(m);
  EXPECT_EQ(shape(*g), (Shape{1, 3, 1, 1, 1}));
  EXPECT_EQ(count(*g, "ShapeOf") + count(*g, "Range"), 0U);
}

// Arithmetic.

TEST_F(OnnxOperators, DivisionOfIntegersIsCutOff) {
  EXPECT_THAT(eval(14, "Div", {ints({-7, 7, -7}), ints({2, 2, -2})}), ElementsAre(-3, 3, 3));
}

TEST_F(OnnxOperators, BroadcastBeforeVersion7) {
  const OnnxTensor x = floats({2, 3, 2}, std::vector<float>(12, 1)), y = floats({3}, {1, 2, 3});
  EXPECT_THAT(eval(6, "Add", {x, y}, {{"broadcast", 1}, {"axis", 1}}),
              ElementsAre(2, 2, 3, 3, 4, 4, 2, 2, 3, 3, 4, 4));
  EXPECT_THAT(eval(6, "Mul", {x, y}, {{"broadcast", 1}, {"axis", -2}}),
              ElementsAre(1, 1, 2, 2, 3, 3, 1, 1, 2, 2, 3, 3));
  EXPECT_EQ(shape(*single(6, "Sub", {2, 3, 4, 5}, {floats({3, 4}, std::vector<float>(12, 1))},
                          {{"broadcast", 1}, {"axis", 1}})),
            (Shape{2, 3, 4, 5}));
  // y is computed, and its rank not known when the operator is replaced.
  ModelBuilder m(6);
  m.input("x", OnnxType::float32, {2, 3, 4, 5});
  m.input("y", OnnxType::float32, {3});
  m.output(m.op("Add", {m.op("Relu", {"x"}), m.op("Relu", {"y"})}, {{"broadcast", 1}, {"axis", 1}}));
  EXPECT_EQ(shape(*prepare(m)), (Shape{2, 3, 4, 5}));
}

TEST_F(OnnxOperators, PowersOfOtherTypes) {
  EXPECT_THAT(eval(13, "Pow", {floats({2}, {2, 3}), ints({3, 2})}), ElementsAre(8, 9));
  EXPECT_THAT(eval(13, "Pow", {ints({4, 9}), floats({2}, {0.5F, 1})}), ElementsAre(2, 9));
  EXPECT_THAT(eval(13, "Pow", {ints({2, 3}), ints({3, 2})}), ElementsAre(8, 9));
}

TEST_F(OnnxOperators, RemaindersHaveASign) {
  EXPECT_THAT(eval(13, "Mod", {ints({-4, 7, 5}), ints({3, -3, 8})}), ElementsAre(2, -2, 5));
  EXPECT_THAT(eval(13, "Mod", {ints({-4, 7, 5}), ints({3, -3, 8})}, {{"fmod", 1}}), ElementsAre(-1, 1, 5));
}

TEST_F(OnnxOperators, AnyNumberOfInputs) {
  const OnnxTensor a = floats({2}, {1, 5}), b = floats({2}, {4, 2}), c = floats({1}, {3});
  EXPECT_THAT(eval(8, "Max", {a, b, c}), ElementsAre(4, 5));
  EXPECT_THAT(eval(8, "Min", {a, b, c}), ElementsAre(1, 2));
  EXPECT_THAT(eval(8, "Sum", {a, b, c}), ElementsAre(8, 10));
  EXPECT_THAT(eval(8, "Mean", {a, a, b}), ElementsAre(2, 4));
  EXPECT_THAT(eval(8, "Sum", {a}), ElementsAre(1, 5));
}

// The product itself is compared by the conformance run; here, what stands around it.
TEST_F(OnnxOperators, GemmScalesOnlyWhenAsked) {
  const OnnxTensor b = floats({2, 2}, {1, 2, 3, 4}), c = floats({2}, {10, 20});
  const auto plain = single(13, "Gemm", {3, 2}, {b, c});
  EXPECT_EQ(count(*plain, "Multiply"), 0U);
  EXPECT_EQ(type(*plain, "op"), "Add@opset1");
  const auto scaled = single(13, "Gemm", {3, 2}, {b, c}, {{"alpha", 2.0F}, {"beta", 0.5F}, {"transB", 1}},
                             core::Stage::infer);
  EXPECT_EQ(count(*scaled, "Multiply"), 1U);  // that of c is folded
  EXPECT_TRUE(attribute<bool>(*scaled, scaled->nodes_of("MatMul")[0], "transpose_b"));
  const core::TensorRef& bias = scaled->out(scaled->source({node(*scaled, "op"), 1})).tensor.value;
  ASSERT_TRUE(bias);
  EXPECT_EQ(Tensor::borrow(session_host(), bias.get()).to_floats<double>(), (std::vector<double>{5, 10}));
  EXPECT_EQ(type(*single(13, "Gemm", {3, 2}, {b}), "op"), "MatMul@opset1");
}

// Activations.

TEST_F(OnnxOperators, ActivationsAndTheirDefaults) {
  const OnnxTensor x = floats({3}, {-2, 0.5F, 3});
  const auto near = [](const std::vector<double>& expected) { return Pointwise(DoubleNear(1e-5), expected); };
  EXPECT_THAT(eval(13, "LeakyRelu", {x}), near({-0.02, 0.5, 3}));
  EXPECT_THAT(eval(13, "Elu", {x}), near({std::exp(-2.0) - 1, 0.5, 3}));
  EXPECT_THAT(eval(13, "Selu", {x}), near({1.0507009873554805 * 1.6732632423543772 * (std::exp(-2.0) - 1),
                                           0.5253504936777402, 3.1521029620664414}));
  EXPECT_THAT(eval(13, "HardSigmoid", {x}), near({0.1, 0.6, 1}));
  EXPECT_THAT(eval(13, "ThresholdedRelu", {x}), near({0, 0, 3}));
  EXPECT_THAT(eval(13, "Celu", {x}, {{"alpha", 2.0F}}), near({2 * (std::exp(-1.0) - 1), 0.5, 3}));
  EXPECT_THAT(eval(13, "Softsign", {x}), near({-2.0 / 3, 1.0 / 3, 0.75}));
  EXPECT_THAT(eval(13, "Reciprocal", {x}), near({-0.5, 2, 1.0 / 3}));
  EXPECT_THAT(eval(13, "Softplus", {x}),
              near({std::log1p(std::exp(-2.0)), std::log1p(std::exp(0.5)), 3.0485873515737}));
}

TEST_F(OnnxOperators, SlopeOfPReluIsBroadcastToTheLastDimension) {
  const OnnxTensor x = floats({1, 2, 2}, {-1, -1, -1, -1});
  EXPECT_THAT(eval(9, "PRelu", {x, floats({2}, {0.5F, 0.25F})}), ElementsAre(-0.5, -0.25, -0.5, -0.25));
  EXPECT_THAT(eval(9, "PRelu", {x, floats({2, 1}, {0.5F, 0.25F})}), ElementsAre(-0.5, -0.5, -0.25, -0.25));
  // Up to version 6 a vector belongs to the channels.
  EXPECT_THAT(eval(6, "PRelu", {x, floats({2}, {0.5F, 0.25F})}), ElementsAre(-0.5, -0.5, -0.25, -0.25));
}

TEST_F(OnnxOperators, ClipByAttributesAndInputs) {
  const OnnxTensor x = floats({3}, {-2, 0.5F, 9});
  EXPECT_THAT(eval(6, "Clip", {x}, {{"min", 0.0F}, {"max", 6.0F}}), ElementsAre(0, 0.5, 6));
  EXPECT_THAT(eval(6, "Clip", {x}, {{"min", 0.0F}}), ElementsAre(0, 0.5, 9));
  EXPECT_THAT(eval(11, "Clip", {x, OnnxTensor::scalar(0.0F), OnnxTensor::scalar(6.0F)}),
              ElementsAre(0, 0.5, 6));
  EXPECT_THAT(eval(11, "Clip", {x, none(), OnnxTensor::scalar(6.0F)}), ElementsAre(-2, 0.5, 6));
  EXPECT_THAT(eval(11, "Clip", {x, OnnxTensor::scalar(6.0F), OnnxTensor::scalar(0.0F)}),
              ElementsAre(0, 0, 0));
  EXPECT_THAT(
      eval(12, "Clip", {ints({1, 8}), OnnxTensor::scalar<int64_t>(2), OnnxTensor::scalar(int64_t{1} << 60)}),
      ElementsAre(2, 8));
  EXPECT_EQ(type(*single(11, "Clip", {3}, {OnnxTensor::scalar(0.0F), OnnxTensor::scalar(6.0F)}), "op"),
            "Clamp@opset1");
}

TEST_F(OnnxOperators, ConstantsHaveTheTypeOfTheData) {
  ModelBuilder m(13);
  m.input("x", OnnxType::float16, {2, 3});
  m.output(m.op("LeakyRelu", {m.op("HardSigmoid", {m.op("Reciprocal", {m.op("Relu", {"x"})})})}));
  const auto g = prepare(m);
  for (const core::NodeId c : g->nodes_of("Const")) EXPECT_EQ(g->out({c, 0}).tensor.type, ElementType::f16);
  EXPECT_EQ(count(*g, "ConvertLike"), 0U);
}

TEST_F(OnnxOperators, SoftmaxBeforeVersion13IsThatOfAMatrix) {
  const OnnxTensor x = floats({1, 2, 2}, {0, 0, 0, 0});
  EXPECT_THAT(eval(11, "Softmax", {x}), ElementsAre(0.25, 0.25, 0.25, 0.25));
  EXPECT_THAT(eval(13, "Softmax", {x}), ElementsAre(0.5, 0.5, 0.5, 0.5));
  EXPECT_THAT(eval(11, "Hardmax", {x}), ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(eval(13, "Hardmax", {x}), ElementsAre(1, 0, 1, 0));
}

TEST_F(OnnxOperators, SoftmaxIsNotReshapedForNothing) {
  for (const auto& dims : {std::vector<OnnxDim>{2, 10}, std::vector<OnnxDim>{"n", 10, 1, 1}}) {
    const auto g = single(11, "Softmax", dims);
    EXPECT_EQ(type(*g, "op"), "SoftMax@opset1");
    EXPECT_EQ(count(*g, "Reshape"), 0U);
    EXPECT_EQ(attribute<int64_t>(*g, node(*g, "op"), "axis"), 1);
  }
  const auto g = single(11, "Softmax", {2, 10, 3});
  EXPECT_EQ(count(*g, "Reshape"), 2U);
  EXPECT_EQ(type(*g, "op"), "Reshape@opset1");
  EXPECT_EQ(shape(*g), (Shape{2, 10, 3}));
}

TEST_F(OnnxOperators, AxesOfSoftmaxCountFromTheStartInOldRuntimes) {
  const auto g = single(13, "Softmax", {2, 10, 3});
  EXPECT_EQ(type(*g, "op"), "SoftMax@opset1");
  EXPECT_EQ(attribute<int64_t>(*g, node(*g, "op"), "axis"), 2);
}

// Shapes.

TEST_F(OnnxOperators, ReshapeAndItsZeros) {
  EXPECT_EQ(shape(*single(13, "Reshape", {2, 3, 4}, {ints({0, -1})})), (Shape{2, 12}));
  EXPECT_EQ(shape(*single(1, "Reshape", {2, 3, 4}, {}, {{"shape", Ints{0, -1}}})), (Shape{2, 12}));
  EXPECT_EQ(shape(*single(14, "Reshape", {0, 3}, {ints({3, 0})}, {{"allowzero", 1}})), (Shape{3, 0}));
}

TEST_F(OnnxOperators, Flatten) {
  EXPECT_EQ(shape(*single(13, "Flatten", {2, 3, 4, 5})), (Shape{2, 60}));
  EXPECT_EQ(shape(*single(13, "Flatten", {2, 3, 4, 5}, {}, {{"axis", 0}})), (Shape{1, 120}));
  EXPECT_EQ(shape(*single(13, "Flatten", {2, 3, 4, 5}, {}, {{"axis", 3}})), (Shape{24, 5}));
  EXPECT_EQ(shape(*single(13, "Flatten", {2, 3, 4, 5}, {}, {{"axis", 4}})), (Shape{120, 1}));
  EXPECT_EQ(shape(*single(13, "Flatten", {2, 3, 4, 5}, {}, {{"axis", -1}})), (Shape{24, 5}));
  EXPECT_EQ(shape(*single(13, "Flatten", {"n", 3, 4, 5}))[1], Dim(60));
}

TEST_F(OnnxOperators, SqueezeAndUnsqueezeByAttributeAndInput) {
  EXPECT_EQ(shape(*single(11, "Squeeze", {1, 3, 1}, {}, {{"axes", Ints{0}}})), (Shape{3, 1}));
  EXPECT_EQ(shape(*single(13, "Squeeze", {1, 3, 1}, {ints({-1})})), (Shape{1, 3}));
  EXPECT_EQ(shape(*single(13, "Squeeze", {1, 3, 1})), (Shape{3}));
  EXPECT_EQ(shape(*single(11, "Unsqueeze", {3}, {}, {{"axes", Ints{0, -1}}})), (Shape{1, 3, 1}));
  EXPECT_EQ(shape(*single(13, "Unsqueeze", {3}, {ints({0})})), (Shape{1, 3}));
}

TEST_F(OnnxOperators, TransposeWithoutAnOrderReverses) {
  EXPECT_EQ(shape(*single(13, "Transpose", {2, 3, 4})), (Shape{4, 3, 2}));
  EXPECT_EQ(shape(*single(13, "Transpose", {2, 3, 4}, {}, {{"perm", Ints{0, 2, 1}}})), (Shape{2, 4, 3}));
  ModelBuilder m(13);
  m.input("x", OnnxType::float32, {2, 3, 4});
  m.output(m.op("Transpose", {m.op("Relu", {"x"})}));
  const auto g = prepare(m);
  EXPECT_EQ(shape(*g), (Shape{4, 3, 2}));
  EXPECT_EQ(count(*g, "Range"), 0U);
}

TEST_F(OnnxOperators, SplitInAllVersions) {
  const OnnxTensor x = floats({6}, {1, 2, 3, 4, 5, 6});
  EXPECT_THAT(eval(2, "Split", {x}, {{"axis", 0}}, 3, 1), ElementsAre(3, 4));
  EXPECT_THAT(eval(2, "Split", {x}, {{"split", Ints{1, 5}}}, 2, 0), ElementsAre(1));
  EXPECT_THAT(eval(13, "Split", {x, ints({4, 2})}, {}, 2, 1), ElementsAre(5, 6));
  EXPECT_THAT(eval(18, "Split", {x}, {{"num_outputs", 4}}, 4, 3), ElementsAre());
  EXPECT_THAT(eval(18, "Split", {floats({5}, {1, 2, 3, 4, 5})}, {{"num_outputs", 3}}, 3, 2), ElementsAre(5));
}

TEST_F(OnnxOperators, SliceByAttributes) {
  const OnnxTensor x = floats({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_THAT(eval(9, "Slice", {x}, {{"starts", Ints{0, 1}}, {"ends", Ints{1, -1}}}), ElementsAre(2, 3));
  EXPECT_THAT(eval(9, "Slice", {x}, {{"axes", Ints{1}}, {"starts", Ints{-2}}, {"ends", Ints{1000}}}),
              ElementsAre(3, 4, 7, 8));
}

TEST_F(OnnxOperators, SliceAlongAxesBeyondAnyRankIsRefused) {
  for (const int64_t axis : {int64_t{1} << 30, INT64_MAX, INT64_MIN, int64_t{-65}}) {
    ModelBuilder m(13);
    m.input("x", OnnxType::float32, {2, 3});
    m.output(m.op("Slice", {"x", m.constant(ints({0})), m.constant(ints({1})), m.constant(ints({axis}))}));
    EXPECT_THAT(failure_of(m), HasSubstr(text("an entry of 'axes' is ", axis, ", expected -64 to 63")));
  }
}

// Limits that only inference finds out.
TEST_F(OnnxOperators, SliceByComputedInputs) {
  ModelBuilder m(13);
  m.input("x", OnnxType::float32, {2, 3, 4});
  const auto sum = [&](const Ints& values) {
    const Ints zeros(values.size(), 0);
    return m.op("Add", {m.constant(ints(values)), m.constant(ints(zeros))});
  };
  const std::string starts = sum({3, -2}), ends = sum({-INT64_MAX, 1});
  const std::string axes = sum({-1, 0}), steps = sum({-2, 1});
  m.output(m.op("Slice", {"x", starts, ends, axes, steps}));
  const core::GraphPtr g = prepare(m);
  const core::NodeId n = g->source({g->results()[0], 0}).node;
  EXPECT_EQ(type(*g, g->name(n)), "StridedSlice@opset1");
  EXPECT_EQ(attribute<List>(*g, n, "begin_mask"), (List{0, 1, 0}));
  EXPECT_EQ(attribute<List>(*g, n, "end_mask"), (List{0, 1, 1}));
  EXPECT_EQ(g->out({n, 0}).tensor.shape, (Shape{1, 3, 2}));
}

TEST_F(OnnxOperators, SliceByInputs) {
  const OnnxTensor x = floats({2, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
  const OnnxTensor everything = ints({INT64_MAX});
  EXPECT_THAT(eval(13, "Slice", {x, ints({1}), everything, ints({-1}), ints({2})}), ElementsAre(2, 4, 6, 8));
  EXPECT_THAT(eval(13, "Slice", {x, ints({-1}), ints({-INT64_MAX}), ints({1}), ints({-1})}),
              ElementsAre(4, 3, 2, 1, 8, 7, 6, 5));
  EXPECT_THAT(eval(13, "Slice", {x, ints({1, 0}), ints({2, 2})}), ElementsAre(5, 6));
  EXPECT_THAT(eval(13, "Slice", {x, ints({2, 1}), ints({4, 2}), ints({-1, 0})}), ElementsAre(7, 8));
  // 1 and -2 cross on a matrix: they can only be cut one after the other.
  EXPECT_THAT(eval(13, "Slice", {x, ints({2, 1}), ints({4, 2}), ints({1, -2})}), ElementsAre(7, 8));
}

TEST_F(OnnxOperators, SliceWithComputedBounds) {
  ModelBuilder m(13);
  m.input("x", OnnxType::float32, {1, 3, 8, 8});
  m.input("start", OnnxType::int64, {1});
  m.initializer("end", ints({4}));
  m.initializer("axes", ints({2}));
  m.output(m.op("Slice", {"x", "start", "end", "axes"}));
  const auto g = prepare(m);
  EXPECT_EQ(count(*g, "StridedSlice"), 1U);
  EXPECT_EQ(shape(*g)[1], Dim(3));
  EXPECT_EQ(shape(*g)[2].max, 4);
}

TEST_F(OnnxOperators, PartsOfAShape) {
  const OnnxTensor x = floats({2, 3, 1}, std::vector<float>(6, 0));
  EXPECT_THAT(eval(13, "Shape", {x}), ElementsAre(2, 3, 1));
  EXPECT_THAT(eval(15, "Shape", {x}, {{"start", 1}}), ElementsAre(3, 1));
  EXPECT_THAT(eval(15, "Shape", {x}, {{"start", -2}, {"end", -1}}), ElementsAre(3));
  EXPECT_THAT(eval(13, "Size", {x}), ElementsAre(6));
  EXPECT_THAT(eval(13, "ConstantOfShape", {ints({2})}, {{"value", ints({7})}}), ElementsAre(7, 7));
  EXPECT_THAT(eval(13, "ConstantOfShape", {ints({1})}), ElementsAre(0));
  EXPECT_THAT(
      eval(13, "Range",
           {OnnxTensor::scalar<int64_t>(5), OnnxTensor::scalar<int64_t>(0), OnnxTensor::scalar<int64_t>(-2)}),
      ElementsAre(5, 3, 1));
}

TEST_F(OnnxOperators, PadsMayBeNegative) {
  const OnnxTensor x = floats({4}, {1, 2, 3, 4});
  EXPECT_THAT(eval(11, "Pad", {x, ints({1, 2})}), ElementsAre(0, 1, 2, 3, 4, 0, 0));
  EXPECT_THAT(eval(11, "Pad", {x, ints({-1, 1}), OnnxTensor::scalar(9.0F)}), ElementsAre(2, 3, 4, 9));
  EXPECT_THAT(eval(11, "Pad", {x, ints({2, -3})}, {{"mode", "reflect"}}), ElementsAre(3, 2, 1));
  EXPECT_THAT(eval(2, "Pad", {x}, {{"pads", Ints{0, 1}}, {"mode", "edge"}}), ElementsAre(1, 2, 3, 4, 4));
  EXPECT_THAT(eval(18, "Pad", {floats({1, 2}, {1, 2}), ints({1, 0}), none(), ints({-1})}),
              ElementsAre(0, 1, 2));
}

// Pads count, and what lies beyond them does not: the sums over 1, 2, 3 ... 16 by hand, as ONNX defines them.
TEST_F(OnnxOperators, AveragePoolWithCountedPadsRoundedUp) {
  std::vector<float> upward(16);
  std::iota(upward.begin(), upward.end(), 1.0F);
  for (const int version : {11, 19})
    EXPECT_THAT(
        eval(version, "AveragePool", {floats({1, 1, 4, 4}, upward)},
             {{"kernel_shape", Ints{3, 3}},
              {"strides", Ints{2, 2}},
              {"pads", Ints{1, 1, 1, 1}},
              {"ceil_mode", 1},
              {"count_include_pad", 1}}),
        Pointwise(DoubleNear(1e-5), {14.0 / 9, 30.0 / 9, 2.0, 57.0 / 9, 11.0, 6.0, 27.0 / 6, 7.5, 4.0}))
        << version;
}

// Indices.

// The examples of the specification's GatherElements.
TEST_F(OnnxOperators, GatherElementsFromTheEnd) {
  const auto small = floats({2, 2}, {1, 2, 3, 4}), x = floats({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  EXPECT_THAT(
      eval(13, "GatherElements", {small, OnnxTensor::of<int64_t>({2, 2}, {0, 0, 1, 0})}, {{"axis", 1}}),
      ElementsAre(1, 1, 4, 3));
  EXPECT_THAT(
      eval(13, "GatherElements", {x, OnnxTensor::of<int64_t>({2, 3}, {1, 2, 0, 2, 0, 0})}, {{"axis", 0}}),
      ElementsAre(4, 8, 3, 7, 2, 3));
  EXPECT_THAT(
      eval(13, "GatherElements", {x, OnnxTensor::of<int64_t>({2, 3}, {-1, -2, 0, -2, 0, 0})}, {{"axis", -2}}),
      ElementsAre(7, 5, 3, 4, 2, 3));
}

// onnxruntime 1.30 gives these.
TEST_F(OnnxOperators, GatherElementsOfAPart) {
  const auto x = floats({3, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  const auto indices = OnnxTensor::of<int64_t>({2, 3}, {2, 0, 1, -1, 1, 0});
  EXPECT_THAT(eval(13, "GatherElements", {x, indices}, {{"axis", 0}}), ElementsAre(9, 2, 7, 9, 6, 3));
  EXPECT_THAT(eval(13, "GatherElements", {x, indices}, {{"axis", 1}}), ElementsAre(3, 1, 2, 8, 6, 5));
  EXPECT_THAT(eval(13, "GatherElements", {x, indices}, {{"axis", -1}}), ElementsAre(3, 1, 2, 8, 6, 5));
}

// A mask of integers is added; onnxruntime 1.30 gives these.
TEST_F(OnnxOperators, AttentionAddsAMaskOfIntegers) {
  const auto q = floats({1, 1, 2, 2}, {0.310308099F, -0.390371323F, 0.264966965F, 0.991762161F});
  const auto k = floats({1, 1, 2, 2}, {0.358922958F, 0.346246719F, -0.654603958F, 0.76634413F});
  const auto v = floats({1, 1, 2, 2}, {0.414547682F, 0.655069113F, 0.478838682F, -0.324516535F});
  const auto mask = OnnxTensor::of<int32_t>({2, 2}, {1, 0, 1, 0});
  EXPECT_THAT(eval(23, "Attention", {q, k, v, mask}),
              Pointwise(DoubleNear(1e-6),
                        {0.427906215190887, 0.451529383659363, 0.433193355798721, 0.370969861745834}));
}

TEST_F(OnnxOperators, GatherFromTheEnd) {
  const OnnxTensor x = floats({2, 2}, {1, 2, 3, 4});
  EXPECT_THAT(eval(13, "Gather", {x, OnnxTensor::scalar<int64_t>(-1)}), ElementsAre(3, 4));
  EXPECT_THAT(eval(13, "Gather", {x, ints({1, 0})}, {{"axis", 1}}), ElementsAre(2, 1, 4, 3));
  EXPECT_EQ(type(*single(13, "Gather", {2, 2}, {ints({-1})}), "op"), "Gather@opset7");
}

TEST_F(OnnxOperators, Reductions) {
  const OnnxTensor x = floats({2, 2}, {1, 2, 3, 4});
  EXPECT_THAT(eval(11, "ReduceSum", {x}, {{"axes", Ints{1}}}), ElementsAre(3, 7));
  EXPECT_THAT(eval(13, "ReduceSum", {x, ints({0})}), ElementsAre(4, 6));
  EXPECT_THAT(eval(13, "ReduceSum", {x}), ElementsAre(10));
  EXPECT_THAT(eval(13, "ReduceSum", {x, ints({})}), ElementsAre(10));
  EXPECT_THAT(eval(13, "ReduceSum", {x, ints({})}, {{"noop_with_empty_axes", 1}}), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(eval(13, "ReduceSumSquare", {x}, {{"axes", Ints{-1}}}), ElementsAre(5, 25));
  EXPECT_THAT(eval(13, "ReduceLogSum", {x}, {{"axes", Ints{0}}, {"keepdims", 0}}),
              Pointwise(DoubleNear(1e-5), std::vector<double>{std::log(4.0), std::log(6.0)}));
  EXPECT_THAT(eval(13, "ReduceLogSumExp", {floats({2}, {1000, 1000})}, {{"keepdims", 0}}),
              Pointwise(DoubleNear(1e-3), std::vector<double>{1000 + std::log(2.0)}));
  // As numpy.logaddexp.reduce has it.
  const float infinite = std::numeric_limits<float>::infinity();
  EXPECT_THAT(eval(13, "ReduceLogSumExp", {floats({2}, {-infinite, -infinite})}, {{"keepdims", 0}}),
              ElementsAre(-infinite));
  EXPECT_THAT(eval(13, "ReduceLogSumExp", {floats({2}, {1, infinite})}, {{"keepdims", 0}}),
              ElementsAre(infinite));
  EXPECT_EQ(shape(*single(13, "ReduceMean", {2, 3}, {}, {{"keepdims", 0}})), Shape());
}

TEST_F(OnnxOperators, LargestEntries) {
  const OnnxTensor x = floats({2, 3}, {3, 1, 3, 0, 2, 1});
  EXPECT_THAT(eval(13, "ArgMax", {x}, {{"axis", 1}}), ElementsAre(0, 1));
  EXPECT_THAT(eval(13, "ArgMax", {x}, {{"axis", -1}, {"select_last_index", 1}, {"keepdims", 0}}),
              ElementsAre(2, 1));
  EXPECT_THAT(eval(13, "ArgMin", {x}), ElementsAre(1, 0, 1));
  EXPECT_THAT(eval(11, "TopK", {x, ints({2})}, {}, 2, 1), ElementsAre(0, 2, 1, 2));
  EXPECT_THAT(eval(1, "TopK", {x}, {{"k", 1}, {"axis", 1}}, 2, 0), ElementsAre(3, 2));
}

TEST_F(OnnxOperators, OneHotCountsFromTheEnd) {
  const OnnxTensor values = floats({2}, {0, 1});
  EXPECT_THAT(eval(11, "OneHot", {ints({0, -1}), OnnxTensor::scalar<int64_t>(3), values}),
              ElementsAre(1, 0, 0, 0, 0, 1));
  EXPECT_THAT(eval(11, "OneHot", {floats({1}, {2}), floats({1}, {3}), values}), ElementsAre(0, 0, 1));
}

TEST_F(OnnxOperators, IdentityAndDropoutDisappear) {
  ModelBuilder m(13);
  m.input("x", OnnxType::float32, {2});
  m.node({.type = "Relu", .inputs = {"x"}, .outputs = {"a"}, .name = "act"});
  m.node({.type = "Dropout", .inputs = {"a"}, .outputs = {"b", "mask"}, .name = "drop"});
  m.node({.type = "Identity", .inputs = {"b"}, .outputs = {"y"}, .name = "same"});
  m.output("y");
  const auto g = prepare(m);
  EXPECT_EQ(type(*g, "act"), "ReLU@opset1");
  EXPECT_EQ(g->size(), 3U);
  std::vector<std::string> names;
  for (const core::Symbol s : g->out(output(*g)).names) names.emplace_back(g->symbols().text(s));
  EXPECT_THAT(names, testing::UnorderedElementsAre("a", "b", "y"));
}

TEST_F(OnnxOperators, Casts) {
  EXPECT_THAT(eval(13, "Cast", {floats({2}, {1.7F, -1.7F})}, {{"to", 7}}), ElementsAre(1, -1));
  EXPECT_THAT(eval(5, "Cast", {floats({2}, {1.7F, 0})}, {{"to", "BOOL"}}), ElementsAre(1, 0));
  ModelBuilder m(13);
  m.input("x", OnnxType::float32, {2});
  m.output(m.op("Cast", {"x"}, {{"to", 14}}));
  EXPECT_THAT(failure_of(m), HasSubstr("complex64"));
}

// Images.

TEST_F(OnnxOperators, ResizeWorksOnTheDimensionsThatChange) {
  const auto g =
      single(11, "Resize", {1, 3, 8, 8}, {none(), floats({4}, {1, 1, 2, 2})}, {{"mode", "linear"}});
  EXPECT_EQ(type(*g, "op"), "Interpolate@opset4");
  EXPECT_EQ(shape(*g), (Shape{1, 3, 16, 16}));
  EXPECT_EQ(attribute<std::string>(*g, node(*g, "op"), "mode"), "linear_onnx");
  const core::TensorRef& axes = g->out(g->source({node(*g, "op"), 3})).tensor.value;
  ASSERT_TRUE(axes);
  EXPECT_EQ(axes->dims, List{2});
}

TEST_F(OnnxOperators, ResizeBySizes) {
  const auto g =
      single(13, "Resize", {1, 3, 8, 8}, {none(), none(), ints({1, 3, 5, 12})}, {{"mode", "nearest"}});
  EXPECT_EQ(shape(*g), (Shape{1, 3, 5, 12}));
  const auto open = single(13, "Resize", {"n", 3, 8, 8}, {none(), floats({0}, {}), ints({1, 3, 5, 12})});
  EXPECT_EQ(shape(*open)[2], Dim(5));
  const auto some = single(18, "Resize", {1, 3, 8, 8}, {none(), floats({1}, {2})}, {{"axes", Ints{3}}});
  EXPECT_EQ(shape(*some), (Shape{1, 3, 8, 16}));
}

TEST_F(OnnxOperators, UpsampleInAllVersions) {
  EXPECT_EQ(shape(*single(9, "Upsample", {1, 3, 8, 8}, {floats({4}, {1, 1, 2, 3})})), (Shape{1, 3, 16, 24}));
  EXPECT_EQ(shape(*single(7, "Upsample", {1, 3, 8, 8}, {}, {{"scales", Floats{1, 1, 2, 3}}})),
            (Shape{1, 3, 16, 24}));
  EXPECT_EQ(shape(*single(1, "Upsample", {1, 3, 8, 8}, {}, {{"height_scale", 2.0F}, {"width_scale", 3.0F}})),
            (Shape{1, 3, 16, 24}));
}

TEST_F(OnnxOperators, WhatTheIrCannotSayIsRefusedByName) {
  ModelBuilder m(13);
  m.input("x", OnnxType::float32, {1, 1, 4, 4});
  m.initializer("scales", floats({4}, {1, 1, 2, 2}));
  m.node({.type = "Resize",
          .inputs = {"x", "", "scales"},
          .outputs = {"y"},
          .attributes = {{"mode", "cubic"}, {"coordinate_transformation_mode", "sideways"}},
          .name = "up"});
  m.output("y");
  EXPECT_THAT(failure_of(m), testing::AllOf(HasSubstr("'sideways'"), HasSubstr("'up'")));
}

TEST_F(OnnxOperators, DepthToSpaceModes) {
  const auto mode = [&](std::vector<OnnxAttribute> attributes) {
    attributes.emplace_back("blocksize", 2);
    const auto g = single(13, "DepthToSpace", {1, 8, 2, 2}, {}, attributes);
    EXPECT_EQ(shape(*g), (Shape{1, 2, 4, 4}));
    return attribute<std::string>(*g, node(*g, "op"), "mode");
  };
  EXPECT_EQ(mode({}), "blocks_first");
  EXPECT_EQ(mode({{"mode", "CRD"}}), "depth_first");
}

TEST_F(OnnxOperators, Normalizations) {
  const OnnxTensor three = floats({3}, {1, 2, 3});
  EXPECT_EQ(type(*single(9, "BatchNormalization", {1, 3, 4, 4}, {three, three, three, three}, {},
                         core::Stage::infer),
                 "op"),
            "BatchNormInference@opset5");
  const auto g = single(9, "InstanceNormalization", {1, 3, 4, 4}, {three, three});
  EXPECT_EQ(type(*g, "op"), "Add@opset1");
  EXPECT_EQ(count(*g, "MVN"), 1U);
  EXPECT_EQ(shape(*g), (Shape{1, 3, 4, 4}));
  EXPECT_EQ(shape(*single(17, "LayerNormalization", {2, 4, 3}, {three, three})), (Shape{2, 4, 3}));
  EXPECT_EQ(type(*single(13, "LRN", {1, 3, 4, 4}, {}, {{"size", 3}}), "op"), "LRN@opset1");
  EXPECT_THAT(eval(1, "LpNormalization", {floats({2, 2}, {3, 4, 0, 0})}),
              Pointwise(DoubleNear(1e-6), std::vector<double>{0.6, 0.8, 0, 0}));
}

TEST_F(OnnxOperators, AModelInTrainingModeIsRefused) {
  ModelBuilder m(14);
  m.input("x", OnnxType::float32, {1, 2, 2, 2});
  m.initializer("half", OnnxTensor::scalar<float>(.5F));
  m.initializer("yes", OnnxTensor::raw(OnnxType::boolean, {}, std::as_bytes(std::span("\1", 1))));
  m.node({.type = "Dropout", .inputs = {"x", "half", "yes"}, .outputs = {"y"}, .name = "drop"});
  m.output("y");
  EXPECT_THAT(failure_of(m), testing::AllOf(HasSubstr("training mode"), HasSubstr("drop")));
}

}  // namespace mo::test
