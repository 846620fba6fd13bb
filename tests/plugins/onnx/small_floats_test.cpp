// Casts to floats of 8 and 4 bits and back. Figures follow from the formats: f8e4m3 ends at 448, f8e5m2 at
// 57344.
#include <mo/small_floats.hpp>

#include "operator_fixture.hpp"

namespace mo::test {
namespace {

constexpr auto float8e8m0 = static_cast<OnnxType>(24);

class OnnxSmallFloats : public OnnxOperators {
 protected:
  std::vector<double> there_and_back(OnnxType type, const std::vector<float>& values, int saturate = 1,
                                     const std::string& round_mode = "up") {
    ModelBuilder m(24);
    const std::string x = m.constant(floats({static_cast<int64_t>(values.size())}, values));
    const std::string small =
        m.op("Cast", {x},
             {{"to", static_cast<int64_t>(type)}, {"saturate", saturate}, {"round_mode", round_mode}});
    m.output(m.op("Cast", {small}, {{"to", 1}}));
    return computed(m);
  }
};

TEST_F(OnnxSmallFloats, AreRoundedToTheNearest) {
  EXPECT_EQ(there_and_back(OnnxType::float8e4m3fn, {17, 19, 18, -1.0625F, 0.001F, 1000}),
            (std::vector<double>{16, 20, 18, -1, 0.001953125, 448}));
  EXPECT_EQ(there_and_back(OnnxType::float8e5m2, {17, 18, 22, -1.125F, 1e6F}),
            (std::vector<double>{16, 16, 24, -1, 57344}));
  EXPECT_EQ(there_and_back(OnnxType::float4e2m1, {0.25F, 0.3F, 2.5F, -5, 100}),
            (std::vector<double>{0, 0.5, 2, -4, 6}));
}

TEST_F(OnnxSmallFloats, WithoutSaturationWhatIsTooLargeIsNoNumber) {
  EXPECT_TRUE(std::isnan(there_and_back(OnnxType::float8e4m3fn, {1000}, 0).at(0)));
  EXPECT_TRUE(std::isinf(there_and_back(OnnxType::float8e5m2, {1e6F}, 0).at(0)));
}

// What lies halfway goes up, whatever the exponent; 1.9999999 and 1.0000001 are the neighbours of 2 and 1.
TEST_F(OnnxSmallFloats, PowersOfTwoAreTakenAsTheModeSays) {
  const std::vector<float> x{1,    1.0000001F, 1.4999999F, 1.5F,     1.9999999F, 2.9999998F,
                             3.0F, 6,          0.75F,      0x1p-20F, 0x1p127F};
  const auto as = [&](const std::string& mode) { return there_and_back(float8e8m0, x, 1, mode); };
  EXPECT_EQ(as("up"), (std::vector<double>{1, 2, 2, 2, 2, 4, 4, 8, 1, 0x1p-20, 0x1p127}));
  EXPECT_EQ(as("down"), (std::vector<double>{1, 1, 1, 1, 1, 2, 2, 4, 0.5, 0x1p-20, 0x1p127}));
  EXPECT_EQ(as("nearest"), (std::vector<double>{1, 1, 1, 2, 2, 2, 4, 8, 1, 0x1p-20, 0x1p127}));
  EXPECT_EQ(there_and_back(float8e8m0, {0x1.8p127F}), std::vector<double>{0x1p127});
  EXPECT_TRUE(std::isnan(there_and_back(float8e8m0, {0x1.8p127F}, 0).at(0)));
}

// As src/core/src/type/float8_e8m0.cpp of OpenVINO has them: infinity is the greatest power of two, what is
// not positive the least; halfway to 2^-126 and from 2^127 on nothing is rounded up.
TEST(SmallFloats, PowersOfTwoEndAtTheGreatest) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const auto code = [](float v) { return int{small_float_code(ElementType::f8e8m0, v)}; };
  EXPECT_EQ(code(infinity), 254);
  EXPECT_EQ(code(0x1.8p127F), 254);
  EXPECT_EQ(code(0x1.fp127F), 254);
  EXPECT_EQ(code(0x1.8p126F), 254);
  EXPECT_EQ(code(0x1.8p125F), 252);
  EXPECT_EQ(code(-infinity), 0);
  EXPECT_EQ(code(-3), 0);
  EXPECT_EQ(code(0), 0);
  EXPECT_EQ(code(0x1.8p-127F), 0);
  EXPECT_EQ(code(0x1.9p-127F), 1);
  EXPECT_EQ(code(std::numeric_limits<float>::quiet_NaN()), 255);
}

TEST(SmallFloats, EachCodeComesBack) {
  for (const ElementType t :
       {ElementType::f8e4m3, ElementType::f8e5m2, ElementType::f8e8m0, ElementType::f4e2m1})
    for (unsigned code = 0; code < (t == ElementType::f4e2m1 ? 16U : 256U); ++code) {
      const float v = small_float_value(t, code);
      if (std::isnan(v)) continue;
      EXPECT_EQ(small_float_code(t, v), code) << name(t);
    }
  EXPECT_EQ(small_float_value(ElementType::f8e4m3, 0x7e), 448);
  EXPECT_EQ(small_float_value(ElementType::f8e5m2, 0x7b), 57344);
  EXPECT_EQ(small_float_value(ElementType::f8e8m0, 127), 1);
  EXPECT_EQ(small_float_value(ElementType::f4e2m1, 7), 6);
}

}  // namespace
}  // namespace mo::test
