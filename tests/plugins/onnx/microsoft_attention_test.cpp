// Attention of com.microsoft. Expected numbers come from onnxruntime 1.30 on the CPU where no
// other source is named.
#include "microsoft_fixture.hpp"

namespace mo::test {

using testing::HasSubstr;

class OnnxMicrosoftAttention : public OnnxMicrosoft {};

TEST_F(OnnxMicrosoftAttention, Attention) {
  {
    const auto y =
        run("Attention",
            {floats({1, 3, 2}, {-1.75F, -1.25F, 2, 0.75F, 1.5F, -1.25F}),
             floats({2, 12}, {1, -0.5F, 0,    -2, 0.5F, 1.5F, 0.75F, -1.5F, 0.25F,  -1, 2,    1.5F, -1.25F,
                              0, 1.75F, 1.5F, 1,  0.5F, -2,   1,     0,     -1.75F, -1, 0.25F}),
             floats({12}, {1, 0, 0.5F, 1.5F, 0.75F, -0.5F, 0.5F, 0.5F, -1.75F, -1.75F, 0.75F, -0.5F})},
            {{"num_heads", 2}}, 1);
    EXPECT_THAT(y.at(0), near({-1.26215, -4.71094, -1.49247, -3.42912, -1.49687, -2.89315, 4.99467, 1.43918,
                               -1.25095, -5.04324, 4.20692, 2.42841}));
  }
  // lengths
  {
    const auto y =
        run("Attention",
            {floats({1, 3, 2}, {-1.75F, -1.25F, 2, 0.75F, 1.5F, -1.25F}),
             floats({2, 12}, {1, -0.5F, 0,    -2, 0.5F, 1.5F, 0.75F, -1.5F, 0.25F,  -1, 2,    1.5F, -1.25F,
                              0, 1.75F, 1.5F, 1,  0.5F, -2,   1,     0,     -1.75F, -1, 0.25F}),
             floats({12}, {1, 0, 0.5F, 1.5F, 0.75F, -0.5F, 0.5F, 0.5F, -1.75F, -1.75F, 0.75F, -0.5F}),
             OnnxTensor::of<int32_t>({1}, {2})},
            {{"num_heads", 2}}, 1);
    EXPECT_THAT(y.at(0), near({-1.25168, -5.04954, -1.49248, -3.42912, -1.50831, -3.06491, 3.34585, 1.95902,
                               -1.25046, -5.05894, 3.99977, 2.68724}));
  }
  // ends and starts
  {
    const auto y =
        run("Attention",
            {floats({2, 2, 2}, {0.5F, -0.75F, -1.25F, -1.5F, -0.5F, 1.25F, -0.5F, -0.5F}),
             floats({2, 12}, {1, -0.5F, 0,    -2, 0.5F, 1.5F, 0.75F, -1.5F, 0.25F,  -1, 2,    1.5F, -1.25F,
                              0, 1.75F, 1.5F, 1,  0.5F, -2,   1,     0,     -1.75F, -1, 0.25F}),
             floats({12}, {1, 0, 0.5F, 1.5F, 0.75F, -0.5F, 0.5F, 0.5F, -1.75F, -1.75F, 0.75F, -0.5F}),
             OnnxTensor::of<int32_t>({4}, {2, 2, 0, 1})},
            {{"num_heads", 2}}, 1);
    EXPECT_THAT(y.at(0), near({-1.66595, -0.650857, 1.7255, -0.729599, -1.64225, -0.816749, 0.0668661,
                               -2.42593, -1.875, -0.375, 0.25, -1.375, -1.875, -0.375, 0.25, -1.375}));
  }
  // a number for each key
  {
    const auto y =
        run("Attention",
            {floats({1, 3, 2}, {-1.75F, -1.25F, 2, 0.75F, 1.5F, -1.25F}),
             floats({2, 12}, {1, -0.5F, 0,    -2, 0.5F, 1.5F, 0.75F, -1.5F, 0.25F,  -1, 2,    1.5F, -1.25F,
                              0, 1.75F, 1.5F, 1,  0.5F, -2,   1,     0,     -1.75F, -1, 0.25F}),
             floats({12}, {1, 0, 0.5F, 1.5F, 0.75F, -0.5F, 0.5F, 0.5F, -1.75F, -1.75F, 0.75F, -0.5F}),
             OnnxTensor::of<int32_t>({1, 3}, {1, 0, 1})},
            {{"num_heads", 2}, {"unidirectional", 1}, {"mask_filter_value", -100.0F}}, 1);
    EXPECT_THAT(y.at(0), near({-2.1875, 2.1875, -1.5, -3.4375, -2.1875, 2.1875, -1.5, -3.4375, -1.46502,
                               -0.702418, 4.99894, 1.43671}));
  }
  // a number for each query and key
  {
    const auto y =
        run("Attention",
            {floats({1, 3, 2}, {-1.75F, -1.25F, 2, 0.75F, 1.5F, -1.25F}),
             floats({2, 12}, {1, -0.5F, 0,    -2, 0.5F, 1.5F, 0.75F, -1.5F, 0.25F,  -1, 2,    1.5F, -1.25F,
                              0, 1.75F, 1.5F, 1,  0.5F, -2,   1,     0,     -1.75F, -1, 0.25F}),
             floats({12}, {1, 0, 0.5F, 1.5F, 0.75F, -0.5F, 0.5F, 0.5F, -1.75F, -1.75F, 0.75F, -0.5F}),
             OnnxTensor::of<int32_t>({1, 3, 3}, {1, 0, 1, 1, 1, 0, 0, 1, 1})},
            {{"num_heads", 2}, {"scale", 0.25F}}, 1);
    EXPECT_THAT(y.at(0), near({-1.53618, -0.417783, -1.44885, -3.39914, -1.63941, -2.05105, 2.18478, 0.66601,
                               -1.26547, -4.56735, 4.38353, 2.20809}));
  }
  // values of another size, and a bias
  {
    const auto y =
        run("Attention",
            {floats({1, 3, 2}, {-1.75F, -1.25F, 2, 0.75F, 1.5F, -1.25F}),
             floats({2, 10}, {0.25F, 2,     -0.5F, 0.5F,   -0.25F, 0.5F, -0.25F, 0.5F,  0.25F, 0.75F,
                              2,     -1.5F, 0.25F, -0.25F, -0.5F,  -1,   -2,     -0.5F, 1.5F,  -1.75F}),
             floats({10}, {-0.5F, 2, 2, -1.25F, -2, 0.75F, -2, -0.75F, 0, 1.5F}), none(), none(),
             floats({1, 2, 3, 3}, {-1.75F, 0.75F, 0.25F, -1.5F, 1.5F, 1.5F, 0, 2, 0.5F, 1.75F, 2, 0.25F, -1,
                                   -1.5F, 0.25F, -1.25F, 1, 1.75F})},
            {{"num_heads", 2}, {"qkv_hidden_sizes", Ints{4, 4, 2}}}, 1);
    EXPECT_THAT(y.at(0), near({1.43811, 2.39041, -1.49808, 3.6265, -1.47738, 4.49328}));
  }
}

TEST_F(OnnxMicrosoftAttention, AttentionWithAPast) {
  {
    const auto y =
        run("Attention",
            {floats({1, 3, 2}, {-1.75F, -1.25F, 2, 0.75F, 1.5F, -1.25F}),
             floats({2, 12}, {1, -0.5F, 0,    -2, 0.5F, 1.5F, 0.75F, -1.5F, 0.25F,  -1, 2,    1.5F, -1.25F,
                              0, 1.75F, 1.5F, 1,  0.5F, -2,   1,     0,     -1.75F, -1, 0.25F}),
             floats({12}, {1, 0, 0.5F, 1.5F, 0.75F, -0.5F, 0.5F, 0.5F, -1.75F, -1.75F, 0.75F, -0.5F}),
             OnnxTensor::of<int32_t>({1, 4}, {0, 1, 1, 1}),
             floats({2, 1, 2, 1, 2}, {-1, 0.25F, -2, -1.25F, -0.5F, 1.75F, 2, 0.5F})},
            {{"num_heads", 2}, {"unidirectional", 1}}, 2);
    EXPECT_THAT(y.at(0), near({-2.1875, 2.1875, -1.5, -3.4375, -1.50831, -3.06491, 3.34585, 1.95902, -1.25095,
                               -5.04324, 4.20692, 2.42841}));
    EXPECT_THAT(y.at(1),
                near({-1,     0.25,    -1.375, -3.75, 2.5,  2.875,   0.25, 1.125,   -2,     -1.25, 1.6875,
                      1.875,  0.5,     -1.75,  4.125, -3,   -0.5,    1.75, -2.1875, 2.1875, -1.25, -5.0625,
                      -1.375, -1.0625, 2,      0.5,   -1.5, -3.4375, 4,    2.6875,  5,      1.4375}));
  }
}

TEST_F(OnnxMicrosoftAttention, QAttention) {
  {
    const auto y =
        run("QAttention",
            {OnnxTensor::of<uint8_t>({1, 2, 2}, {123, 122, 102, 115}),
             OnnxTensor::of<int8_t>({2, 12}, {19, -4, -12, -11, 8,   -19, 18, 15, 2,  -2,  10, 1,
                                              -1, -8, -3,  10,  -18, -19, 8,  -6, 12, -19, 16, -16}),
             floats({12}, {1, 0, 0.5F, 1.5F, 0.75F, -0.5F, 0.5F, 0.5F, -1.75F, -1.75F, 0.75F, -0.5F}),
             floats({}, {0.1F}), floats({}, {0.05F}), OnnxTensor::of<int32_t>({1}, {2}),
             OnnxTensor::of<uint8_t>({}, {120}), OnnxTensor::of<int8_t>({}, {3})},
            {{"num_heads", 2}, {"unidirectional", 1}}, 1);
    EXPECT_THAT(y.at(0), near({-1.675, -2.045, 0.985, -0.72, -1.85816, -0.915508, 0.967457, -0.707101}));
  }
}

TEST_F(OnnxMicrosoftAttention, MultiHeadAttention) {
  {
    const auto y =
        run("MultiHeadAttention",
            {floats({1, 2, 4}, {-0.25F, 2, -1.75F, 0.75F, 1, -0.25F, -1.75F, 0}),
             floats({1, 3, 4}, {-0.25F, 1.5F, 0.75F, -0.75F, -2, 0.5F, -1, 0.75F, 1.5F, -0.5F, 1.75F, 0}),
             floats({1, 3, 4}, {0.25F, 1.25F, 1.25F, 1.75F, 2, -1.5F, -0.25F, 1.75F, -0.75F, -2, 0.25F, 1})},
            {{"num_heads", 2}}, 1);
    EXPECT_THAT(y.at(0),
                near({0.640157, 0.484749, -0.167302, 1.73439, -0.437901, -1.45273, -0.0856451, 1.72826}));
  }
  {
    const auto y =
        run("MultiHeadAttention",
            {floats({1, 2, 4}, {-0.25F, 2, -1.75F, 0.75F, 1, -0.25F, -1.75F, 0}),
             floats({1, 3, 4}, {-0.25F, 1.5F, 0.75F, -0.75F, -2, 0.5F, -1, 0.75F, 1.5F, -0.5F, 1.75F, 0}),
             floats({1, 3, 4}, {0.25F, 1.25F, 1.25F, 1.75F, 2, -1.5F, -0.25F, 1.75F, -0.75F, -2, 0.25F, 1}),
             floats({12}, {1, 1.25F, 0.5F, -1.5F, 1.5F, -0.25F, 1.5F, 1.25F, 2, -2, 1.5F, 0.5F}),
             OnnxTensor::of<int32_t>({1, 3}, {1, 1, 0}), floats({1, 1, 2, 3}, {0, 1.25F, 2, 0, -1.75F, 1})},
            {{"num_heads", 2}, {"scale", 0.3F}}, 1);
    EXPECT_THAT(y.at(0), near({3.07311, -2.04346, 1.50859, 2.25, 2.32544, -0.868545, 2.53145, 2.25}));
  }
  // keys and values of another sequence have their heads first and no bias to come
  {
    const auto y =
        run("MultiHeadAttention",
            {floats({1, 2, 4}, {-0.25F, 2, -1.75F, 0.75F, 1, -0.25F, -1.75F, 0}),
             floats({1, 2, 3, 2},
                    {-1.25F, -1.25F, -1.25F, -1.25F, 1.75F, -0.5F, -1.75F, -1.25F, -0.5F, -0.75F, -0.75F, 2}),
             floats({1, 2, 3, 2}, {1.5F, 0.25F, 2, -0.75F, -1.5F, -1, -1.75F, 2, -1.25F, -0.25F, -1.25F, 2}),
             floats({12}, {-1.5F, 0, 2, 0, 1.75F, 1.75F, 1.25F, 1, 0.25F, 0.25F, 1.5F, -0.25F})},
            {{"num_heads", 2}}, 1);
    EXPECT_THAT(y.at(0),
                near({1.63929, -0.275549, -1.30368, 1.60721, 1.32212, -0.348742, -1.39532, 1.18434}));
  }
  // a past
  {
    const auto y = run(
        "MultiHeadAttention",
        {floats({1, 2, 4}, {-0.25F, 2, -1.75F, 0.75F, 1, -0.25F, -1.75F, 0}),
         floats({1, 2, 4}, {2, 1.5F, -0.5F, -0.5F, 1, 1.75F, -1.75F, -1.75F}),
         floats({1, 2, 4}, {-1, -0.25F, -1.5F, 0, 0.25F, 2, 1, -1}), none(), none(), none(),
         floats({1, 2, 1, 2}, {1.25F, 1.25F, 0.75F, 0.75F}), floats({1, 2, 1, 2}, {-0.75F, 1, -1.5F, 0.5F})},
        {{"num_heads", 2}, {"unidirectional", 1}}, 3);
    EXPECT_THAT(y.at(0),
                near({-0.888755, 0.306226, -1.5, 0.146187, -0.643733, 0.627053, 0.486858, -0.776727}));
    EXPECT_THAT(y.at(1), near({1.25, 1.25, 2, 1.5, 1, 1.75, 0.75, 0.75, -0.5, -0.5, -1.75, -1.75}));
    EXPECT_THAT(y.at(2), near({-0.75, 1, -1, -0.25, 0.25, 2, -1.5, 0.5, -1.5, 0, 1, -1}));
  }
}

TEST_F(OnnxMicrosoftAttention, MultiHeadAttentionOfOneTensor) {
  // by its formula: onnxruntime has no kernel on the CPU
  {
    const auto y = run("MultiHeadAttention",
                       {floats({1, 2, 2, 3, 2}, {1.75F, 2,      -0.75F, -0.75F, 0.5F,   -0.5F, 1,     -1.25F,
                                                 -1.5F, -2,     -0.25F, -1.25F, -0.75F, 1.75F, 1.25F, 1.5F,
                                                 0.5F,  -1.75F, 1,      0.5F,   1.75F,  0,     -1.5F, 0.5F})},
                       {{"num_heads", 2}}, 1);
    EXPECT_THAT(y.at(0), near({0.5, -1.74565, -1.03695, -0.14827, 0.5, -1.56074, -1.44101, 0.417415}));
  }
  // by its formula: onnxruntime has no kernel on the CPU
  {
    const auto y = run("MultiHeadAttention",
                       {floats({1, 2, 4}, {-0.25F, 2, -1.75F, 0.75F, 1, -0.25F, -1.75F, 0}),
                        floats({1, 3, 2, 2, 2}, {-0.25F, 0.75F, -0.5F,  -0.75F, -1.5F,  2,      1,     -0.25F,
                                                 -1.25F, 0.5F,  -0.25F, 0.5F,   -1.75F, -1.25F, 1,     -1.75F,
                                                 0.75F,  -0.5F, -2,     1,      0.75F,  1.25F,  1.75F, 1})},
                       {{"num_heads", 2}}, 1);
    EXPECT_THAT(y.at(0),
                near({-0.502568, -0.0948825, 1.02423, -0.493493, -1.40621, 0.503664, 1.01911, -1.0612}));
  }
}

TEST_F(OnnxMicrosoftAttention, RotaryEmbedding) {
  {
    const auto y =
        run("RotaryEmbedding",
            {floats({1, 2, 4}, {1.5F, -1.75F, 1.75F, 1.75F, 0.75F, 1.25F, 1, 1.5F}),
             OnnxTensor::of<int64_t>({1}, {1}),
             floats({4, 2}, {1, 1, 0.540302F, 0.950415F, -0.416147F, 0.806578F, -0.989992F, 0.582754F}),
             floats({4, 2}, {0, 0, 0.841471F, 0.310984F, 0.909297F, 0.591127F, 0.14112F, 0.812649F})},
            {}, 1);
    EXPECT_THAT(y.at(0),
                near({-0.662121, -2.20745, 2.20774, 1.11901, -1.22141, 0.121532, 0.265826, 1.94878}));
  }
  {
    const auto y =
        run("RotaryEmbedding",
            {floats({1, 2, 8},
                    {1.75F, 0, 1.25F, 1.75F, -0.75F, -2, -1.5F, -2, -0.25F, -2, -1, -1, 1, -1, 2, -1.25F}),
             OnnxTensor::of<int64_t>({1, 2}, {3, 0}),
             floats({4, 2}, {1, 1, 0.540302F, 0.950415F, -0.416147F, 0.806578F, -0.989992F, 0.582754F}),
             floats({4, 2}, {0, 0, 0.841471F, 0.310984F, 0.909297F, 0.591127F, 0.14112F, 0.812649F})},
            {{"interleaved", 1}, {"num_heads", 2}}, 1);
    EXPECT_THAT(y.at(0), near({-1.73249, 0.24696, -0.693694, 2.03563, 1.02473, 1.87415, 0.751167, -2.38448,
                               -0.25, -2, -1, -1, 1, -1, 2, -1.25}));
  }
  // a part of each head
  {
    const auto y =
        run("RotaryEmbedding",
            {floats({1, 2, 6}, {2, 0.25F, -1, -2, -0.75F, 0.5F, -1.75F, -1.5F, -1.75F, 0.75F, -1.75F, -2}),
             OnnxTensor::of<int64_t>({1, 2}, {1, 2}),
             floats({4, 2}, {1, 1, 0.540302F, 0.950415F, -0.416147F, 0.806578F, -0.989992F, 0.582754F}),
             floats({4, 2}, {0, 0, 0.841471F, 0.310984F, 0.909297F, 0.591127F, 0.14112F, 0.812649F})},
            {{"num_heads", 1}, {"rotary_embedding_dim", 4}}, 1);
    EXPECT_THAT(y.at(0), near({1.92208, 0.859571, 1.14264, -1.82308, -0.75, 0.5, 2.31953, -1.65321, -0.863013,
                               -0.281757, -1.75, -2}));
  }
  // heads first
  {
    const auto y =
        run("RotaryEmbedding",
            {floats({1, 2, 2, 4}, {-0.25F, -0.75F, 0.25F, 1.75F, 1.5F, 0.25F, 0.5F, 1.25F, -0.25F, 0.75F,
                                   -1.25F, 0.5F, -1, -1.25F, 1, 0.25F}),
             OnnxTensor::of<int64_t>({1}, {1}),
             floats({4, 2}, {1, 1, 0.540302F, 0.950415F, -0.416147F, 0.806578F, -0.989992F, 0.582754F}),
             floats({4, 2}, {0, 0, 0.841471F, 0.310984F, 0.909297F, 0.591127F, 0.14112F, 0.812649F})},
            {}, 1);
    EXPECT_THAT(y.at(0),
                near({-0.345443, -1.25703, -0.0752922, 1.42999, -1.07887, -0.537264, 1.15587, 1.156, 0.916763,
                      0.55732, -0.885746, 0.708445, -0.493151, -1.156, -1.32544, -0.537264}));
  }
}

TEST_F(OnnxMicrosoftAttention, GroupQueryAttention) {
  // a prompt
  {
    const auto y = run("GroupQueryAttention",
                       {floats({1, 2, 32}, {-1,     0, 0, 1.75F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                            1.25F,  0, 0, 1.5F,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                            -0.25F, 0, 0, -2,    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                            2,      0, 0, -2,    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}),
                        floats({1, 2, 16}, {0.25F,  0, 0, 1.5F,   0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                            -0.75F, 0, 0, -0.75F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}),
                        floats({1, 2, 16}, {-1.5F,  0, 0, -0.75F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                            -1.75F, 0, 0, 0.5F,   0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}),
                        none(), none(), OnnxTensor::of<int32_t>({1}, {1}), OnnxTensor::of<int32_t>({}, {2})},
                       {{"num_heads", 2}, {"kv_num_heads", 1}}, 3);
    EXPECT_THAT(y.at(0), near({-1.5,     0, 0, -0.75,     0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                               -1.5,     0, 0, -0.75,     0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                               -1.69157, 0, 0, 0.207867,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                               -1.66284, 0, 0, 0.0641936, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_THAT(y.at(1), near({0.25,  0, 0, 1.5,   0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                               -0.75, 0, 0, -0.75, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_THAT(y.at(2), near({-1.5,  0, 0, -0.75, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                               -1.75, 0, 0, 0.5,   0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  }
  // one tensor, turned by the position
  {
    const auto y =
        run("GroupQueryAttention",
            {floats({1, 1, 64}, {-1.5F,  0, 0, 0.75F,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                 1.25F,  0, 0, 1.5F,   0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                 -0.75F, 0, 0, -0.25F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                 -0.75F, 0, 0, 1.25F,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}),
             none(), none(), floats({1, 1, 1, 16}, {-0.75F, 0, 0, -1.5F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}),
             floats({1, 1, 1, 16}, {1.5F, 0, 0, 1.25F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}),
             OnnxTensor::of<int32_t>({1}, {1}), OnnxTensor::of<int32_t>({}, {2}),
             floats({4, 8}, {1,         1,         1,          1,          1,          1,          1,
                             1,         0.540302F, 0.731761F,  0.846009F,  0.912396F,  0.950415F,  0.972014F,
                             0.98423F,  0.991122F, -0.416147F, 0.0709483F, 0.431463F,  0.664932F,  0.806578F,
                             0.889624F, 0.937418F, 0.964645F,  -0.989992F, -0.627927F, -0.115966F, 0.300967F,
                             0.582754F, 0.757441F, 0.861041F,  0.921039F}),
             floats({4, 8},
                    {0,         0,         0,         0,         0,         0,         0,         0,
                     0.841471F, 0.681561F, 0.533168F, 0.409309F, 0.310984F, 0.234921F, 0.176892F, 0.132957F,
                     0.909297F, 0.99748F,  0.902131F, 0.746904F, 0.591127F, 0.456693F, 0.348205F, 0.263554F,
                     0.14112F,  0.778273F, 0.993253F, 0.953634F, 0.812649F, 0.652904F, 0.508536F, 0.38947F})},
            {{"num_heads", 2}, {"kv_num_heads", 1}}, 3);
    EXPECT_THAT(y.at(0), near({0.243764, 0, 0, 1.25, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                               0.116052, 0, 0, 1.25, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_THAT(y.at(1), near({-0.75, 0, 0, -1.5,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                               -0.75, 0, 0, -0.25, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_THAT(y.at(2), near({1.5,   0, 0, 1.25, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                               -0.75, 0, 0, 1.25, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  }
  // a cache with room, and a window
  {
    const auto y = run("GroupQueryAttention",
                       {floats({1, 1, 32}, {1,     0, 0, 0,      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                            1.75F, 0, 0, -1.25F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}),
                        floats({1, 1, 16}, {0.25F, 0, 0, 0.25F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}),
                        floats({1, 1, 16}, {-0.5F, 0, 0, 0.5F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}),
                        floats({1, 1, 3, 16}, {-1,    0, 0, -1.75F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                               0.5F,  0, 0, -0.25F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                               1.25F, 0, 0, 0.75F,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}),
                        floats({1, 1, 3, 16}, {-2,    0, 0, 1.5F,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                               0.5F,  0, 0, 0.75F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                               1.75F, 0, 0, 1.25F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}),
                        OnnxTensor::of<int32_t>({1}, {2}), OnnxTensor::of<int32_t>({}, {3})},
                       {{"num_heads", 2}, {"kv_num_heads", 1}, {"local_window_size", 2}}, 3);
    EXPECT_THAT(y.at(0), near({0.0156199, 0, 0, 0.628905, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                               0.0660185, 0, 0, 0.641505, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_THAT(y.at(1), near({-1,   0, 0, -1.75, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                               0.5,  0, 0, -0.25, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                               0.25, 0, 0, 0.25,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_THAT(y.at(2),
                near({-2, 0, 0, 1.5, 0, 0, 0, 0, 0,    0, 0, 0,   0, 0, 0, 0, 0.5, 0, 0, 0.75, 0, 0, 0, 0,
                      0,  0, 0, 0,   0, 0, 0, 0, -0.5, 0, 0, 0.5, 0, 0, 0, 0, 0,   0, 0, 0,    0, 0, 0, 0}));
  }
  // sinks
  {
    const auto y = run("GroupQueryAttention",
                       {floats({1, 2, 32}, {-0.5F,  0, 0, -0.75F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                            -0.75F, 0, 0, 1.5F,   0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                            -1.75F, 0, 0, -0.25F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                            1,      0, 0, 1.75F,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}),
                        floats({1, 2, 16}, {-1.5F, 0, 0, -0.75F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                            -1.5F, 0, 0, -2,     0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}),
                        floats({1, 2, 16}, {0,     0, 0, 0.75F,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                                            0.75F, 0, 0, -1.25F, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}),
                        none(), none(), OnnxTensor::of<int32_t>({1}, {1}), OnnxTensor::of<int32_t>({}, {2}),
                        none(), none(), none(), none(), floats({2}, {-0.5F, -2})},
                       {{"num_heads", 2}, {"kv_num_heads", 1}, {"softcap", 2.0F}}, 3);
    EXPECT_THAT(y.at(0), near({0,        0, 0, 0.521506,   0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                               0,        0, 0, 0.660598,   0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                               0.33749,  0, 0, -0.247267,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                               0.253958, 0, 0, -0.0314257, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_THAT(y.at(1), near({-1.5, 0, 0, -0.75, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                               -1.5, 0, 0, -2,    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_THAT(y.at(2), near({0,    0, 0, 0.75,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                               0.75, 0, 0, -1.25, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  }
}

TEST_F(OnnxMicrosoftAttention, WhatHasNoPlaceInTheIrIsRefused) {
  const OnnxTensor x = floats({1, 1, 2}, {1, 2}), w = floats({2, 6}, std::vector<float>(12, 1));
  EXPECT_THAT(refusal("Attention", {x, w}, {{"num_heads", 0}}),
              HasSubstr("'num_heads' is 0, expected at least 1"));
  EXPECT_THAT(refusal("Attention", {x, w}, {{"num_heads", 1}, {"past_present_share_buffer", 1}}),
              HasSubstr("'past_present_share_buffer' is 1"));
  EXPECT_THAT(refusal("Attention", {x, w}, {{"num_heads", 1}, {"do_rotary", 1}}),
              HasSubstr("'do_rotary' is 1"));
  EXPECT_THAT(refusal("Attention", {x, w}, {{"num_heads", 1}, {"qkv_hidden_sizes", Ints{2, 2}}}),
              HasSubstr("'qkv_hidden_sizes' has 2 entries, expected 3"));
  EXPECT_THAT(
      refusal("Attention", {x, w, none(), OnnxTensor::of<int32_t>({5}, {1, 1, 1, 1, 1})}, {{"num_heads", 1}}),
      HasSubstr("lengths of sequences without padding"));
  const OnnxTensor one = OnnxTensor::of<int32_t>({1}, {0}), total = OnnxTensor::scalar<int32_t>(1);
  const std::vector<OnnxTensor> inputs{x, x, x, none(), none(), one, total};
  EXPECT_THAT(refusal("GroupQueryAttention", inputs, {{"num_heads", 3}, {"kv_num_heads", 2}}),
              HasSubstr("'num_heads' and 'kv_num_heads' are 3 and 2"));
  EXPECT_THAT(refusal("GroupQueryAttention", inputs,
                      {{"num_heads", 1}, {"kv_num_heads", 1}, {"k_quant_type", "PER_TENSOR"}}),
              HasSubstr("there is no input 12, the scale"));
  EXPECT_THAT(
      refusal("GroupQueryAttention", inputs, {{"num_heads", 1}, {"kv_num_heads", 1}, {"do_rotary", 1}}),
      HasSubstr("there are no inputs 7 and 8"));
  EXPECT_THAT(refusal("RotaryEmbedding",
                      {x, OnnxTensor::of<int64_t>({1}, {0}), floats({1, 1}, {1}), floats({1, 1}, {0})},
                      {{"is_packed_batching", 1}}),
              HasSubstr("'is_packed_batching' is 1"));
}

TEST_F(OnnxMicrosoftAttention, WrongPagesAndBuffersAreNamed) {
  const OnnxTensor x = floats({1, 2}, {1, 2}), pool = floats({1, 1, 1, 2}, {0, 0}),
                   cache = floats({1, 1, 1, 2}, {0, 0});
  const OnnxTensor ends = OnnxTensor::of<int32_t>({2}, {0, 1}), past = OnnxTensor::of<int32_t>({1}, {0});
  const OnnxTensor table = OnnxTensor::of<int32_t>({1, 1}, {0});
  EXPECT_THAT(refusal("PagedAttention", {x, x, x, pool, pool, ends, past, table},
                      {{"num_heads", 3}, {"kv_num_heads", 2}}),
              HasSubstr("'num_heads' and 'kv_num_heads' are 3 and 2"));
  EXPECT_THAT(refusal("PagedAttention", {x, x, x, pool, pool, ends, past, table},
                      {{"num_heads", 1}, {"kv_num_heads", 1}, {"kv_cache_layout", "LATENT"}}),
              HasSubstr("LATENT, which has a key and no value"));
  EXPECT_THAT(refusal("PagedAttention", {x, x, x, pool, pool, ends, past, table},
                      {{"num_heads", 1}, {"kv_num_heads", 1}, {"do_rotary", 1}}),
              HasSubstr("there are no inputs 8 and 9"));
  const OnnxTensor token = floats({1, 1, 2}, {1, 2});
  EXPECT_THAT(
      refusal("DecoderMaskedMultiHeadAttention", {token, token, token, none(), none(), cache, cache, past},
              {{"num_heads", 1}}),
      HasSubstr("'past_present_share_buffer', the past keys and values and their number go together"));
  EXPECT_THAT(refusal("DecoderMaskedMultiHeadAttention", {token, token}, {{"num_heads", 1}}),
              HasSubstr("of inputs 1 and 2, key and value, one is left out"));
  EXPECT_THAT(
      refusal("MultiHeadAttention", {token, token, token, none(), none(), none(), cache}, {{"num_heads", 1}}),
      HasSubstr("of inputs 6 and 7, the past keys and values, one is left out"));
  EXPECT_THAT(refusal("CausalConvWithState", {floats({1, 1, 2}, {1, 2}), floats({1, 1, 2}, {1, 2})},
                      {{"state_window", 2}}),
              HasSubstr("'state_window' is 2; states before the last are not supported"));
  EXPECT_THAT(refusal("MRotaryEmbedding",
                      {floats({1, 1, 2}, {1, 2}), OnnxTensor::of<int64_t>({3, 1, 1}, {0, 0, 0}),
                       floats({1, 1}, {1}), floats({1, 1}, {0})},
                      {{"mrope_section", Ints{1, 0}}}),
              HasSubstr("'mrope_section' is [1,0], expected three numbers"));
}

TEST_F(OnnxMicrosoftAttention, ShapesMayBeOpen) {
  ModelBuilder m(17);
  m.opset(domain, 1);
  m.input("x", OnnxType::float32, {"batch", "length", 4});
  m.input("past", OnnxType::float32, {2, "batch", 2, "before", 2});
  m.initializer("w", floats({4, 12}, std::vector<float>(48, 0.5F)));
  m.node({.type = "Attention",
          .inputs = {"x", "w", "", "", "past"},
          .outputs = {"y", "present"},
          .attributes = {{"num_heads", 2}, {"unidirectional", 1}},
          .domain = domain});
  m.output("y");
  m.output("present");
  const auto g = prepare(m);
  EXPECT_EQ(shape(*g, 0).rank(), 3);
  EXPECT_EQ(shape(*g, 1).rank(), 5);
  EXPECT_EQ(shape(*g, 1)[2], Dim(2));
}

}  // namespace mo::test
