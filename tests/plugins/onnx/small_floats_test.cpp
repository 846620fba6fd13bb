// Casts to floats of 8 and 4 bits and back. Figures follow from the formats: f8e4m3 ends at 448, f8e5m2 at
// 57344.
#include <mo/small_floats.hpp>
#include <numeric>
#include <span>

#include "operator_fixture.hpp"

namespace mo::test {
namespace {

constexpr auto float8e8m0 = static_cast<OnnxType>(24);
constexpr auto int2 = static_cast<OnnxType>(26);
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

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

// Every code of a type that the IR does not have, as a constant; `from` codes on, what they stand for.
OnnxTensor codes_of(OnnxType type, const std::vector<uint8_t>& codes, int64_t count) {
  return OnnxTensor::raw(type, {count}, std::as_bytes(std::span(codes)));
}

// Formats as "FP8 Formats for Deep Learning" and ONNX's page on float8 have them: one bias more than their
// kind, one NaN in the place of -0, no infinity.
TEST_F(OnnxSmallFloats, CodesWithoutANegativeZeroAreNumbers) {
  std::vector<uint8_t> all(256);
  std::iota(all.begin(), all.end(), uint8_t{0});
  const auto numbers = [&](OnnxType type) {
    ModelBuilder m(23);
    m.output(m.op("Cast", {m.constant(codes_of(type, all, 256))}, {{"to", 1}}));
    return computed(m);
  };
  const auto e4m3 = numbers(OnnxType::float8e4m3fnuz), e5m2 = numbers(OnnxType::float8e5m2fnuz);
  EXPECT_EQ(e4m3.at(0x7f), 240);
  EXPECT_EQ(e4m3.at(0x01), 0x1p-10);
  EXPECT_EQ(e4m3.at(0x08), 0x1p-7);
  EXPECT_EQ(e5m2.at(0x7f), 57344);
  EXPECT_EQ(e5m2.at(0x01), 0x1p-17);
  EXPECT_EQ(e5m2.at(0x04), 0x1p-15);
  for (unsigned code = 1; code < 128; ++code) {
    EXPECT_EQ(e4m3.at(code + 128), -e4m3.at(code));
    EXPECT_EQ(e5m2.at(code + 128), -e5m2.at(code));
    // Up to where the kinds with infinities and more NaNs end, numbers are half of theirs.
    if (code < 0x7f) {
      EXPECT_EQ(e4m3.at(code), small_float_value(ElementType::f8e4m3, code) / 2);
    }
    if (code < 0x7c) {
      EXPECT_EQ(e5m2.at(code), small_float_value(ElementType::f8e5m2, code) / 2);
    }
  }
  EXPECT_TRUE(std::isnan(e4m3.at(0x80)) && std::isnan(e5m2.at(0x80)));
}

// The table of ONNX's Cast.
TEST_F(OnnxSmallFloats, WithoutANegativeZeroTheyAreRoundedByArithmetic) {
  const auto e4m3 = OnnxType::float8e4m3fnuz, e5m2 = OnnxType::float8e5m2fnuz;
  // 17 and 19 lie halfway; 232 between 224 and 240; below 2^-7 steps are 2^-10.
  EXPECT_EQ(there_and_back(e4m3, {17, 19, 17.1F, -1.0625F, 232, 233, 240, 0x1.8p-10F, 0x1p-11F, 0x1.2p-8F}),
            (std::vector<double>{16, 20, 18, -1, 224, 240, 240, 0x1p-9, 0, 0x1p-8}));
  EXPECT_EQ(there_and_back(e4m3, {247.9F, 248, 1e6F, -1e6F, infinity, -infinity}),
            (std::vector<double>{240, 240, 240, -240, 240, -240}));
  EXPECT_EQ(there_and_back(e5m2, {17, 18, 22, -1.125F, 49152, 0x1.8p-17F, 0x1p-18F, 1e6F, -infinity}),
            (std::vector<double>{16, 16, 24, -1, 49152, 0x1p-16, 0, 57344, -57344}));
  for (const OnnxType type : {e4m3, e5m2}) {
    for (const double y : there_and_back(type, {infinity, -infinity, 1e6F, not_a_number}, 0))
      EXPECT_TRUE(std::isnan(y));
    EXPECT_TRUE(std::isnan(there_and_back(type, {not_a_number}).at(0)));
    for (const double y : there_and_back(type, {-0.0F, -1e-9F})) EXPECT_FALSE(std::signbit(y));
  }
  EXPECT_EQ(there_and_back(e4m3, {247.9F}, 0), std::vector<double>{240});
  EXPECT_TRUE(std::isnan(there_and_back(e4m3, {248}, 0).at(0)));
}

// What test_cast_FLOAT_to_INT2 of ONNX expects.
TEST_F(OnnxSmallFloats, IntegersOfTwoBitsWrapAround) {
  EXPECT_EQ(there_and_back(int2, {-3, -2, -1, 0, 1, 2, 3}), (std::vector<double>{1, -2, -1, 0, 1, -2, -1}));
  ModelBuilder m(25);
  // The first number is in the lowest bits: 0, 1, -2, -1, then -1, 0.
  m.output(m.op("Cast", {m.constant(codes_of(int2, {0xe4, 0x03}, 6))}, {{"to", 1}}));
  EXPECT_EQ(computed(m), (std::vector<double>{0, 1, -2, -1, -1, 0}));
}

// The type of a value is not that of the tensor that holds it.
TEST_F(OnnxSmallFloats, TypesThatAreHeldGoWithTheirValues) {
  const OnnxTensor x = floats({3}, {1.3F, 17, 1000});
  const auto like = [&](OnnxType type, const std::function<std::string(ModelBuilder&, std::string)>& f) {
    ModelBuilder m(25);
    const std::string y = f(m, m.op("Transpose", {m.constant(codes_of(type, {0}, 1))}));
    m.output(m.op("Cast", {y}, {{"to", 1}}));
    return computed(m);
  };
  const auto cast_like = [&](ModelBuilder& m, const std::string& z) {
    return m.op("CastLike", {m.constant(x), m.op("Identity", {z})});
  };
  EXPECT_EQ(like(OnnxType::float8e4m3fnuz, cast_like), (std::vector<double>{1.25, 16, 240}));
  EXPECT_EQ(like(OnnxType::float8e5m2fnuz, cast_like), (std::vector<double>{1.25, 16, 1024}));
  EXPECT_EQ(like(int2, cast_like), (std::vector<double>{1, 1, 0}));
  const auto quantize = [&](ModelBuilder& m, const std::string& z) {
    return m.op("QuantizeLinear",
                {m.constant(x), m.constant(floats({}, {2})), m.op("Reshape", {z, m.constant(ints({1}))})});
  };
  EXPECT_EQ(like(OnnxType::float8e4m3fnuz, quantize), (std::vector<double>{0.625, 8, 240}));
  EXPECT_EQ(like(int2, quantize), (std::vector<double>{1, 1, 1}));
}

// Into a body, as a constant and as a value that is not known before the model runs.
TEST_F(OnnxSmallFloats, BodiesSeeTypesThatAreHeld) {
  for (const bool is_constant : {true, false}) {
    GraphBuilder same("same"), like("like");
    same.output(same.op("Identity", {"x"}));
    like.output(like.op("Cast", {like.op("CastLike", {"x", "z"})}, {{"to", 1}}));
    ModelBuilder m(25);
    m.input("x", OnnxType::float32, {1});
    m.input("takes", OnnxType::boolean, {});
    if (is_constant)
      m.initializer("z", codes_of(OnnxType::float8e4m3fnuz, {0}, 1));
    else
      m.input("z", OnnxType::float8e4m3fnuz, {1});
    m.node({.type = "If",
            .inputs = {"takes"},
            .outputs = {"y"},
            .attributes = {{"then_branch", like}, {"else_branch", same}},
            .name = "op"});
    m.output("y");
    const auto text = app::to_text(*prepare(m));
    EXPECT_THAT(text, testing::HasSubstr("Bucketize"));  // the rounding
  }
}

TEST_F(OnnxSmallFloats, NodesStandInOrderWhereTypesAreHeld) {
  ModelBuilder m(25);
  m.input("x", OnnxType::float32, {2});
  m.node({.type = "CastLike", .inputs = {"x", "later"}, .outputs = {"y"}, .name = "like"});
  m.node({.type = "Cast", .inputs = {"x"}, .outputs = {"later"}, .attributes = {{"to", 18}}});
  m.output("y");
  EXPECT_THAT(failure_of(m), testing::HasSubstr("node 'like' (CastLike) reads value 'later' of type "
                                                "float8e4m3fnuz and stands before the node that makes it"));
}

TEST_F(OnnxSmallFloats, QuantizationNeedNotSaturate) {
  const auto quantized = [&](OnnxType type) {
    ModelBuilder m(25);
    m.output(m.op("Cast",
                  {m.op("QuantizeLinear", {m.constant(floats({1}, {1e6F})), m.constant(floats({}, {1}))},
                        {{"output_dtype", static_cast<int64_t>(type)}, {"saturate", 0}})},
                  {{"to", 1}}));
    return computed(m).at(0);
  };
  EXPECT_TRUE(std::isnan(quantized(OnnxType::float8e4m3fnuz)));
  EXPECT_TRUE(std::isnan(quantized(OnnxType::float8e4m3fn)));
  EXPECT_TRUE(std::isinf(quantized(OnnxType::float8e5m2)));
}

TEST_F(OnnxSmallFloats, NothingComputesWithTypesThatAreHeld) {
  ModelBuilder m(25);
  m.input("x", OnnxType::float8e4m3fnuz, {2});
  m.output(m.op("Add", {"x", "x"}));
  EXPECT_THAT(failure_of(m), testing::HasSubstr("input 0 is float8e4m3fnuz, which the IR does not have and "
                                                "another type holds; only operators that convert values"));
}

TEST_F(OnnxSmallFloats, InputsOfTypesThatAreHeldAreToldOf) {
  ModelBuilder m(25);
  m.input("x", int2, {2});
  m.output(m.op("Cast", {"x"}, {{"to", 1}}));
  const auto g = prepare(m);
  EXPECT_EQ(g->out({g->parameters()[0], 0}).tensor.type, ElementType::i4);
  EXPECT_THAT(log_,
              testing::HasSubstr("input 'x' of the graph is int2, which the IR does not have; it is i4 "));
}

// Published: test_cast_FLOAT_to_FLOAT4E2M1.
TEST_F(OnnxSmallFloats, NaNOfFourBitsIsZero) {
  EXPECT_EQ(there_and_back(OnnxType::float4e2m1, {not_a_number, infinity}), (std::vector<double>{0, 6}));
}

// As src/core/src/type/float8_e8m0.cpp of OpenVINO has them: infinity is the greatest power of two, what is
// not positive the least; halfway to 2^-126 and from 2^127 on nothing is rounded up.
TEST(SmallFloats, PowersOfTwoEndAtTheGreatest) {
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
