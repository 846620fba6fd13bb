#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/config_tools/config_file.hpp"
#include "core/config/match_config.hpp"
#include "tests/core/config/inception.hpp"

namespace mo::core {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ScopeMatch : public testing::Test {
 protected:
  InstanceMatch match(std::string_view json, size_t instance = 0) {
    entries = app::parse_configuration("c.json", json);
    return match_instance(*g, entries.at(0), instance);
  }
  std::vector<std::string> names(const std::vector<PortRef>& ports) const {
    std::vector<std::string> list;
    for (PortRef p : ports) list.push_back(text(g->name(p.node), ":", p.port));
    return list;
  }
  test::Lab lab;
  GraphPtr g = lab.graph(test::inception());
  Configuration entries;
};

TEST_F(ScopeMatch, NodesWhoseNamesBeginWithTheExpression) {
  auto found = match(R"([{"id": "a", "match_kind": "scope", "instances": [".*InceptionV4/Mixed_5c"]}])");
  ASSERT_TRUE(found.match);
  EXPECT_EQ(found.match->nodes().size(), 8U);
  const Boundary& b = boundary_of(*found.match, g->end_id());
  ASSERT_EQ(b.inputs.size(), 1U);
  EXPECT_EQ(g->name(b.inputs[0].source.node), "InceptionV4/Mixed_5b/concat");
  EXPECT_EQ(b.inputs[0].ports.size(), 4U);
  EXPECT_THAT(names(b.outputs), ElementsAre("InceptionV4/Mixed_5c/concat:0"));
}

TEST_F(ScopeMatch, InputsAndOutputsAsTheEntrySays) {
  auto found = match(R"([{"id": "a", "match_kind": "scope", "instances": [".*/Mixed_5b", ".*/Mixed_5d/"],
    "inputs": [[{"node": "Branch_1/Conv2d_0a_1x1/Conv2D$", "port": 1}],
               [{"node": "Branch_3/AvgPool", "port": 0}, {"node": "Branch_0/Conv2d_0a_1x1/Conv2D$", "port": 0}]],
    "outputs": [{"node": "concat$", "port": 0}, {"node": "Branch_3/Avg.*", "port": 0}]}])",
                     1);
  ASSERT_TRUE(found.match) << found.why_not;
  const Boundary& b = boundary_of(*found.match, g->end_id());
  ASSERT_EQ(b.inputs.size(), 2U);
  EXPECT_EQ(g->name(b.inputs[0].source.node), "InceptionV4/Mixed_5d/Branch_1/weights");
  EXPECT_THAT(names(b.inputs[1].ports), ElementsAre("InceptionV4/Mixed_5d/Branch_3/AvgPool_0a_3x3/AvgPool:0",
                                                    "InceptionV4/Mixed_5d/Branch_0/Conv2d_0a_1x1/Conv2D:0"));
  EXPECT_EQ(names(b.outputs).size(), 2U);
}

TEST_F(ScopeMatch, AScopeEndsAtASlash) {
  EXPECT_FALSE(
      match(R"([{"id": "a", "match_kind": "scope", "instances": [".*InceptionV4/Mixed_5"]}])").match);
  EXPECT_TRUE(
      match(R"([{"id": "a", "match_kind": "scope", "instances": [".*InceptionV4/Mixed_5c/concat"]}])").match)
      << "a node is a scope by its whole name";
}

TEST_F(ScopeMatch, SaysWhereItStopped) {
  EXPECT_EQ(match(R"([{"id": "a", "match_kind": "scope", "instances": [".*InceptionV4/Mixed_6b"]}])").why_not,
            "no node has a name that begins with it; did you mean 'InceptionV4/Mixed_5b'?");
  EXPECT_THAT(match(R"([{"id": "a", "match_kind": "scope", "instances": [".*InceptionV4/Mixed_5b"],
                        "outputs": [{"node": "concta$", "port": 0}]}])")
                  .why_not,
              HasSubstr("output 0: expected a node 'concta$'; did you mean 'concat'?"));
  EXPECT_THAT(match(R"([{"id": "a", "match_kind": "scope", "instances": [".*InceptionV4/Mixed_5b"],
                        "outputs": [{"node": "concat$", "port": 3}]}])")
                  .why_not,
              HasSubstr("expected an output 3 of 'InceptionV4/Mixed_5b/concat' (Join), which has 1"));
  EXPECT_THAT(match(R"([{"id": "a", "match_kind": "scope", "instances": [".*InceptionV4/Mixed_5b"],
                        "inputs": [[{"node": "concat$", "port": 0}, {"node": "concat$", "port": 1}]]}])")
                  .why_not,
              HasSubstr("input 0 is to be one tensor, but 'InceptionV4/Mixed_5b/concat' (Join) reads"));
}

TEST_F(ScopeMatch, ANameThatFitsSeveralNodesIsAnError) {
  try {
    match(R"([{"id": "a", "match_kind": "scope", "instances": [".*/Mixed_5b"],
               "outputs": [{"node": "Branch_1", "port": 0}]}])");
    FAIL() << "accepted";
  } catch (const Failure& f) {
    EXPECT_EQ(f.code(), "MO0615");
    EXPECT_THAT(f.render(), HasSubstr("c.json:1 (\"a\")"));
    EXPECT_THAT(f.message(), HasSubstr("Branch_1/weights"));
  }
}

}  // namespace
}  // namespace mo::core
