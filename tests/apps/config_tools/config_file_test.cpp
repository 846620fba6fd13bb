#include "apps/config_tools/config_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/support/failure.hpp"

namespace mo::app {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string refusal(std::string_view text) {
  try {
    parse_configuration("c.json", text);
  } catch (const core::Failure& f) {
    EXPECT_EQ(f.exit(), core::Exit::usage);
    return f.message();
  }
  return "accepted";
}

TEST(ConfigFile, Scope) {
  const core::Configuration c = parse_configuration("c.json", R"([
    {
        "custom_attributes": {"attr1_key": "attr1_value", "attr2_key": 123456, "list": [1, 2.5]},
        "id": "InceptionBlockReplacer",
        "op": "InceptionBlock",
        "instances": [".*InceptionV4/Mixed_5b",
                      ".*InceptionV4/Mixed_5c"],
        "inputs": [[{"node": "a$", "port": 0}, {"node": "b$", "port": 2}]],
        "outputs": [{"node": "concat$", "port": 0}],
        "match_kind": "scope"
    }])");
  ASSERT_EQ(c.size(), 1U);
  const core::ConfigEntry& e = c.front();
  EXPECT_EQ(e.kind, core::ConfigEntry::Kind::scope);
  EXPECT_EQ(e.id, "InceptionBlockReplacer");
  EXPECT_EQ(e.op, "InceptionBlock");
  EXPECT_EQ(e.place(), "c.json:2");
  EXPECT_EQ(e.custom_attributes, R"({"attr1_key":"attr1_value","attr2_key":123456,"list":[1,2.5]})");
  ASSERT_EQ(e.instances.size(), 2U);
  EXPECT_EQ(e.instances[1].line, 7U);
  ASSERT_TRUE(e.inputs && e.outputs);
  EXPECT_EQ(e.inputs->at(0).at(1).node, "b$");
  EXPECT_EQ(e.inputs->at(0).at(1).port, 2U);
  EXPECT_EQ(e.outputs->at(0).node, "concat$");
}

TEST(ConfigFile, PointsAndGeneral) {
  const core::Configuration c = parse_configuration("c.json", R"([
    {"id": "p", "match_kind": "points", "include_outputs_to_sub_graph": false,
     "instances": {"start_points": ["a", "b"], "end_points": ["c"]}},
    {"id": "g", "match_kind": "general", "notes": "the author's own key"}])");
  ASSERT_EQ(c.size(), 2U);
  EXPECT_EQ(c[0].start_points.at(1).pattern, "b");
  EXPECT_TRUE(c[0].include_inputs);
  EXPECT_FALSE(c[0].include_outputs);
  EXPECT_EQ(c[1].kind, core::ConfigEntry::Kind::general);
  EXPECT_EQ(c[1].custom_attributes, "{}");
}

TEST(ConfigFile, TellsEveryProblemWithItsLine) {
  const std::string text = refusal(R"([
    {"match_kind": "scope", "instances": {}},
    {"id": "b", "match_kind": "scop", "instances": []},
    {"id": "c", "match_kind": "points",
     "instances": {"start_points": "x"}},
    {"id": 5, "match_kind": "general", "op": "X", "custom_attribute": {}},
    {"id": "e", "match_kind": "scope",
     "instances": ["(", ""],
     "inputs": [[{"node": "n", "port": -1}], []]},
    7])");
  for (const char* part : {
           "c.json:2: the entry has no \"id\"",
           "c.json:2: \"instances\" of a scope is an object, expected an array",
           "c.json:3: \"match_kind\" is \"scop\", expected \"scope\", \"points\" or \"general\"",
           "c.json:5: \"start_points\" is a string, expected an array",
           "c.json:5: \"instances\" has no \"end_points\"",
           "c.json:6: \"id\" is a number, expected a string",
           "c.json:6: there is no key \"custom_attribute\": did you mean 'custom_attributes'?",
           "c.json:6: \"op\" needs \"match_kind\"",
           "c.json:8: '(' is not a regular expression",
           "c.json:8: an item of \"instances\" is empty",
           "c.json:9: \"port\" is -1, expected the number of a port",
           "c.json:9: an item of \"inputs\" is empty",
           "c.json:10: the entry is a number, expected an object",
       })
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_THAT(refusal(R"({"id": "a"})"),
              HasSubstr("c.json:1: the file holds an object, expected an array of entries"));
  EXPECT_THAT(refusal(R"([{"id": "a", "match_kind": "general", "zzzzzz": 1}])"), Not(HasSubstr("zzzzzz")));
}

TEST(ConfigFile, FilesThatAreNotThere) {
  try {
    read_configuration({"/nowhere/c.json"});
    FAIL() << "read";
  } catch (const core::Failure& f) {
    EXPECT_EQ(f.code(), "MO0611");
    EXPECT_THAT(f.message(), HasSubstr("/nowhere/c.json"));
  }
}

}  // namespace
}  // namespace mo::app
