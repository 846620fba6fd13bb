// Graphs as drawings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/views/dot.hpp"
#include "apps/views/text.hpp"

namespace mo::app {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

core::GraphPtr parsed(std::string_view text) {
  return parse_text(text, std::make_shared<core::GraphSpace>());
}

TEST(Dot, NodesAndConnections) {
  const auto g = parsed(R"(graph "net" {
    %x = Parameter -> f32[1,?]
    %c = Const -> i64[2] {1,2}
    %s = Split@opset1 (%x, %c) -> (f32[1,1], _)
    Result "r" (%s:1)
  })");
  EXPECT_EQ(to_dot(*g),
            R"(digraph "net" {
  label="net";
  labelloc=t;
  node [shape=box, style=filled, fillcolor=white, fontname="Helvetica", fontsize=10];
  edge [fontname="Helvetica", fontsize=8];
  g0n0 [label="Parameter\nx", shape=cds];
  g0n1 [label="Const\nc\ni64[2]", shape=ellipse];
  g0n2 [label="Split\ns"];
  g0n3 [label="Result\nr", shape=cds];
  g0n0 -> g0n2 [label="f32[1,?]\n0 to 0"];
  g0n1 -> g0n2 [label="0 to 1"];
  g0n2 -> g0n3 [label="1 to 0"];
}
)");
}

TEST(Dot, NamesAreEscaped) {
  const auto g = parsed(R"(%a = A "quote \" slash \\ line \n end")");
  EXPECT_THAT(to_dot(*g), HasSubstr(R"([label="A\nquote \" slash \\ line   end"])"));
}

TEST(Dot, BodiesAreBoxes) {
  const auto g = parsed("%l = Loop \"loop\" () {body=graph \"b\" {\n %a = A\n %b = B (%a)\n}}");
  const std::string dot = to_dot(*g);
  EXPECT_THAT(dot, HasSubstr("  subgraph cluster_1 {\n    label=\"'b' of 'loop'\";\n  "));
  EXPECT_THAT(dot, HasSubstr("    g1n0 -> g1n1;\n  }\n"));
}

TEST(Dot, MarksAreColours) {
  const auto g = parsed("%a = A\n%b = B (%a)");
  DotOptions o;
  o.marks[{g.get(), 0}] = Mark::made;
  o.marks[{g.get(), 1}] = Mark::changed;
  EXPECT_THAT(to_dot(*g, o), HasSubstr("[label=\"A\\na\", fillcolor=palegreen];"));
  EXPECT_THAT(to_dot(*g, o), HasSubstr("[label=\"B\\nb\", fillcolor=khaki];"));
}

TEST(Dot, OfABigGraphWhatIsAroundTheMarks) {
  std::string chain = "%n0 = Parameter\n";
  for (int i = 1; i < 100; ++i) append_text(chain, text("%n", i, " = A (%n", i - 1, ")\n"));
  const auto g = parsed(chain);
  DotOptions o;
  o.most_nodes = 5;
  o.marks[{g.get(), 50}] = Mark::changed;
  const std::string dot = to_dot(*g, o);
  EXPECT_THAT(dot, HasSubstr("\\n5 of 100 nodes: what changed and what is around it\""));
  for (const char* n : {"g0n48 ", "g0n49 ", "g0n50 ", "g0n51 ", "g0n52 "}) EXPECT_THAT(dot, HasSubstr(n));
  EXPECT_THAT(dot, Not(HasSubstr("g0n47")));
  EXPECT_THAT(dot, Not(HasSubstr("g0n53")));
  o.marks.clear();
  EXPECT_THAT(to_dot(*g, o), HasSubstr("5 of 100 nodes: the first ones"));
}

}  // namespace
}  // namespace mo::app
