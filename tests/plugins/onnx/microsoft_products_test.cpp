// Products and convolutions of com.microsoft, also with packed weights. Expected numbers come from
// onnxruntime 1.30 on the CPU where no other source is named.
#include "microsoft_fixture.hpp"

namespace mo::test {

using testing::HasSubstr;

class OnnxMicrosoftProducts : public OnnxMicrosoft {};

TEST_F(OnnxMicrosoftProducts, FusedMatMul) {
  {
    const auto y = run(
        "FusedMatMul",
        {floats({3, 2}, {2, 1, 1.25F, -1.25F, -1, -1}), floats({2, 3}, {1, 0.25F, -1.25F, 1, 0.5F, 1.75F})},
        {{"transA", 1}, {"transB", 1}, {"alpha", 0.5F}}, 1);
    EXPECT_THAT(y.at(0), near({1.78125, 0.4375, 0.96875, -0.6875}));
  }
  {
    const auto y = run("FusedMatMul",
                       {floats({2, 1, 3}, {0.25F, -1.5F, 1.75F, -1.25F, -2, 1.25F}),
                        floats({1, 3, 2}, {-0.25F, 0.5F, -1.5F, 1, -0.5F, 2})},
                       {{"transBatchA", 1}}, 1);
    EXPECT_THAT(y.at(0), near({1.3125, 2.125, 2.6875, -0.125}));
  }
  {
    const auto y = run("FusedMatMul",
                       {floats({3, 1, 2}, {0.5F, 1.75F, 1.25F, 1.5F, -1.75F, 1.25F}),
                        floats({2, 1, 3}, {0.5F, -0.5F, -0.75F, 0.5F, -1.25F, -1.25F})},
                       {{"transBatchA", 1}, {"transA", 1}, {"transBatchB", 1}, {"transB", 1}}, 1);
    EXPECT_THAT(y.at(0), near({0.9375, 0.875, -0.8125, -2.5625}));
  }
  {
    const auto y =
        run("TransposeMatMul",
            {floats({2, 3}, {1.5F, 1, 0.5F, 1, -0.75F, 1}), floats({2, 2}, {-1.25F, -0.25F, -1.5F, -0.5F})},
            {{"transA", 1}}, 1);
    EXPECT_THAT(y.at(0), near({-3.375, -0.875, -0.125, 0.125, -2.125, -0.625}));
  }
  // by its formula: onnxruntime has no kernel on the CPU
  {
    const auto y =
        run("FusedMatMulActivation",
            {floats({2, 2}, {-0.75F, -0.25F, 0, -2}), floats({2, 2}, {-0.75F, 1.5F, -0.25F, 0.25F})},
            {{"activation", "Relu"}}, 1);
    EXPECT_THAT(y.at(0), near({0.625, 0, 0.5, 0}));
  }
}

TEST_F(OnnxMicrosoftProducts, FusedGemm) {
  {
    const auto y =
        run("FusedGemm",
            {floats({2, 2}, {-1.75F, -0.5F, 2, 0.25F}), floats({2, 2}, {-2, 1, 1.25F, -0.5F}),
             floats({2}, {-2, 1.5F})},
            {{"activation", "LeakyRelu"}, {"activation_alpha", 0.2F}, {"alpha", 0.5F}, {"beta", 2.0F}}, 1);
    EXPECT_THAT(y.at(0), near({-0.5125, 2.25, -1.16875, 3.9375}));
  }
  {
    const auto y =
        run("FusedGemm", {floats({2, 2}, {-1, 1.75F, -0.5F, -0.5F}), floats({2, 2}, {1.25F, -1.5F, -2, 1})},
            {{"activation", "Sigmoid"}, {"transB", 1}}, 1);
    EXPECT_THAT(y.at(0), near({0.0203323, 0.977023, 0.531209, 0.622459}));
  }
  // by its formula: onnxruntime has no kernel on the CPU
  {
    const auto y = run("GemmFastGelu",
                       {floats({2, 2}, {1.75F, 2, -1.5F, -1.5F}), floats({2, 2}, {-0.75F, 1, 1.75F, 1.5F}),
                        floats({2}, {-0.5F, 1.75F})},
                       {}, 1);
    EXPECT_THAT(y.at(0), near({1.61015, 6.5, -0.0454023, -0.0454023}));
  }
}

TEST_F(OnnxMicrosoftProducts, FusedConv) {
  {
    const auto y =
        run("FusedConv",
            {floats({1, 2, 3, 3}, {-1, -1.5F, -0.25F, -1.75F, 0.75F, 2, -1.75F, -1.75F, -1.25F, -1.25F, 0.25F,
                                   0.25F, 2, -0.25F, 1.75F, 1, 1.5F, -1.25F}),
             floats({2, 2, 2, 2}, {-0.25F, 1.75F, 1, -1.25F, 1.5F, 1.25F, -1.5F, -1.75F, -1, 0, -1.5F, -2,
                                   -1.75F, -0.75F, -0.5F, -0.75F}),
             floats({2}, {-0.25F, 1}), floats({1, 2, 2, 2}, {-1, -0.25F, 1, -2, 1.75F, 2, -1, 1.75F})},
            {{"activation", "Relu"}}, 1);
    EXPECT_THAT(y.at(0), near({0, 0, 1.5, 2.625, 6.0625, 0, 2.9375, 6.4375}));
  }
  {
    const auto y = run("FusedConv",
                       {floats({1, 2, 3, 3}, {-1, -1.5F, -0.25F, -1.75F, 0.75F, 2, -1.75F, -1.75F, -1.25F,
                                              -1.25F, 0.25F, 0.25F, 2, -0.25F, 1.75F, 1, 1.5F, -1.25F}),
                        floats({2, 2, 2, 2}, {-0.25F, 1.75F, 1, -1.25F, 1.5F, 1.25F, -1.5F, -1.75F, -1, 0,
                                              -1.5F, -2, -1.75F, -0.75F, -0.5F, -0.75F}),
                        floats({2}, {-1, 1.75F})},
                       {{"activation", "LeakyRelu"}, {"activation_params", Floats{0.2F}}}, 1);
    EXPECT_THAT(y.at(0), near({-2.0375, -0.9625, -0.05, 3.875, 5.0625, -0.7375, 4.6875, 5.4375}));
  }
  {
    const auto y = run("FusedConv",
                       {floats({1, 2, 3, 3}, {-1, -1.5F, -0.25F, -1.75F, 0.75F, 2, -1.75F, -1.75F, -1.25F,
                                              -1.25F, 0.25F, 0.25F, 2, -0.25F, 1.75F, 1, 1.5F, -1.25F}),
                        floats({2, 2, 2, 2}, {-0.25F, 1.75F, 1, -1.25F, 1.5F, 1.25F, -1.5F, -1.75F, -1, 0,
                                              -1.5F, -2, -1.75F, -0.75F, -0.5F, -0.75F}),
                        floats({2}, {0.75F, -1})},
                       {{"activation", "Clip"}, {"activation_params", Floats{-1.0F, 2.0F}}}, 1);
    EXPECT_THAT(y.at(0), near({-1, -1, 1.5, 2, 2, -1, 1.9375, 2}));
  }
  {
    const auto y = run("FusedConv",
                       {floats({1, 2, 3, 3}, {-1, -1.5F, -0.25F, -1.75F, 0.75F, 2, -1.75F, -1.75F, -1.25F,
                                              -1.25F, 0.25F, 0.25F, 2, -0.25F, 1.75F, 1, 1.5F, -1.25F}),
                        floats({2, 2, 2, 2}, {-0.25F, 1.75F, 1, -1.25F, 1.5F, 1.25F, -1.5F, -1.75F, -1, 0,
                                              -1.5F, -2, -1.75F, -0.75F, -0.5F, -0.75F}),
                        floats({2}, {-1.75F, -0.5F})},
                       {{"activation", "HardSigmoid"}, {"activation_params", Floats{0.3F, 0.4F}}}, 1);
    EXPECT_THAT(y.at(0), near({0, 0, 0.1, 1, 1, 0, 1, 1}));
  }
  {
    const auto y = run("FusedConv",
                       {floats({1, 2, 3, 3}, {-1, -1.5F, -0.25F, -1.75F, 0.75F, 2, -1.75F, -1.75F, -1.25F,
                                              -1.25F, 0.25F, 0.25F, 2, -0.25F, 1.75F, 1, 1.5F, -1.25F}),
                        floats({2, 2, 2, 2}, {-0.25F, 1.75F, 1, -1.25F, 1.5F, 1.25F, -1.5F, -1.75F, -1, 0,
                                              -1.5F, -2, -1.75F, -0.75F, -0.5F, -0.75F})},
                       {{"activation", "Tanh"}}, 1);
    EXPECT_THAT(y.at(0), near({-1, -0.999024, 0.635149, 0.999883, 0.99735, -0.999962, 0.994398, 0.998747}));
  }
  {
    const auto y = run("FusedConv",
                       {floats({1, 2, 3, 3}, {-1, -1.5F, -0.25F, -1.75F, 0.75F, 2, -1.75F, -1.75F, -1.25F,
                                              -1.25F, 0.25F, 0.25F, 2, -0.25F, 1.75F, 1, 1.5F, -1.25F}),
                        floats({2, 2, 2, 2}, {-0.25F, 1.75F, 1, -1.25F, 1.5F, 1.25F, -1.5F, -1.75F, -1, 0,
                                              -1.5F, -2, -1.75F, -0.75F, -0.5F, -0.75F}),
                        floats({2}, {1, -1.25F})},
                       {{"activation", "Sigmoid"}}, 1);
    EXPECT_THAT(y.at(0),
                near({0.000277996, 0.0566524, 0.851953, 0.997199, 0.887205, 0.00124484, 0.843895, 0.919643}));
  }
}

TEST_F(OnnxMicrosoftProducts, ChannelsLast) {
  // by its formula: onnxruntime has no kernel on the CPU
  {
    const auto y =
        run("NhwcFusedConv",
            {floats({1, 3, 3, 2}, {0, -1.5F, -0.25F, -2, 2, 0, 1.5F, -1.5F, -1.5F, -1.5F, 0.25F, 1.5F, 0.5F,
                                   0, 2, -1.25F, -1.5F, 0.75F}),
             floats({2, 2, 2, 2}, {-0.25F, 1.75F, 1, -1.25F, 1.5F, 1.25F, -1.5F, -1.75F, -1, 0, -1.5F, -2,
                                   -1.75F, -0.75F, -0.5F, -0.75F}),
             floats({2}, {1.5F, -1}), floats({1, 2, 2, 2}, {-1, 0, 1.25F, -1, 1.5F, 0, 0.75F, 0.5F})},
            {{"activation", "Relu"}}, 1);
    EXPECT_THAT(y.at(0), near({3.5625, 5.75, 1.125, 3.125, 0, 0, 7.125, 2.5625}));
  }
  // by its formula: onnxruntime has no kernel on the CPU
  {
    const auto y = run("NhwcConv",
                       {floats({1, 3, 3, 2}, {0, -1.5F, -0.25F, -2, 2, 0, 1.5F, -1.5F, -1.5F, -1.5F, 0.25F,
                                              1.5F, 0.5F, 0, 2, -1.25F, -1.5F, 0.75F}),
                        floats({2, 2, 2, 2}, {-0.25F, 1.75F, 1, -1.25F, 1.5F, 1.25F, -1.5F, -1.75F, -1, 0,
                                              -1.5F, -2, -1.75F, -0.75F, -0.5F, -0.75F}),
                        floats({2}, {1.5F, -1})},
                       {}, 1);
    EXPECT_THAT(y.at(0), near({4.5625, 5.75, -0.125, 4.125, -5.4375, -2.5625, 6.375, 2.0625}));
  }
  {
    const auto y = run("NhwcMaxPool",
                       {OnnxTensor::of<uint8_t>({1, 3, 3, 2}, {47, 53, 98, 39, 93, 78, 18, 86, 37, 17, 25, 13,
                                                               33, 11, 53, 96, 95, 93})},
                       {{"kernel_shape", Ints{2, 2}}, {"strides", Ints{1, 1}}}, 1);
    EXPECT_THAT(y.at(0), same({98, 86, 98, 78, 53, 96, 95, 96}));
  }
}

TEST_F(OnnxMicrosoftProducts, PackedWeights) {
  {
    const auto y = run("MatMulNBits",
                       {floats({1, 16}, {1.5F, 0, 0, 1, 0, 0, -0.75F, 0, 0, 1.5F, 0, 0, 0.75F, 0, 0, 0.75F}),
                        OnnxTensor::of<uint8_t>({2, 1, 8}, {51, 250, 61, 139, 119, 232, 12, 92, 149, 31, 56,
                                                            126, 237, 193, 220, 207}),
                        floats({2}, {0.5F, 0.375F}), none(), none(), floats({2}, {-0.75F, -0.75F})},
                       {{"K", 16}, {"N", 2}, {"bits", 4}, {"block_size", 16}}, 1);
    EXPECT_THAT(y.at(0), near({-2.5, -1.125}));
  }
  {
    const auto y = run(
        "MatMulNBits",
        {floats({1, 40}, {-1, 0, 0, 1.5F,  0, 0, 0, 0, 0, -1.25F, 0, 0, 1,     0, 0, -0.25F, 0, 0, 1.5F, 0, 0,
                          1,  0, 0, 1.75F, 0, 0, 1, 0, 0, -1.75F, 0, 0, 0.25F, 0, 0, -0.25F, 0, 0, 1.25F}),
         OnnxTensor::of<uint8_t>(
             {2, 3, 8}, {37,  193, 44,  230, 157, 95,  237, 41,  132, 20,  242, 150, 199, 65,  201, 183,
                         172, 253, 99,  99,  176, 211, 91,  167, 54,  128, 200, 18,  187, 12,  250, 124,
                         103, 176, 136, 190, 31,  159, 134, 224, 10,  126, 161, 129, 28,  156, 53,  48}),
         floats({6}, {0.125F, 0.25F, 0.4375F, 0.3125F, 0.0625F, 0.4375F}),
         OnnxTensor::of<uint8_t>({2, 2}, {165, 10, 106, 6})},
        {{"K", 40}, {"N", 2}, {"bits", 4}, {"block_size", 16}}, 1);
    EXPECT_THAT(y.at(0), near({-2.14062, 2.53125}));
  }
  {
    const auto y =
        run("MatMulNBits",
            {floats({1, 16}, {1.5F, 0, 0, 1.5F, 0, 0, -1, 0, 0, 0.25F, 0, 0, 0, 0, 0, 0.25F}),
             OnnxTensor::of<uint8_t>(
                 {2, 1, 16}, {25, 142, 74,  101, 42, 190, 236, 97,  108, 119, 18,  193, 225, 128, 15,  86,
                              40, 211, 204, 97,  96, 216, 22,  201, 246, 114, 193, 182, 229, 8,   180, 99}),
             floats({2}, {0.4375F, 0.375F}), OnnxTensor::of<uint8_t>({2, 1}, {193, 173})},
            {{"K", 16}, {"N", 2}, {"bits", 8}, {"block_size", 16}}, 1);
    EXPECT_THAT(y.at(0), near({-209.234, -73.4062}));
  }
}

TEST_F(OnnxMicrosoftProducts, PackedTables) {
  {
    const auto y =
        run("GatherBlockQuantized",
            {OnnxTensor::of<uint8_t>({3, 8}, {148, 102, 33, 69,  74,  99,  249, 88,  117, 94,  147, 252,
                                              228, 109, 69, 229, 116, 174, 18,  211, 83,  120, 49,  111}),
             OnnxTensor::of<int64_t>({2}, {2, 0}), floats({3, 1}, {0.1875F, 0.4375F, 0.25F}),
             OnnxTensor::of<uint8_t>({3, 1}, {13, 2, 7})},
            {{"bits", 4}, {"block_size", 16}, {"gather_axis", 0}, {"quantize_axis", 1}}, 1);
    EXPECT_THAT(y.at(0), near({-0.75,   0,       1.75,    0.75,    -1.25, -1.5,    -1,      1.5,
                               -1,      -0.5,    0.25,    0,       -1.5,  -1,      2,       -0.25,
                               -1.6875, -0.75,   -1.3125, -1.3125, -2.25, -2.0625, -1.5,    -1.6875,
                               -0.5625, -1.6875, -1.875,  -1.3125, -0.75, 0.375,   -0.9375, -1.5}));
  }
}

// Numbers (7 * i + i / 5) % 16, for signed ones less 8. Without zero points these are 0, of bytes the middle.
TEST_F(OnnxMicrosoftProducts, GatherBlockQuantizedOfTypedTables) {
  const auto gathered = [&](OnnxType type, int64_t axis, bool points) {
    std::vector<uint8_t> bytes(48), zeros{0x21, 0x43, 0x65};
    for (size_t i = 0; i < 96; ++i) {
      const size_t v = (i * 7 + i / 5) % 16, q = type == OnnxType::int4 ? (v + 8) % 16 : v;
      bytes[i / 2] = static_cast<uint8_t>(bytes[i / 2] | (q << (i % 2 * 4)));
    }
    const auto raw = [&](const std::vector<uint8_t>& v, std::vector<int64_t> dims) {
      return OnnxTensor::raw(type, std::move(dims), std::as_bytes(std::span(v)));
    };
    const std::vector<int64_t> dims = axis == 1 ? Ints{3, 32} : Ints{32, 3},
                               scales = axis == 1 ? Ints{3, 2} : Ints{2, 3};
    std::vector<OnnxTensor> inputs{raw(bytes, dims), OnnxTensor::of<int64_t>({2}, {2, 0}),
                                   floats(scales, {0.1F, 0.2F, 0.3F, 0.4F, 0.5F, 0.6F})};
    if (points) inputs.push_back(raw(zeros, scales));
    auto y = run("GatherBlockQuantized", inputs,
                 {{"block_size", 16}, {"quantize_axis", axis}, {"gather_axis", 1 - axis}}, 1)
                 .at(0);
    y.resize(6);
    return y;
  };
  EXPECT_THAT(gathered(OnnxType::uint4, 1, false), near({6, 2, 5.5, 1, 4.5, 0}));
  EXPECT_THAT(gathered(OnnxType::uint4, 1, true), near({3.5, -0.5, 3, -1.5, 2, -2.5}));
  EXPECT_THAT(gathered(OnnxType::uint4, 0, false), near({4.2, 0, 1.2, 0.5, 2.7, 1.1}));
  EXPECT_THAT(gathered(OnnxType::uint4, 0, true), near({3.3, -0.1, 0.3, 0.4, 1.8, 1}));
  EXPECT_THAT(gathered(OnnxType::int4, 1, false), near({2, -2, 1.5, -3, 0.5, -4}));
  EXPECT_THAT(gathered(OnnxType::int4, 1, true), near({-0.5, -4.5, -1, -5.5, -2, -6.5}));
  EXPECT_THAT(gathered(OnnxType::int4, 0, false), near({1.8, -0.8, -1.2, -0.3, 0.3, 0.3}));
  EXPECT_THAT(gathered(OnnxType::int4, 0, true), near({0.9, -0.9, -2.1, -0.4, -0.6, 0.2}));
}

TEST_F(OnnxMicrosoftProducts, WeightsStayPacked) {
  ModelBuilder m(17);
  m.opset(domain, 1);
  m.input("x", OnnxType::float32, {"n", 32});
  m.initializer("w", OnnxTensor::of<uint8_t>({3, 2, 8}, std::vector<uint8_t>(48, 0x21)));
  m.initializer("s", floats({6}, {1, 2, 3, 4, 5, 6}));
  m.initializer("z", OnnxTensor::of<uint8_t>({3}, {0x87, 0x65, 0x43}));
  m.node({.type = "MatMulNBits",
          .inputs = {"x", "w", "s", "z"},
          .outputs = {"y"},
          .attributes = {{"K", 32}, {"N", 3}, {"bits", 4}, {"block_size", 16}},
          .name = "op",
          .domain = domain});
  m.output("y");
  const auto g = prepare(m);
  size_t packed = 0;
  for (const core::NodeId n : g->nodes_of("Const"))
    if (g->out({n, 0}).tensor.type == ElementType::u4) ++packed;
  EXPECT_EQ(packed, 2U) << app::to_text(*g);  // weights and zero points
  EXPECT_EQ(shape(*g), (Shape{any_dim, 3}));
}

TEST_F(OnnxMicrosoftProducts, WrongAttributesAreNamed) {
  const OnnxTensor x = floats({1, 16}, std::vector<float>(16, 1)), s = floats({1}, {1});
  const OnnxTensor w = OnnxTensor::of<uint8_t>({1, 1, 8}, std::vector<uint8_t>(8, 1));
  const auto refused = [&](int k, int bits, int block) {
    return refusal("MatMulNBits", {x, w, s}, {{"K", k}, {"N", 1}, {"bits", bits}, {"block_size", block}});
  };
  EXPECT_THAT(refused(16, 3, 16), HasSubstr("attribute 'bits' is 3, expected 2, 4 or 8"));
  EXPECT_THAT(refused(16, 4, 12),
              HasSubstr("attribute 'block_size' is 12, expected a power of 2 from 16 on"));
  EXPECT_THAT(refused(0, 4, 16), HasSubstr("expected numbers above 0"));
  EXPECT_THAT(refused(200, 4, 16), HasSubstr("input 1, the weights, has shape [1,1,8], expected [1,13,8]"));
  EXPECT_THAT(refused(32, 4, 16), HasSubstr("expected"));
  EXPECT_THAT(refusal("FusedGemm", {x, x}, {{"transB", 1}, {"activation", "Swish"}}),
              HasSubstr("attribute 'activation' is 'Swish', expected Relu"));
}

}  // namespace mo::test
