#include "apps/config_tools/located_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/support/failure.hpp"

namespace mo::app {
namespace {

using ::testing::HasSubstr;

std::string json_refusal(std::string_view text) {
  try {
    parse_located_json("c.json", text);
  } catch (const core::Failure& f) {
    EXPECT_EQ(f.code(), "MO0611");
    EXPECT_EQ(f.exit(), core::Exit::usage);
    return f.message();
  }
  return "accepted";
}

TEST(LocatedJson, KnowsLinesAndBrackets) {
  const std::string text = "[\n  {\"a\": 1,\n   \"b\": [true, null, \"x\\ny\", -2.5]\n  }\n]\n";
  const LocatedJson root = parse_located_json("c.json", text);
  ASSERT_EQ(root.kind, LocatedJson::Kind::array);
  EXPECT_EQ(root.begin, 0U);
  EXPECT_EQ(root.end, text.size() - 1);
  const LocatedJson& object = root.items.at(0);
  EXPECT_EQ(text[object.begin], '{');
  EXPECT_EQ(text[object.end - 1], '}');
  EXPECT_EQ(object.line, 2U);
  ASSERT_EQ(object.members.size(), 2U);
  EXPECT_EQ(object.members[1].line, 3U);
  EXPECT_EQ(text.substr(object.members[1].begin, 3), "\"b\"");
  const LocatedJson& list = *object.find("b");
  EXPECT_EQ(list.items.at(0).boolean, true);
  EXPECT_EQ(list.items.at(1).kind, LocatedJson::Kind::null);
  EXPECT_EQ(list.items.at(2).string, "x\ny");
  EXPECT_EQ(list.items.at(3).number, -2.5);
  EXPECT_EQ(object.find("c"), nullptr);
}

TEST(LocatedJson, NestedValuesKeepTheirPlaces) {
  const LocatedJson root = parse_located_json("c.json", R"({"a":{"b":{"c":[[1],[2,3]]}},"d":{}})");
  const LocatedJson& c = *root.find("a")->find("b")->find("c");
  ASSERT_EQ(c.items.size(), 2U);
  EXPECT_EQ(c.items[1].items.at(1).number, 3);
  EXPECT_TRUE(root.find("d")->members.empty());
}

TEST(LocatedJson, SaysWhereItIsWrong) {
  EXPECT_THAT(json_refusal("[\n{\"a\": }]"), HasSubstr("'c.json' is not a configuration: line 2, column 7"));
  EXPECT_THAT(json_refusal(""), HasSubstr("line 1, column 1"));
  EXPECT_THAT(json_refusal("[1] 2"), HasSubstr("line 1"));
  EXPECT_THAT(json_refusal("{\"a\": 1, \"a\": 2}"), HasSubstr("the key \"a\" is there twice"));
  EXPECT_THAT(json_refusal(std::string(100, '[')), HasSubstr("nested deeper than 64 levels"));
  EXPECT_THAT(json_refusal("[\"\xff\"]"), HasSubstr("line 1"));
}

TEST(LocatedJson, EveryTruncationIsRefused) {
  const std::string text = R"([{"id": "a", "n": [1, 2.5e3], "t": true}])";
  for (size_t n = 0; n < text.size(); ++n) EXPECT_NE(json_refusal(text.substr(0, n)), "accepted") << n;
  EXPECT_EQ(json_refusal(text), "accepted");
}

}  // namespace
}  // namespace mo::app
