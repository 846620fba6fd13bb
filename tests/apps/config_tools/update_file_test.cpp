#include "apps/config_tools/update_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/config/match_config.hpp"
#include "tests/core/config/inception.hpp"

namespace mo::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class UpdateFile : public testing::Test {
 protected:
  std::string update(std::string_view text) { return updated_configuration("c.json", text, *g, notes); }
  test::Lab lab;
  core::GraphPtr g = lab.graph(test::inception());
  std::vector<std::string> notes;
};

// The file before and after the update, as the documents show it.
TEST_F(UpdateFile, InceptionBlock) {
  const std::string before = R"([
    {
        "id": "InceptionBlockTransformation",
        "custom_attributes": {
            "attr1_key": "attr1_value",
            "attr2_key": 123456
        },
        "instances": [
            ".*InceptionV4/Mixed_5b",
            ".*InceptionV4/Mixed_5c",
            ".*InceptionV4/Mixed_5d"
        ],
        "match_kind": "scope"
    }
]
)";
  EXPECT_EQ(update(before), R"([
    {
        "id": "InceptionBlockTransformation",
        "custom_attributes": {
            "attr1_key": "attr1_value",
            "attr2_key": 123456
        },
        "instances": [
            ".*InceptionV4/Mixed_5b",
            ".*InceptionV4/Mixed_5c",
            ".*InceptionV4/Mixed_5d"
        ],
        "match_kind": "scope",
        "inputs": [
            [
                {
                    "node": "Branch_2/Conv2d_0a_1x1/Conv2D$",
                    "port": 0
                },
                {
                    "node": "Branch_3/AvgPool_0a_3x3/AvgPool$",
                    "port": 0
                },
                {
                    "node": "Branch_1/Conv2d_0a_1x1/Conv2D$",
                    "port": 0
                },
                {
                    "node": "Branch_0/Conv2d_0a_1x1/Conv2D$",
                    "port": 0
                }
            ]
        ],
        "outputs": [
            {
                "node": "concat$",
                "port": 0
            }
        ]
    }
]
)");
  EXPECT_THAT(notes, IsEmpty());
}

TEST_F(UpdateFile, KeepsTheAuthorsLayout) {
  const std::string one_line = update(
      R"([{"id": "a", "match_kind": "scope", "instances": [".*/Mixed_5d"], "outputs": []}, {"id": "g", "match_kind": "general"}])");
  EXPECT_THAT(one_line,
              HasSubstr(R"("outputs": [], "inputs": [[{"node":"Branch_2/Conv2d_0a_1x1/Conv2D$","port":0},)"));
  EXPECT_THAT(one_line, HasSubstr(R"({"id": "g", "match_kind": "general"}])"));
  const std::string tabs = update(
      "[\n\t{\n\t\t\"instances\": [\"InceptionV4/Mixed_5b\"],\n\t\t\"id\": \"a\",\n\t\t\"match_kind\": "
      "\"scope\"\n\t}\n]");
  EXPECT_THAT(tabs, HasSubstr("\"scope\",\n\t\t\"inputs\": [\n\t\t\t[\n\t\t\t\t{\n"));
  EXPECT_NO_THROW(parse_configuration("c.json", one_line));
  EXPECT_NO_THROW(parse_configuration("c.json", tabs));
}

TEST_F(UpdateFile, WhatIsThereStays) {
  const std::string text =
      R"([{"id": "a", "match_kind": "scope", "instances": [".*/Mixed_5d"], "inputs": [], "outputs": []},
          {"id": "p", "match_kind": "points", "instances": {"start_points": ["a"], "end_points": ["b"]}}])";
  EXPECT_EQ(update(text), text);
}

TEST_F(UpdateFile, ScopesThatAreNotInTheModelAreTold) {
  const std::string text = R"([{"id": "a", "match_kind": "scope", "instances": ["Mixed_9"]}])";
  EXPECT_EQ(update(text), text);
  EXPECT_THAT(notes,
              ElementsAre(HasSubstr("c.json:1: \"a\" is not updated: scope 'Mixed_9': no node has a name")));
}

// Names with what is special in an expression lead back to their nodes.
TEST_F(UpdateFile, NamesAreQuoted) {
  g = lab.graph(
      "%x = Parameter \"x\"\n%a = A \"s/a+b.c(1):0\" (%x)\n%b = A \"s/unread\" (%a)\nResult (%x)\n");
  const std::string after = update(R"([{"id": "a", "match_kind": "scope", "instances": ["s"]}])");
  const auto entry = nlohmann::json::parse(after).at(0);
  EXPECT_EQ(entry.at("inputs").at(0).at(0).at("node"), "a\\+b\\.c\\(1\\):0$");
  EXPECT_EQ(entry.at("outputs").at(0).at("node"), "unread$");
  const core::Configuration c = parse_configuration("c.json", after);
  EXPECT_TRUE(match_instance(*g, c.at(0), 0).match);
}

}  // namespace
}  // namespace mo::app
