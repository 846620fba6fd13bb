// 8-bit operators of com.microsoft. Expected numbers come from onnxruntime 1.30 on the CPU where no
// other source is named.
#include "microsoft_fixture.hpp"

namespace mo::test {

using testing::HasSubstr;

class OnnxMicrosoftQuantized : public OnnxMicrosoft {};

TEST_F(OnnxMicrosoftQuantized, Arithmetic) {
  {
    const auto y =
        run("QLinearAdd",
            {OnnxTensor::of<uint8_t>({1, 2, 3}, {42, 144, 162, 241, 229, 97}), floats({}, {0.05F}),
             OnnxTensor::of<uint8_t>({}, {120}),
             OnnxTensor::of<uint8_t>({1, 2, 3}, {41, 64, 225, 116, 254, 168}), floats({}, {0.03F}),
             OnnxTensor::of<uint8_t>({}, {100}), floats({}, {0.07F}), OnnxTensor::of<uint8_t>({}, {110})},
            {}, 1);
    EXPECT_THAT(y.at(0), about({29, 112, 194, 203, 254, 123}));
  }
  {
    const auto y =
        run("QLinearMul",
            {OnnxTensor::of<uint8_t>({1, 2, 3}, {42, 144, 162, 241, 229, 97}), floats({}, {0.05F}),
             OnnxTensor::of<uint8_t>({}, {120}),
             OnnxTensor::of<uint8_t>({1, 2, 3}, {41, 64, 225, 116, 254, 168}), floats({}, {0.03F}),
             OnnxTensor::of<uint8_t>({}, {100}), floats({}, {0.1F}), OnnxTensor::of<uint8_t>({}, {110})},
            {}, 1);
    EXPECT_THAT(y.at(0), about({179, 97, 189, 139, 255, 87}));
  }
}

TEST_F(OnnxMicrosoftQuantized, Activations) {
  {
    const auto y =
        run("QLinearSigmoid",
            {OnnxTensor::of<uint8_t>({1, 2, 3}, {42, 144, 162, 241, 229, 97}), floats({}, {0.05F}),
             OnnxTensor::of<uint8_t>({}, {120}), floats({}, {0.00390625F}), OnnxTensor::of<uint8_t>({}, {0})},
            {}, 1);
    EXPECT_THAT(y.at(0), about({5, 197, 228, 255, 255, 62}));
  }
  {
    const auto y =
        run("QLinearLeakyRelu",
            {OnnxTensor::of<uint8_t>({1, 2, 3}, {42, 144, 162, 241, 229, 97}), floats({}, {0.05F}),
             OnnxTensor::of<uint8_t>({}, {120}), floats({}, {0.06F}), OnnxTensor::of<uint8_t>({}, {100})},
            {{"alpha", 0.1F}}, 1);
    EXPECT_THAT(y.at(0), about({93, 120, 135, 201, 191, 98}));
  }
  {
    const auto y =
        run("QLinearSoftmax",
            {OnnxTensor::of<uint8_t>({1, 2, 3}, {42, 144, 162, 241, 229, 97}), floats({}, {0.05F}),
             OnnxTensor::of<uint8_t>({}, {120}), floats({}, {0.00390625F}), OnnxTensor::of<uint8_t>({}, {0})},
            {{"axis", 1}, {"opset", 13}}, 1);
    EXPECT_THAT(y.at(0), about({0, 4, 246, 255, 252, 10}));
  }
  {
    const auto y =
        run("QLinearSoftmax",
            {OnnxTensor::of<uint8_t>({1, 2, 3}, {42, 144, 162, 241, 229, 97}), floats({}, {0.05F}),
             OnnxTensor::of<uint8_t>({}, {120}), floats({}, {0.00390625F}), OnnxTensor::of<uint8_t>({}, {0})},
            {{"axis", 1}, {"opset", 11}}, 1);
    EXPECT_THAT(y.at(0), about({0, 1, 3, 162, 89, 0}));
  }
}

TEST_F(OnnxMicrosoftQuantized, Selection) {
  {
    const auto y =
        run("QLinearWhere",
            {flags({1, 2, 3}, {1, 0, 1, 0, 0, 1}),
             OnnxTensor::of<uint8_t>({1, 2, 3}, {42, 144, 162, 241, 229, 97}), floats({}, {0.05F}),
             OnnxTensor::of<uint8_t>({}, {120}),
             OnnxTensor::of<uint8_t>({1, 2, 3}, {41, 64, 225, 116, 254, 168}), floats({}, {0.03F}),
             OnnxTensor::of<uint8_t>({}, {100}), floats({}, {0.05F}), OnnxTensor::of<uint8_t>({}, {110})},
            {}, 1);
    EXPECT_THAT(y.at(0), about({32, 88, 152, 120, 202, 87}));
  }
  {
    const auto y = run(
        "QLinearConcat",
        {floats({}, {0.05F}), OnnxTensor::of<uint8_t>({}, {110}),
         OnnxTensor::of<uint8_t>({1, 2, 3}, {42, 144, 162, 241, 229, 97}), floats({}, {0.05F}),
         OnnxTensor::of<uint8_t>({}, {120}), OnnxTensor::of<uint8_t>({1, 2, 3}, {41, 64, 225, 116, 254, 168}),
         floats({}, {0.03F}), OnnxTensor::of<uint8_t>({}, {100})},
        {{"axis", 2}}, 1);
    EXPECT_THAT(y.at(0), about({32, 134, 152, 75, 88, 185, 231, 219, 87, 120, 202, 151}));
  }
}

TEST_F(OnnxMicrosoftQuantized, Pooling) {
  {
    const auto y = run("QLinearAveragePool",
                       {OnnxTensor::of<uint8_t>({1, 2, 3, 3}, {152, 25, 151, 97, 215, 34, 49, 169, 174, 212,
                                                               134, 96, 78, 95, 169, 138, 75, 55}),
                        floats({}, {0.05F}), OnnxTensor::of<uint8_t>({}, {120}), floats({}, {0.041F}),
                        OnnxTensor::of<uint8_t>({}, {110})},
                       {{"kernel_shape", Ints{2, 2}}, {"pads", Ints{0, 0, 1, 1}}, {"channels_last", 0}}, 1);
    EXPECT_THAT(y.at(0),
                about({113, 93, 76, 125, 144, 90, 97, 173, 176, 122, 114, 125, 81, 84, 100, 94, 43, 31}));
  }
  {
    const auto y = run("QLinearAveragePool",
                       {OnnxTensor::of<uint8_t>({1, 3, 3, 2}, {152, 212, 25, 134, 151, 96, 97, 78, 215, 95,
                                                               34, 169, 49, 138, 169, 75, 174, 55}),
                        floats({}, {0.05F}), OnnxTensor::of<uint8_t>({}, {120}), floats({}, {0.041F}),
                        OnnxTensor::of<uint8_t>({}, {110})},
                       {{"kernel_shape", Ints{2, 2}}, {"channels_last", 1}}, 1);
    EXPECT_THAT(y.at(0), about({113, 122, 93, 114, 125, 81, 144, 84}));
  }
  {
    const auto y = run("QLinearGlobalAveragePool",
                       {OnnxTensor::of<uint8_t>({1, 2, 3, 3}, {152, 25, 151, 97, 215, 34, 49, 169, 174, 212,
                                                               134, 96, 78, 95, 169, 138, 75, 55}),
                        floats({}, {0.05F}), OnnxTensor::of<uint8_t>({}, {120}), floats({}, {0.011F}),
                        OnnxTensor::of<uint8_t>({}, {110})},
                       {{"channels_last", 0}}, 1);
    EXPECT_THAT(y.at(0), about({103, 96}));
  }
  {
    const auto y = run("QLinearGlobalAveragePool",
                       {OnnxTensor::of<uint8_t>({1, 3, 3, 2}, {152, 212, 25, 134, 151, 96, 97, 78, 215, 95,
                                                               34, 169, 49, 138, 169, 75, 174, 55}),
                        floats({}, {0.05F}), OnnxTensor::of<uint8_t>({}, {120}), floats({}, {0.011F}),
                        OnnxTensor::of<uint8_t>({}, {110})},
                       {{"channels_last", 1}}, 1);
    EXPECT_THAT(y.at(0), about({103, 96}));
  }
  // by its formula: onnxruntime has no kernel on the CPU
  {
    const auto y =
        run("QLinearReduceMean",
            {OnnxTensor::of<uint8_t>({1, 2, 3}, {42, 144, 162, 241, 229, 97}), floats({}, {0.05F}),
             OnnxTensor::of<uint8_t>({}, {120}), floats({}, {0.031F}), OnnxTensor::of<uint8_t>({}, {110})},
            {{"axes", Ints{-1}}, {"keepdims", 0}}, 1);
    EXPECT_THAT(y.at(0), about({104, 221}));
  }
}

TEST_F(OnnxMicrosoftQuantized, Convolution) {
  {
    const auto y = run("QLinearConv",
                       {OnnxTensor::of<uint8_t>({1, 3, 3, 2}, {152, 212, 25, 134, 151, 96, 97, 78, 215, 95,
                                                               34, 169, 49, 138, 169, 75, 174, 55}),
                        floats({}, {0.05F}), OnnxTensor::of<uint8_t>({}, {120}),
                        OnnxTensor::of<int8_t>(
                            {2, 2, 2, 2}, {8, -11, -12, -7, 14, -2, 3, -17, -7, 10, 10, 3, 15, -9, -14, -17}),
                        floats({2}, {0.02F, 0.03F}), OnnxTensor::of<int8_t>({2}, {0, 0}), floats({}, {0.2F}),
                        OnnxTensor::of<uint8_t>({}, {110}), OnnxTensor::of<int32_t>({2}, {100, -50})},
                       {{"channels_last", 1}, {"kernel_shape", Ints{2, 2}}}, 1);
    EXPECT_THAT(y.at(0), about({123, 118, 99, 122, 108, 115, 117, 110}));
  }
}

TEST_F(OnnxMicrosoftQuantized, Products) {
  {
    const auto y =
        run("QGemm",
            {OnnxTensor::of<uint8_t>({2, 3}, {51, 195, 231, 33, 128, 34}), floats({}, {0.05F}),
             OnnxTensor::of<uint8_t>({}, {120}), OnnxTensor::of<int8_t>({3, 2}, {68, -74, 27, -83, 47, 80}),
             floats({2}, {0.02F, 0.03F}), OnnxTensor::of<int8_t>({2}, {1, 2}),
             OnnxTensor::of<int32_t>({2}, {10, -20}), floats({}, {0.5F}), OnnxTensor::of<uint8_t>({}, {100})},
            {}, 1);
    EXPECT_THAT(y.at(0), about({105, 123, 81, 98}));
  }
  {
    const auto y =
        run("QGemm",
            {OnnxTensor::of<uint8_t>({3, 2}, {51, 33, 195, 128, 231, 34}), floats({}, {0.05F}),
             OnnxTensor::of<uint8_t>({}, {120}), OnnxTensor::of<int8_t>({2, 3}, {68, 27, 47, -74, -83, 80}),
             floats({}, {0.02F}), OnnxTensor::of<int8_t>({}, {1})},
            {{"transA", 1}, {"transB", 1}, {"alpha", 0.5F}}, 1);
    EXPECT_THAT(y.at(0), near({1.2165, 3.822, -4.7885, -0.4705}));
  }
  {
    const auto y = run("MatMulIntegerToFloat",
                       {OnnxTensor::of<uint8_t>({2, 3}, {51, 195, 231, 33, 128, 34}),
                        OnnxTensor::of<int8_t>({3, 2}, {68, -74, 27, -83, 47, 80}), floats({}, {0.05F}),
                        floats({2}, {0.02F, 0.03F}), OnnxTensor::of<uint8_t>({}, {120}),
                        OnnxTensor::of<int8_t>({2}, {1, 2}), floats({2}, {1, -1})},
                       {}, 1);
    EXPECT_THAT(y.at(0), near({3.433, 10.2905, -8.577, -2.164}));
  }
  {
    const auto y = run("DynamicQuantizeMatMul",
                       {floats({2, 3}, {1.5F, -0.75F, 1, 1.5F, 0, 0.5F}),
                        OnnxTensor::of<int8_t>({3, 2}, {68, -74, 27, -83, 47, 80}), floats({}, {0.02F}),
                        OnnxTensor::of<int8_t>({}, {1}), floats({2}, {1.5F, -1.25F})},
                       {}, 1);
    EXPECT_THAT(y.at(0), near({4.03729, -0.664647, 3.97271, -2.70535}));
  }
  {
    const auto y = run("MatMulInteger16",
                       {OnnxTensor::of<int16_t>({1, 2}, {-289, -40}),
                        OnnxTensor::of<int16_t>({2, 2}, {-192, 230, 220, -75})},
                       {}, 1);
    EXPECT_THAT(y.at(0), about({46688, -63470}));
  }
  // by its formula: onnxruntime has no kernel on the CPU
  {
    const auto y =
        run("MulInteger",
            {OnnxTensor::of<uint8_t>({2, 3}, {51, 195, 231, 33, 128, 34}), OnnxTensor::of<uint8_t>({}, {3}),
             OnnxTensor::of<uint8_t>({2, 3}, {51, 195, 231, 33, 128, 34}), OnnxTensor::of<uint8_t>({}, {9})},
            {}, 1);
    EXPECT_THAT(y.at(0), about({2016, 35712, 50616, 720, 14875, 775}));
  }
  // by its formula: onnxruntime has no kernel on the CPU
  {
    const auto y = run("ReduceSumInteger", {OnnxTensor::of<int8_t>({3, 2}, {68, -74, 27, -83, 47, 80})},
                       {{"axes", Ints{0}}, {"keepdims", 0}}, 1);
    EXPECT_THAT(y.at(0), about({142, -77}));
  }
}

TEST_F(OnnxMicrosoftQuantized, Quantization) {
  {
    const auto y = run("QuantizeLinear",
                       {floats({2, 3}, {-0.75F, 1, -0.25F, -1.75F, 0.75F, 1}),
                        floats({3}, {0.02F, 0.03F, 0.05F}), OnnxTensor::of<uint16_t>({3}, {1, 2, 3})},
                       {{"axis", 1}}, 1);
    EXPECT_THAT(y.at(0), same({0, 35, 0, 0, 27, 23}));
  }
  {
    const auto y = run("QuantizeLinear",
                       {floats({2, 3}, {-1.75F, 1.25F, 0.25F, 1.5F, 1.5F, 0.75F}), floats({}, {0.05F}),
                        OnnxTensor::of<int16_t>({}, {-7})},
                       {}, 1);
    EXPECT_THAT(y.at(0), same({-42, 18, -2, 23, 23, 8}));
  }
  {
    const auto y = run("DequantizeLinear",
                       {OnnxTensor::of<uint16_t>({2, 3}, {3333, 3706, 7240, 642, 2309, 5187}),
                        floats({2}, {0.02F, 0.03F}), OnnxTensor::of<uint16_t>({2}, {1000, 2000})},
                       {{"axis", 0}}, 1);
    EXPECT_THAT(y.at(0), near({46.66, 54.12, 124.8, -40.74, 9.27, 95.61}));
  }
  {
    const auto y =
        run("DequantizeLinear", {OnnxTensor::of<int32_t>({2}, {1000, -7}), floats({}, {0.02F})}, {}, 1);
    EXPECT_THAT(y.at(0), near({20, -0.14}));
  }
}

TEST_F(OnnxMicrosoftQuantized, WrongInputsAreNamed) {
  const OnnxTensor x = OnnxTensor::of<uint8_t>({1, 2}, {1, 2}), s = OnnxTensor::scalar<float>(0.1F);
  const OnnxTensor z = OnnxTensor::scalar<uint8_t>(1);
  EXPECT_THAT(refusal("QLinearConcat", {s, z, x, s}, {{"axis", 0}}),
              HasSubstr("it has 4 inputs, expected 2 and three for each part"));
  const OnnxTensor f = floats({1, 2}, {1, 2});
  EXPECT_THAT(refusal("QuantizeWithOrder", {f, s}, {{"order_input", 1}, {"order_output", 5}}),
              HasSubstr("'order_output' is 5, expected 0 to 4"));
  const OnnxTensor i8 = OnnxTensor::of<int8_t>({2, 2}, {1, 2, 3, 4});
  EXPECT_THAT(refusal("QOrderedMatMul", {i8, s, i8, s, s}, {{"order_A", 1}, {"order_B", 3}, {"order_Y", 1}}),
              HasSubstr("expected 'order_A' and 'order_Y' 2 with this 'order_B'"));
  EXPECT_THAT(refusal("QOrderedMatMul", {i8, s, i8, s, s}, {{"order_A", 2}, {"order_B", 3}, {"order_Y", 2}}),
              HasSubstr("has shape [2,2], expected multiples of 32 and 8 for order 3"));
  EXPECT_THAT(refusal("QOrderedGelu", {i8, s, s}, {{"order_X", 1}, {"order_Y", 2}}),
              HasSubstr("'order_X' and 'order_Y' are 1 and 2, expected the same"));
  EXPECT_THAT(refusal("MatMulBnb4", {f, OnnxTensor::of<uint8_t>({3}, {1, 2, 3}), s},
                      {{"K", 2}, {"N", 2}, {"block_size", 16}, {"quant_type", 1}}),
              HasSubstr("the weights, has 3 bytes, expected 2"));
}

}  // namespace mo::test
