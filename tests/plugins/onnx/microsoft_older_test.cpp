// Operators that com.microsoft had before ONNX. Expected numbers come from onnxruntime 1.30 on the CPU where
// no other source is named.
#include "microsoft_fixture.hpp"

namespace mo::test {

using testing::HasSubstr;

class OnnxMicrosoftOlder : public OnnxMicrosoft {};

TEST_F(OnnxMicrosoftOlder, RangesAndTriangles) {
  {
    const auto y = run("Range",
                       {OnnxTensor::of<int64_t>({}, {1}), OnnxTensor::of<int64_t>({}, {8}),
                        OnnxTensor::of<int64_t>({}, {3})},
                       {}, 1);
    EXPECT_THAT(y.at(0), same({1, 4, 7}));
  }
  {
    const auto y = run("Range", {floats({}, {1.5F}), floats({}, {4})}, {}, 1);
    EXPECT_THAT(y.at(0), near({1.5, 2.5, 3.5}));
  }
  {
    const auto y =
        run("Trilu", {floats({2, 3}, {1.25F, 1.25F, 0.75F, -0.25F, 1.5F, -0.5F})}, {{"upper", 0}}, 1);
    EXPECT_THAT(y.at(0), near({1.25, 0, 0, -0.25, 1.5, 0}));
  }
  {
    const auto y =
        run("Trilu",
            {floats({2, 3}, {0.75F, 0.25F, -0.75F, -1.25F, 0.25F, -0.75F}), OnnxTensor::of<int64_t>({}, {1})},
            {{"upper", 1}}, 1);
    EXPECT_THAT(y.at(0), near({0, 0.25, -0.75, 0, 0, -0.75}));
  }
}

TEST_F(OnnxMicrosoftOlder, Unique) {
  {
    const auto y = run("Unique", {floats({5}, {2, 1, 1, 3, 2})}, {}, 3);
    EXPECT_THAT(y.at(0), near({2, 1, 3}));
    EXPECT_THAT(y.at(1), same({0, 1, 1, 2, 0}));
    EXPECT_THAT(y.at(2), same({2, 2, 1}));
  }
}

TEST_F(OnnxMicrosoftOlder, Matrices) {
  {
    const auto y = run("Inverse", {floats({1, 2, 2}, {2, 1, 1, 1})}, {}, 1);
    EXPECT_THAT(y.at(0), near({1, -1, -1, 2}));
  }
  {
    const auto y =
        run("CDist", {floats({2, 2}, {0, 1, 1.25F, 1.25F}), floats({3, 2}, {0, -2, -1.25F, 1, 0.5F, 1.25F})},
            {{"metric", "euclidean"}}, 1);
    EXPECT_THAT(y.at(0), near({3, 1.25, 0.559017, 3.4821, 2.51247, 0.75}));
  }
  {
    const auto y = run("CDist", {floats({2, 2}, {0, -0.25F, -1, -1.75F}), floats({1, 2}, {-1.5F, 0.75F})},
                       {{"metric", "sqeuclidean"}}, 1);
    EXPECT_THAT(y.at(0), near({3.25, 6.5}));
  }
}

TEST_F(OnnxMicrosoftOlder, Gathering) {
  {
    const auto y = run("GatherND",
                       {floats({2, 2, 2}, {0.25F, -1, -0.5F, 0.5F, -0.5F, -0.5F, -1, 0.5F}),
                        OnnxTensor::of<int64_t>({2, 2}, {1, 0, 0, 1})},
                       {}, 1);
    EXPECT_THAT(y.at(0), near({-0.5, -0.5, -0.5, 0.5}));
  }
  {
    const auto y = run("ExpandDims", {floats({2}, {1.75F, -1}), OnnxTensor::of<int32_t>({}, {-1})}, {}, 1);
    EXPECT_THAT(y.at(0), near({1.75, -1}));
  }
  // by its formula: onnxruntime has no kernel on the CPU
  {
    const auto y =
        run("TorchEmbedding",
            {floats({3, 2}, {-1, 0, -1.25F, 0, 1.75F, 0.5F}), OnnxTensor::of<int64_t>({2}, {2, 0})}, {}, 1);
    EXPECT_THAT(y.at(0), near({1.75, 0.5, -1, 0}));
  }
}

TEST_F(OnnxMicrosoftOlder, Images) {
  {
    const auto y = run("GridSample",
                       {floats({1, 1, 2, 3}, {-1.5F, -1.25F, -1.75F, 2, -0.75F, -1}),
                        floats({1, 1, 2, 2}, {0, 0.5F, -0.75F, 1})},
                       {{"mode", "bilinear"}, {"padding_mode", "border"}, {"align_corners", 1}}, 1);
    EXPECT_THAT(y.at(0), near({-0.875, 1.3125}));
  }
  {
    const auto y = run(
        "CropAndResize",
        {floats({1, 1, 3, 4}, {1.5F, -0.75F, -1.25F, -1, -0.5F, -1.75F, 0.5F, -0.25F, 2, 1.25F, -0.5F, 1}),
         floats({1, 4}, {0, 0.25F, 1, 1.25F}), OnnxTensor::of<int32_t>({1}, {0}),
         OnnxTensor::of<int32_t>({2}, {2, 3})},
        {{"extrapolation_value", 9.0F}}, 1);
    EXPECT_THAT(y.at(0), near({-0.1875, -1.1875, 9, 1.4375, -0.125, 9}));
  }
  {
    const auto y = run("CropAndResize",
                       {floats({1, 1, 3, 4}, {1.25F, -1.25F, -1.5F, -1.5F, -2, -0.75F, 1.25F, 1.25F, -0.5F, 0,
                                              1.25F, 1.75F}),
                        floats({1, 4}, {0, 0, 1, 1}), OnnxTensor::of<int32_t>({1}, {0}),
                        OnnxTensor::of<int32_t>({2}, {1, 2})},
                       {}, 1);
    EXPECT_THAT(y.at(0), near({-2, 1.25}));
  }
}

TEST_F(OnnxMicrosoftOlder, Pads) {
  {
    const auto y = run("Pad",
                       {floats({2, 3}, {-1, 0.75F, 0.5F, 0.5F, 1.25F, 1.25F}),
                        OnnxTensor::of<int64_t>({4}, {0, 1, 1, -1}), floats({}, {7})},
                       {}, 1);
    EXPECT_THAT(y.at(0), near({7, -1, 0.75, 7, 0.5, 1.25, 7, 7, 7}));
  }
  {
    const auto y =
        run("Pad",
            {floats({2, 3}, {-0.5F, 1, -2, -0.75F, -1.25F, -1}), OnnxTensor::of<int64_t>({4}, {0, 1, 1, 2})},
            {{"mode", "reflect"}}, 1);
    EXPECT_THAT(y.at(0), near({1, -0.5, 1, -2, 1, -0.5, -1.25, -0.75, -1.25, -1, -1.25, -0.75, 1, -0.5, 1, -2,
                               1, -0.5}));
  }
  {
    const auto y = run("Pad",
                       {floats({2, 3}, {1.75F, -0.25F, -1.75F, 0, -1.75F, -1.5F}),
                        OnnxTensor::of<int64_t>({4}, {0, 1, 1, 2})},
                       {{"mode", "edge"}}, 1);
    EXPECT_THAT(y.at(0), near({1.75, 1.75, -0.25, -1.75, -1.75, -1.75, 0, 0, -1.75, -1.5, -1.5, -1.5, 0, 0,
                               -1.75, -1.5, -1.5, -1.5}));
  }
}

TEST_F(OnnxMicrosoftOlder, Spectra) {
  // by its formula: onnxruntime has no kernel on the CPU
  {
    const auto y = run("Rfft", {floats({1, 4}, {-0.5F, -0.25F, -1.25F, 0.5F})},
                       {{"signal_ndim", 1}, {"normalized", 0}, {"onesided", 1}}, 1);
    EXPECT_THAT(y.at(0), near({-1.5, 0, 0.75, 0.75, -2, 0}));
  }
  // by its formula: onnxruntime has no kernel on the CPU
  {
    const auto y = run("Irfft", {floats({1, 3, 2}, {-1.5F, 0, 0.75F, 0.75F, -2, 0})},
                       {{"signal_ndim", 1}, {"normalized", 0}, {"onesided", 1}}, 1);
    EXPECT_THAT(y.at(0), near({-0.5, -0.25, -1.25, 0.5}));
  }
  // by its formula: onnxruntime has no kernel on the CPU
  {
    const auto y =
        run("ComplexMul", {floats({2, 2}, {0, -1.5F, 1.25F, -1.5F}), floats({2, 2}, {-0.5F, -1.5F, 2, -1})},
            {}, 1);
    EXPECT_THAT(y.at(0), near({-2.25, 0.75, 1, -4.25}));
  }
  // by its formula: onnxruntime has no kernel on the CPU
  {
    const auto y =
        run("ComplexMulConj",
            {floats({2, 2}, {0, -1.5F, 1.25F, -1.5F}), floats({2, 2}, {-0.5F, -1.5F, 2, -1})}, {}, 1);
    EXPECT_THAT(y.at(0), near({2.25, 0.75, 4, -1.75}));
  }
}

TEST_F(OnnxMicrosoftOlder, Finite) {
  // by its formula: onnxruntime has no kernel on the CPU
  {
    const auto y =
        run("IsAllFinite", {floats({2}, {1.5F, 2}), floats({2, 2}, {-1.25F, -2, -2, -1.25F})}, {}, 1);
    EXPECT_THAT(y.at(0), same({1}));
  }
  // by its formula: onnxruntime has no kernel on the CPU
  {
    const auto y = run(
        "IsAllFinite",
        {floats({2}, {-0.5F, -1.5F}), floats({1, 2}, {1, std::numeric_limits<float>::infinity()})}, {}, 1);
    EXPECT_THAT(y.at(0), same({0}));
  }
}

TEST_F(OnnxMicrosoftOlder, WrongAttributesAreNamed) {
  const OnnxTensor x = floats({1, 2}, {1, 2});
  EXPECT_THAT(refusal("CDist", {x, x}, {{"metric", "cosine"}}), HasSubstr("'metric' is 'cosine'"));
  EXPECT_THAT(refusal("Pad", {x, ints({0, 0, 1, 1})}, {{"mode", "wrap"}}), HasSubstr("'mode' is 'wrap'"));
  EXPECT_THAT(refusal("Rfft", {x}, {{"signal_ndim", 4}}), HasSubstr("'signal_ndim' is 4, expected 1 to 3"));
}

}  // namespace mo::test
