// Normalizations and activations of com.microsoft. Expected numbers come from onnxruntime 1.30 on the CPU
// where no other source is named.
#include "microsoft_fixture.hpp"

namespace mo::test {

using testing::HasSubstr;

class OnnxMicrosoftNormalization : public OnnxMicrosoft {};

TEST_F(OnnxMicrosoftNormalization, Gelus) {
  {
    const auto y =
        run("Gelu", {floats({1, 2, 4}, {2, 0.5F, 0.75F, 1.75F, 0.25F, 1.25F, 1.5F, -1.25F})}, {}, 1);
    EXPECT_THAT(y.at(0), near({1.9545, 0.345731, 0.580029, 1.6799, 0.149677, 1.11794, 1.39979, -0.132062}));
  }
  {
    const auto y = run("BiasGelu",
                       {floats({1, 2, 4}, {2, 0.5F, 0.75F, 1.75F, 0.25F, 1.25F, 1.5F, -1.25F}),
                        floats({4}, {1.25F, -0.75F, -0.75F, -1})},
                       {}, 1);
    EXPECT_THAT(y.at(0), near({3.24812, -0.100323, 0, 0.580029, 1.39979, 0.345731, 0.580029, -0.027505}));
  }
  {
    const auto y =
        run("FastGelu", {floats({1, 2, 4}, {2, 0.5F, 0.75F, 1.75F, 0.25F, 1.25F, 1.5F, -1.25F})}, {}, 1);
    EXPECT_THAT(y.at(0), near({1.9546, 0.345714, 0.579961, 1.6798, 0.149675, 1.11771, 1.39957, -0.132286}));
  }
  {
    const auto y = run("FastGelu",
                       {floats({1, 2, 4}, {2, 0.5F, 0.75F, 1.75F, 0.25F, 1.25F, 1.5F, -1.25F}),
                        floats({4}, {1.25F, -0.75F, -0.75F, -1})},
                       {}, 1);
    EXPECT_THAT(y.at(0), near({3.24843, -0.100325, 0, 0.579961, 1.39957, 0.345714, 0.579961, -0.0272014}));
  }
  {
    const auto y =
        run("QuickGelu", {floats({1, 2, 4}, {2, 0.5F, 0.75F, 1.75F, 0.25F, 1.25F, 1.5F, -1.25F})}, {}, 1);
    EXPECT_THAT(y.at(0), near({1.93566, 0.350388, 0.58639, 1.66529, 0.1512, 1.11693, 1.39166, -0.133066}));
  }
  {
    const auto y = run("QuickGelu", {floats({1, 2, 4}, {2, 0.5F, 0.75F, 1.75F, 0.25F, 1.25F, 1.5F, -1.25F})},
                       {{"alpha", 0.5F}}, 1);
    EXPECT_THAT(y.at(0), near({1.46212, 0.281088, 0.4445, 1.23512, 0.132802, 0.814194, 1.01877, -0.435806}));
  }
}

TEST_F(OnnxMicrosoftNormalization, HalvesOfASum) {
  // by its formula: onnxruntime has no kernel on the CPU
  {
    const auto y = run("BiasSplitGelu",
                       {floats({1, 2, 4}, {2, 0.5F, 0.75F, 1.75F, 0.25F, 1.25F, 1.5F, -1.25F}),
                        floats({4}, {1.25F, -0.75F, -0.75F, -1})},
                       {}, 1);
    EXPECT_THAT(y.at(0), near({0, -0.145007, 0.870044, -0.0137525}));
  }
}

TEST_F(OnnxMicrosoftNormalization, BiasesAndWhatFollows) {
  // by its formula: onnxruntime has no kernel on the CPU
  {
    const auto y = run("BiasAdd",
                       {floats({1, 2, 4}, {2, 0.5F, 0.75F, 1.75F, 0.25F, 1.25F, 1.5F, -1.25F}),
                        floats({4}, {1.25F, -0.75F, -0.75F, -1}),
                        floats({1, 2, 4}, {-2, -0.75F, -1, 1.5F, 1.75F, -2, 0, 1.25F})},
                       {}, 1);
    EXPECT_THAT(y.at(0), near({1.25, -1, -1, 2.25, 3.25, -1.5, 0.75, -1}));
  }
  // by its formula: onnxruntime has no kernel on the CPU
  {
    const auto y = run("BiasDropout",
                       {floats({1, 2, 4}, {2, 0.5F, 0.75F, 1.75F, 0.25F, 1.25F, 1.5F, -1.25F}),
                        floats({4}, {1.25F, -0.75F, -0.75F, -1}),
                        floats({1, 2, 4}, {-2, -0.75F, -1, 1.5F, 1.75F, -2, 0, 1.25F})},
                       {}, 1);
    EXPECT_THAT(y.at(0), near({1.25, -1, -1, 2.25, 3.25, -1.5, 0.75, -1}));
  }
  // by its formula: onnxruntime has no kernel on the CPU
  {
    const auto y = run("BiasSoftmax",
                       {floats({2, 4}, {2, 0.5F, 0.75F, 1.75F, 0.25F, 1.25F, 1.5F, -1.25F}),
                        floats({1, 4}, {0, 0, 0.25F, 0.25F})},
                       {{"axis", 1}, {"is_inner_broadcast", 1}}, 1);
    EXPECT_THAT(y.at(0),
                near({0.38595, 0.0861171, 0.141983, 0.38595, 0.117835, 0.320307, 0.528098, 0.0337602}));
  }
}

TEST_F(OnnxMicrosoftNormalization, SkipLayerNormalization) {
  {
    const auto y = run("SkipLayerNormalization",
                       {floats({1, 2, 4}, {2, 0.5F, 0.75F, 1.75F, 0.25F, 1.25F, 1.5F, -1.25F}),
                        floats({1, 2, 4}, {-2, -0.75F, -1, 1.5F, 1.75F, -2, 0, 1.25F}),
                        floats({4}, {-1.5F, 1.25F, -1.5F, -0.25F}), floats({4}, {1.25F, -0.75F, -0.75F, -1}),
                        floats({4}, {1, -1, 2, -0.25F})},
                       {{"epsilon", 1e-05F}}, 4, {0, 3});
    EXPECT_THAT(y.at(0),
                near({1.37127, -2.67007, -1.35634, -1.30317, -0.029979, -2.38553, -2.37131, -0.843558}));
    EXPECT_THAT(y.at(3), near({1, -1.25, 1.75, 3, 3, -1.75, 3.5, -0.25}));
  }
  {
    const auto y = run("SkipLayerNormalization",
                       {floats({1, 2, 4}, {2, 0.5F, 0.75F, 1.75F, 0.25F, 1.25F, 1.5F, -1.25F}),
                        floats({2, 4}, {-2, -0.75F, -1, 1.5F, 1.75F, -2, 0, 1.25F}),
                        floats({4}, {-1.5F, 1.25F, -1.5F, -0.25F})},
                       {}, 1);
    EXPECT_THAT(y.at(0),
                near({0.695392, -0.790218, 0.948262, -0.431986, -1.77482, -1.61988, -1.0987, 0.154945}));
  }
}

TEST_F(OnnxMicrosoftNormalization, SkipSimplifiedLayerNormalization) {
  {
    const auto y = run("SkipSimplifiedLayerNormalization",
                       {floats({1, 2, 4}, {2, 0.5F, 0.75F, 1.75F, 0.25F, 1.25F, 1.5F, -1.25F}),
                        floats({1, 2, 4}, {-2, -0.75F, -1, 1.5F, 1.75F, -2, 0, 1.25F}),
                        floats({4}, {-1.5F, 1.25F, -1.5F, -0.25F}), floats({4}, {1, -1, 2, -0.25F})},
                       {{"epsilon", 1e-05F}}, 4, {0, 3});
    EXPECT_THAT(y.at(0),
                near({-0.784464, -0.817149, -1.37281, -0.392232, -1.82293, -0.886146, -2.12675, 0.0253185}));
    EXPECT_THAT(y.at(3), near({1, -1.25, 1.75, 3, 3, -1.75, 3.5, -0.25}));
  }
  {
    const auto y = run("SkipSimplifiedLayerNormalization",
                       {floats({1, 2, 4}, {2, 0.5F, 0.75F, 1.75F, 0.25F, 1.25F, 1.5F, -1.25F}),
                        floats({1, 2, 4}, {-2, -0.75F, -1, 1.5F, 1.75F, -2, 0, 1.25F}),
                        floats({4}, {-1.5F, 1.25F, -1.5F, -0.25F})},
                       {}, 1);
    EXPECT_THAT(y.at(0), near({-0, -0.19118, 0.229416, -0.497067, -2.29878, -0.71837, -1.72409, -0}));
  }
}

TEST_F(OnnxMicrosoftNormalization, SimplifiedLayerNormalization) {
  {
    const auto y = run("::SimplifiedLayerNormalization",
                       {floats({1, 2, 4}, {2, 0.5F, 0.75F, 1.75F, 0.25F, 1.25F, 1.5F, -1.25F}),
                        floats({4}, {-1.5F, 1.25F, -1.5F, -0.25F})},
                       {{"axis", -1}, {"epsilon", 0.01F}}, 2);
    EXPECT_THAT(y.at(0),
                near({-2.13268, 0.444308, -0.799755, -0.311016, -0.320457, 1.33524, -1.92274, 0.267048}));
    EXPECT_THAT(y.at(1), near({0.710894, 0.854553}));
  }
  // by its formula: onnxruntime has no kernel on the CPU
  {
    const auto y = run("SimplifiedLayerNormalization",
                       {floats({1, 2, 4}, {2, 0.5F, 0.75F, 1.75F, 0.25F, 1.25F, 1.5F, -1.25F}),
                        floats({4}, {-1.5F, 1.25F, -1.5F, -0.25F})},
                       {{"epsilon", 0.01F}}, 1);
    EXPECT_THAT(y.at(0),
                near({-2.13268, 0.444308, -0.799755, -0.311016, -0.320457, 1.33524, -1.92274, 0.267048}));
  }
}

TEST_F(OnnxMicrosoftNormalization, EmbedLayerNormalization) {
  {
    const auto y =
        run("EmbedLayerNormalization",
            {OnnxTensor::of<int32_t>({1, 3}, {1, 0, 2}), OnnxTensor::of<int32_t>({1, 3}, {0, 1, 1}),
             floats({3, 2}, {0, 2, 1.25F, 1.25F, 0.75F, 0.5F}),
             floats({4, 2}, {-0.75F, 2, -0.25F, -1.25F, 1.5F, -1.5F, 1.5F, 0.5F}),
             floats({2, 2}, {-1.75F, -2, -0.25F, -2}), floats({2}, {-1.5F, 0}), floats({2}, {2, -0.25F}),
             OnnxTensor::of<int32_t>({1, 3}, {1, 1, 0})},
            {{"epsilon", 1e-05F}}, 2);
    EXPECT_THAT(y.at(0), near({3.5, -0.25, 0.500053, -0.25, 0.500001, -0.25}));
    EXPECT_THAT(y.at(1), same({2}));
  }
  {
    const auto y = run("EmbedLayerNormalization",
                       {OnnxTensor::of<int32_t>({1, 3}, {1, 0, 2}), none(),
                        floats({3, 2}, {0, 2, 1.25F, 1.25F, 0.75F, 0.5F}),
                        floats({4, 2}, {-0.75F, 2, -0.25F, -1.25F, 1.5F, -1.5F, 1.5F, 0.5F}), none(),
                        floats({2}, {-1.5F, 0}), floats({2}, {2, -0.25F}), none(),
                        OnnxTensor::of<int32_t>({1, 3}, {3, 1, 0})},
                       {{"epsilon", 1e-05F}, {"mask_index_type", 1}}, 3);
    EXPECT_THAT(y.at(0), near({0.50003, -0.25, 3.49997, -0.25, 3.5, -0.25}));
    EXPECT_THAT(y.at(1), same({0}));
    EXPECT_THAT(y.at(2), near({2.75, 1.75, -0.25, 0.75, 0, 2.5}));
  }
}

TEST_F(OnnxMicrosoftNormalization, GroupNorm) {
  // by its formula: onnxruntime has no kernel on the CPU
  {
    const auto y = run("GroupNorm",
                       {floats({1, 1, 2, 4}, {1.25F, 1.75F, 1.25F, 0.5F, -0.25F, 0, -1, 0}),
                        floats({4}, {-1.5F, 1.25F, -1.5F, -0.25F}), floats({4}, {1.25F, -0.75F, -0.75F, -1})},
                       {{"groups", 2}, {"activation", 1}, {"channels_last", 1}}, 1);
    EXPECT_THAT(y.at(0),
                near({0.134932, 0.585213, -0.170026, -0.274519, 2.78335, -0.257032, 1.15329, -0.264286}));
  }
  // by its formula: onnxruntime has no kernel on the CPU
  {
    const auto y = run("SkipGroupNorm",
                       {floats({1, 1, 2, 4}, {1.25F, 1.75F, 1.25F, 0.5F, -0.25F, 0, -1, 0}),
                        floats({4}, {-1.5F, 1.25F, -1.5F, -0.25F}), floats({4}, {1.25F, -0.75F, -0.75F, -1}),
                        floats({1, 4}, {-0.5F, -1, 2, -2}), floats({4}, {1, -1, 2, -0.25F})},
                       {{"groups", 2}, {"activation", 0}}, 2);
    EXPECT_THAT(y.at(0),
                near({-0.7804, -0.925035, -2.73205, -0.778129, 0.899931, -2.55869, -1.66707, -0.738685}));
    EXPECT_THAT(y.at(1), near({1.75, -0.25, 5.25, -1.75, 0.25, -2, 3, -2.25}));
  }
  // by its formula: onnxruntime has no kernel on the CPU
  {
    const auto y = run("NhwcGroupNorm",
                       {floats({1, 1, 2, 4}, {1.25F, 1.75F, 1.25F, 0.5F, -0.25F, 0, -1, 0}),
                        floats({4}, {-1.5F, 1.25F, -1.5F, -0.25F}), floats({4}, {1.25F, -0.75F, -0.75F, -1})},
                       {{"groups", 2}, {"activation", 0}}, 1);
    EXPECT_THAT(y.at(0),
                near({0.24097, 0.838288, -2.70002, -1.09559, 2.93172, -1.77772, 1.42943, -0.942646}));
  }
}

TEST_F(OnnxMicrosoftNormalization, LayerNormalization) {
  // by its formula: onnxruntime has no kernel on the CPU
  {
    const auto y = run("LayerNormalization",
                       {floats({1, 2, 4}, {2, 0.5F, 0.75F, 1.75F, 0.25F, 1.25F, 1.5F, -1.25F}),
                        floats({4}, {-1.5F, 1.25F, -1.5F, -0.25F}), floats({4}, {1.25F, -0.75F, -0.75F, -1})},
                       {{"epsilon", 0.01F}}, 1);
    EXPECT_THAT(y.at(0),
                near({-0.493715, -2.2031, 0.412476, -1.19375, 1.50913, 0.185764, -2.21843, -0.611298}));
  }
}

TEST_F(OnnxMicrosoftNormalization, WrongAttributesAreNamed) {
  const OnnxTensor x = floats({1, 2, 2, 4}, std::vector<float>(16, 1)), c = floats({4}, {1, 1, 1, 1});
  EXPECT_THAT(refusal("GroupNorm", {x, c, c}, {{"groups", 0}, {"activation", 0}}),
              HasSubstr("attribute 'groups' is 0, expected at least 1"));
  EXPECT_THAT(refusal("GroupNorm", {x, c, c}, {{"groups", 2}, {"activation", 3}}),
              HasSubstr("attribute 'activation' is 3, expected 0 or 1"));
  EXPECT_THAT(refusal("EmbedLayerNormalization",
                      {OnnxTensor::of<int32_t>({1, 1}, {0}), OnnxTensor::of<int32_t>({1, 1}, {0}),
                       floats({1, 2}, {1, 2}), floats({1, 2}, {1, 2}), none(), floats({2}, {1, 1}),
                       floats({2}, {0, 0})}),
              HasSubstr("input 1 gives segments, but there is no input 4"));
}

}  // namespace mo::test
