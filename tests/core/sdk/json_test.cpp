// mo/json.hpp: what custom_attributes, and JSON of a plugin's own, are read with.
#include <mo/json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mo {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

TEST(Json, ReadsEveryKindOfValue) {
  const Json j = Json::parse(R"( { "i" : -12, "big": 9007199254740993, "f": 1.5e-3, "t": true, "n": null,
      "s": "a\"\\\/\n\u00e4\ud83d\ude00", "l": [1, 2], "e": [], "o": {"k": [false]} } )");
  EXPECT_EQ(j.get<int64_t>("i"), -12);
  EXPECT_EQ(j.get<int64_t>("big"), 9007199254740993) << "not by way of a double";
  EXPECT_EQ(j.get<double>("f"), 1.5e-3);
  EXPECT_EQ(j.get<double>("i"), -12.0);
  EXPECT_TRUE(j.get<bool>("t"));
  EXPECT_EQ(j.get<std::string>("s"), "a\"\\/\n\xc3\xa4\xf0\x9f\x98\x80");
  EXPECT_THAT(j.get<std::vector<int64_t>>("l"), ElementsAre(1, 2));
  EXPECT_THAT(j.get<std::vector<double>>("l"), ElementsAre(1.0, 2.0));
  EXPECT_TRUE(j.get<std::vector<std::string>>("e").empty());
  EXPECT_EQ(j.find("n")->kind(), Json::Kind::null);
  EXPECT_FALSE(j.find("o")->get<std::vector<bool>>("k").at(0));
  EXPECT_THAT(j.keys(), ElementsAre("i", "big", "f", "t", "n", "s", "l", "e", "o"));
}

TEST(Json, FallbacksAndOldBooleans) {
  const Json j = Json::parse(R"({"do_softmax": 0, "two": 2})");
  EXPECT_FALSE(j.get("do_softmax", true));
  EXPECT_TRUE(j.get("missing", true));
  EXPECT_EQ(j.get("missing", "text"), "text");
  EXPECT_EQ(j.get("two", 7), 2);
  EXPECT_EQ(error_of([&] { j.get<bool>("two"); }),
            "custom attribute 'two' is an integer, expected true or false");
}

TEST(Json, ErrorsSayWhatIsMissing) {
  const Json j = Json::parse(R"({"s": "x", "l": [1, "a"], "f": 0.5})");
  EXPECT_THAT(error_of([&] { j.get<int64_t>("classes"); }),
              HasSubstr("custom attribute 'classes' is missing; add it to \"custom_attributes\""));
  EXPECT_EQ(error_of([&] { j.get<int64_t>("s"); }), "custom attribute 's' is a string, expected an integer");
  EXPECT_EQ(error_of([&] { j.get<int64_t>("f"); }), "custom attribute 'f' is a number, expected an integer");
  EXPECT_EQ(error_of([&] { j.get<std::vector<int64_t>>("l"); }),
            "custom attribute 'l' is a string, expected an integer");
  EXPECT_EQ(error_of([&] { j.get<std::vector<int64_t>>("s"); }),
            "custom attribute 's' is a string, expected a list");
}

TEST(Json, ErrorsSayWhere) {
  const auto wrong = [](std::string_view text) { return error_of([&] { Json::parse(text); }); };
  EXPECT_EQ(wrong("{\"a\" 1}"), "JSON: expected ':' at character 6");
  EXPECT_EQ(wrong("{\"a\": 1,}"), "JSON: expected a key in quotes at character 9");
  EXPECT_EQ(wrong("[1 2]"), "JSON: expected ',' or ']' at character 4");
  EXPECT_EQ(wrong("\"a"), "JSON: expected '\"' at character 3");
  EXPECT_EQ(wrong("\"\\x\""), "JSON: expected an escape at character 3");
  EXPECT_EQ(wrong("\"\\u12g4\""), "JSON: expected four hexadecimal digits at character 6");
  EXPECT_EQ(wrong("nul"), "JSON: expected a value at character 1");
  EXPECT_EQ(wrong(""), "JSON: expected a value at character 1");
  EXPECT_EQ(wrong("{} {}"), "JSON: expected the end at character 4");
  EXPECT_EQ(wrong("1-2"), "JSON: expected a value at character 1");
  EXPECT_THAT(wrong(std::string(200, '[')), HasSubstr("fewer nested"));
}

TEST(Json, ErrorsNameTheText) {
  const Json j = Json::parse(R"({"model": {"layers": "two", "sizes": [300]}})", "net.json");
  const Json& model = *j.find("model");
  EXPECT_EQ(error_of([&] { model.get<int64_t>("layers"); }),
            "net.json: 'layers' is a string, expected an integer");
  EXPECT_EQ(error_of([&] { model.get<int64_t>("heads"); }), "net.json: 'heads' is missing; add it");
  EXPECT_EQ(error_of([&] { model.get<std::vector<uint8_t>>("sizes"); }),
            "net.json: 'sizes' is 300, which is not within 0..255");
  EXPECT_EQ(error_of([] { Json::parse("{", "net.json"); }),
            "net.json: expected a key in quotes at character 2");
}

TEST(Json, HalvesOfSurrogatePairs) {
  for (const std::string_view text : {R"("\ud83d")", R"("\ude00")", R"("\ud83d\u0041")", R"("\ud83dx")"})
    EXPECT_THAT(error_of([&] { Json::parse(text); }), HasSubstr("the other half of a surrogate pair"))
        << text;
}

}  // namespace
}  // namespace mo
