// BITCAST: constants are looked at as they lie in memory, integers are computed.
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "tflite_fixture.hpp"

namespace mo::test {
namespace {

using testing::ElementsAre;

class TfliteBits : public Tflite {
 protected:
  // LiteRT's interpreter gives the same of what MO_LITE_MODELS writes (tests/conformance/litert_run.mjs).
  std::vector<double> computed(const LiteFile& file, const std::string& name) {
    if (const char* folder = std::getenv("MO_LITE_MODELS"))
      std::ofstream(std::filesystem::path(folder) / ("bits_" + name + ".tflite"), std::ios::binary)
          << file.bytes();
    return Tflite::computed(file);
  }
  // The bits of a constant, or of what is no constant yet: an absolute value.
  static LiteFile bits_of(int32_t x, LiteGraph g, bool constant, LiteType type, std::vector<int32_t> dims) {
    if (!constant) {
      const LiteTensor& from = g.tensors[static_cast<size_t>(x)];
      const int32_t y = g.tensor({.name = "abs", .type = from.type, .dims = from.dims});
      g.operators.push_back({.code = lite::abs, .inputs = {x}, .outputs = {y}});
      x = y;
    }
    const int32_t y = g.output({.name = "y", .type = type, .dims = std::move(dims)});
    g.operators.push_back({.code = 159, .inputs = {x}, .outputs = {y}});
    LiteFile file;
    file.graphs = {std::move(g)};
    return file;
  }
  static LiteFile of_words(bool constant, LiteType type, std::vector<int32_t> dims) {
    LiteGraph g;
    const int32_t x = g.constant<int32_t>(LiteType::i32, {2}, {0x01020384, 0x7FF0A0FF});
    return bits_of(x, g, constant, type, std::move(dims));
  }
  static LiteFile of_shorts(bool constant) {
    LiteGraph g;
    const int32_t x = g.constant<int16_t>(LiteType::i16, {2, 2}, {0x0102, 0x7FFF, 3, 4});
    return bits_of(x, g, constant, LiteType::i32, {2});
  }
};

TEST_F(TfliteBits, OfLongIntegersTheLowestComeFirst) {
  for (const bool constant : {true, false}) {
    EXPECT_THAT(computed(of_words(constant, LiteType::u8, {2, 4}), "bytes"),
                ElementsAre(0x84, 3, 2, 1, 0xFF, 0xA0, 0xF0, 0x7F));
    EXPECT_THAT(computed(of_words(constant, LiteType::i16, {2, 2}), "shorts"),
                ElementsAre(0x0384, 0x0102, 0xA0FF - 0x10000, 0x7FF0));
  }
}

TEST_F(TfliteBits, ShortIntegersBecomeALongOne) {
  for (const bool constant : {true, false})
    EXPECT_THAT(computed(of_shorts(constant), "word"), ElementsAre(0x7FFF0102, 0x00040003));
}

// One of each kind, and of each exponent the least and the greatest.
std::vector<float> all_kinds() {
  std::vector<float> list{0.0F, -0.0F, INFINITY, -INFINITY, std::numeric_limits<float>::quiet_NaN()};
  for (uint32_t exponent = 0; exponent < 255; ++exponent)
    for (const uint32_t rest : {0U, 1U, 0x555555U, 0x7FFFFFU})
      for (const uint32_t sign : {0U, 0x80000000U})
        list.push_back(std::bit_cast<float>(sign | exponent << 23 | rest));
  return list;
}

TEST_F(TfliteBits, OfComputedFloats) {
  const std::vector<float> floats = all_kinds();
  const auto count = static_cast<int32_t>(floats.size());
  LiteGraph g;
  const int32_t x = g.constant<float>(LiteType::f32, {count}, floats), one = g.floats({}, {-1}),
                minus = g.tensor({.name = "minus", .dims = {count}}),
                y = g.output({.name = "y", .type = LiteType::i32, .dims = {count}}),
                back = g.output({.name = "back", .dims = {count}});
  g.operators = {{.code = 18, .inputs = {x, one}, .outputs = {minus}},
                 {.code = 159, .inputs = {minus}, .outputs = {y}},
                 {.code = 159, .inputs = {y}, .outputs = {back}}};
  LiteFile file;
  file.graphs = {g};
  const auto results = run(*prepare(file));
  const auto bits = values_of(results.at(0));
  const Tensor again = Tensor::borrow(session_host(), results.at(1).get());
  ASSERT_EQ(bits.size(), floats.size());
  for (size_t i = 0; i < floats.size(); ++i) {
    const bool is_nan = std::isnan(floats[i]);
    const uint32_t expected = is_nan ? 0x7FC00000U : std::bit_cast<uint32_t>(-floats[i]);
    EXPECT_EQ(static_cast<uint32_t>(static_cast<int32_t>(bits[i])), expected) << floats[i];
    const float value = again.to_floats()[i];
    if (is_nan)
      EXPECT_TRUE(std::isnan(value));
    else
      EXPECT_EQ(std::bit_cast<uint32_t>(value), expected) << floats[i];
  }
}

// IEEE 754 halves, and doubles as two words, the lower one first.
TEST_F(TfliteBits, OfComputedFloatsOfOtherSizes) {
  LiteGraph halves;
  const int32_t h =
      halves.constant<uint16_t>(LiteType::f16, {6}, {0x0000, 0x3C00, 0xC000, 0x7BFF, 0x0001, 0x83FF});
  EXPECT_THAT(computed(bits_of(h, halves, false, LiteType::i16, {6}), "halves"),
              ElementsAre(0, 0x3C00, 0x4000, 0x7BFF, 1, 0x03FF));
  LiteGraph doubles;
  const int32_t d = doubles.constant<double>(LiteType::f64, {2}, {-1.5, 0.1});
  EXPECT_THAT(computed(bits_of(d, doubles, false, LiteType::i32, {2, 2}), "doubles"),
              ElementsAre(0, 0x3FF80000, 0x9999999A - 0x100000000, 0x3FB99999));
}

TEST_F(TfliteBits, OfConstantFloats) {
  LiteGraph g;
  const int32_t x = g.floats({2}, {1, -2});
  EXPECT_THAT(computed(bits_of(x, g, true, LiteType::i32, {2}), "float"),
              ElementsAre(0x3F800000, -0x40000000));
  const int32_t three = g.ints({1, 2, 3});
  EXPECT_THAT(failure_of(bits_of(three, g, true, LiteType::i64, {1})),
              HasSubstr("its input has shape [3], but 2 elements of i32 are one of i64"));
}

}  // namespace
}  // namespace mo::test
