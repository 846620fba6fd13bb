#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/config_tools/config_file.hpp"
#include "core/config/match_config.hpp"
#include "tests/core/schedule/lab.hpp"

namespace mo::core {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// x -> first -> left -> end
//            \-> right /   side -> left
constexpr std::string_view graph_text = R"(
%x = Parameter "x"
%y = Parameter "y"
%before = A "before" (%x)
%first = A "first" (%before)
%k = Const "k" -> f32[1] {3}
%side = B "side" (%k)
%left = C "left" (%first, %side)
%right = A "right" (%first)
%end = C "end" (%left, %right)
%after = A "after" (%end)
%user = A "user" (%k)
Result "r" (%after)
Result "s" (%user)
Result "t" (%y)
)";

class Points : public testing::Test {
 protected:
  InstanceMatch match(const std::string& starts, const std::string& ends, const std::string& more = "") {
    entries = app::parse_configuration(
        "c.json", R"([{"id": "a", "match_kind": "points", "instances": {"start_points": )" + starts +
                      ", \"end_points\": " + ends + "}" + more + "}]");
    return match_instance(*g, entries.at(0), 0);
  }
  std::vector<std::string> names(const std::vector<NodeId>& nodes) const {
    std::vector<std::string> list;
    for (NodeId n : nodes) list.emplace_back(g->name(n));
    return list;
  }
  std::string failure(const std::string& starts, const std::string& ends) {
    try {
      match(starts, ends);
    } catch (const Failure& f) {
      EXPECT_EQ(f.code(), "MO0616");
      EXPECT_EQ(f.exit(), Exit::usage);
      return f.render();
    }
    return "matched";
  }
  test::Lab lab;
  GraphPtr g = lab.graph(graph_text);
  Configuration entries;
};

TEST_F(Points, WhatLiesBetweenAndWhatItNeeds) {
  auto found = match(R"(["first"])", R"(["end"])");
  ASSERT_TRUE(found.match) << found.why_not;
  EXPECT_THAT(names(found.match->nodes()), ElementsAre("first", "left", "right", "end", "side", "k"));
  const Boundary& b = boundary_of(*found.match, g->end_id());
  ASSERT_EQ(b.inputs.size(), 1U);
  EXPECT_EQ(g->name(b.inputs[0].source.node), "before");
  ASSERT_EQ(b.outputs.size(), 1U);
  EXPECT_EQ(g->name(b.outputs[0].node), "end");
}

// What else reads a start point may go with it; what only that needs stays.
TEST_F(Points, WhatIsNeededElsewhereStays) {
  g = lab.graph(R"(
%x = Parameter "x"
%z = Parameter "z"
%first = A "first" (%x)
%end = A "end" (%first)
%elsewhere = B "elsewhere" (%first, %z)
Result "r" (%end)
Result "s" (%elsewhere)
)");
  auto found = match(R"(["first"])", R"(["end"])");
  ASSERT_TRUE(found.match) << found.why_not;
  EXPECT_THAT(names(found.match->nodes()), ElementsAre("first", "end", "elsewhere", "s"));
}

TEST_F(Points, WithoutTheStartAndTheEnd) {
  auto found = match(R"(["first"])", R"(["end"])",
                     R"(, "include_inputs_to_sub_graph": false, "include_outputs_to_sub_graph": false)");
  ASSERT_TRUE(found.match) << found.why_not;
  EXPECT_THAT(names(found.match->nodes()), ElementsAre("left", "right"));
}

TEST_F(Points, NothingBetweenIsNoMatch) {
  const auto found =
      match(R"(["t"])", R"(["y"])",
            R"(, "include_inputs_to_sub_graph": false, "include_outputs_to_sub_graph": false)");
  EXPECT_FALSE(found.match);
  EXPECT_EQ(found.why_not, "no node lies between the start and the end points");
}

TEST_F(Points, ErrorsOfTheDocuments) {
  EXPECT_THAT(failure(R"(["right"])", R"(["left"])"),
              HasSubstr("the end point 'left' (C) is not reached from the start points"));
  EXPECT_THAT(failure(R"(["left"])", R"(["end"])"),
              HasSubstr("the input 'x' (Parameter) of the model lies between the start and the end points"));
  EXPECT_THAT(failure(R"(["left"])", R"(["end"])"), HasSubstr("c.json:1 (\"a\")"));
}

TEST_F(Points, NamesThatAreNotThere) {
  EXPECT_EQ(match(R"(["frist"])", R"(["end"])").why_not,
            "expected a node 'frist' as a start point; did you mean 'first'?");
  EXPECT_THAT(match(R"(["first"])", R"(["nothing like it"])").why_not,
              HasSubstr("expected a node 'nothing like it' as an end point"));
}

// Exporters make a constant of a shape that is known: what it gives is the input.
TEST_F(Points, AConstantIsAStartPoint) {
  auto found = match(R"(["k"])", R"(["side"])");
  ASSERT_TRUE(found.match) << found.why_not;
  const Boundary& b = boundary_of(*found.match, g->end_id());
  ASSERT_EQ(b.inputs.size(), 1U);
  EXPECT_EQ(g->name(b.inputs[0].source.node), "k");
  ASSERT_FALSE(b.inputs[0].ports.empty());
  EXPECT_EQ(g->name(b.inputs[0].ports[0].node), "side");
}

TEST_F(Points, WithoutStartsOrEndsThereIsNothing) {
  for (const auto& [starts, ends, list] :
       {std::tuple{"[]", R"(["end"])", "start_points"}, std::tuple{R"(["first"])", "[]", "end_points"}}) {
    try {
      match(starts, ends);
      ADD_FAILURE() << list;
    } catch (const Failure& f) {
      EXPECT_THAT(f.render(), HasSubstr(text('"', list, "\" is empty")));
    }
  }
  // Nobody reads the start, and nothing makes the end, where they do not belong to what is replaced.
  for (const auto& found : {match(R"(["t"])", R"(["end"])", R"(, "include_inputs_to_sub_graph": false)"),
                            match(R"(["x"])", R"(["y"])", R"(, "include_outputs_to_sub_graph": false)")}) {
    EXPECT_FALSE(found.match);
    EXPECT_THAT(found.why_not, Not(testing::IsEmpty()));
  }
}

}  // namespace
}  // namespace mo::core
