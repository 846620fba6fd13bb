// BITCAST: constants are looked at as they lie in memory, integers are computed.
#include <cstdlib>

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

TEST_F(TfliteBits, OfFloatsOnlyThoseOfConstantsAreKnown) {
  LiteGraph g;
  const int32_t x = g.floats({2}, {1, -2});
  EXPECT_THAT(computed(bits_of(x, g, true, LiteType::i32, {2}), "float"),
              ElementsAre(0x3F800000, -0x40000000));
  EXPECT_THAT(failure_of(bits_of(x, g, false, LiteType::i32, {2})),
              HasSubstr("it looks at the bits of f32 as i32, which the IR cannot do"));
  const int32_t three = g.ints({1, 2, 3});
  EXPECT_THAT(failure_of(bits_of(three, g, true, LiteType::i64, {1})),
              HasSubstr("its input has shape [3], but 2 elements of i32 are one of i64"));
}

}  // namespace
}  // namespace mo::test
