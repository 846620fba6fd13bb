// Sub-graph patterns: which matches there are, and what they bind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/match/match.hpp"
#include "tests/core/schedule/lab.hpp"

namespace mo::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Pattern op(const std::string& type) { return wrap_type({type}); }

class SubgraphTest : public ::testing::Test {
 protected:
  // "name name:port …" per match, in order of the pattern's nodes; a port only where it is not 0.
  std::vector<std::string> matches(const SubgraphPattern& p, std::string_view text) {
    const std::string id = mo::text("t.n", ++count_);
    lab_.plugin(mo::text("com.test.n", count_),
                [&](Registry& r) { r.transformation<OnSubgraph>(id, p, nullptr); });
    graph_ = lab_.graph(text);
    std::vector<std::string> list;
    last_ = core::match_subgraphs(lab_.session, *graph_, lab_[id]);
    for (const core::Match& m : last_) {
      std::string line;
      for (core::PortRef b : m.bound) {
        append_text(line, mo::text(line.empty() ? "" : " ", graph_->name(b.node)));
        if (b.port != 0) append_text(line, mo::text(":", b.port));
      }
      list.push_back(line);
    }
    return list;
  }

  Lab lab_;
  core::GraphPtr graph_;
  std::vector<core::Match> last_;
  int count_ = 0;
};

TEST_F(SubgraphTest, Chains) {
  const SubgraphPattern p{{{"soft", op("SoftPlus")}, {"tanh", op("Tanh")}, {"mul", op("Mul")}},
                          {{"soft", "tanh"}, {"tanh", "mul"}}};
  EXPECT_THAT(matches(p, R"(
    %x = Parameter
    %s1 = SoftPlus (%x)
    %t1 = Tanh (%s1)
    %m1 = Mul (%x, %t1)
    %s2 = SoftPlus (%m1)
    %t2 = Tanh (%s2)
    %m2 = Mul (%t2, %m1)
    %s3 = SoftPlus (%x)
    %m3 = Mul (%s3, %x)
  )"),
              ElementsAre("s1 t1 m1", "s2 t2 m2"));
  EXPECT_THAT(matches(p, "%x = Parameter\n %s = SoftPlus (%x)\n %t = Tanh (%s)"), IsEmpty());
}

TEST_F(SubgraphTest, ExtraConnectionsBetweenMatchedNodesPreventAMatch) {
  const SubgraphPattern p{{{"a", op("A")}, {"b", op("B")}, {"c", op("C")}}, {{"a", "b"}, {"b", "c"}}};
  EXPECT_THAT(matches(p, "%a = A ()\n %b = B (%a)\n %c = C (%b)"), ElementsAre("a b c"));
  EXPECT_THAT(matches(p, "%a = A ()\n %b = B (%a)\n %c = C (%b, %a)"), IsEmpty());
  EXPECT_THAT(matches(p, "%a = A ()\n %b = B (%a, %a)\n %c = C (%b)"), IsEmpty());
  EXPECT_THAT(matches(p, "%x = X ()\n %a = A (%x)\n %b = B (%a, %x)\n %c = C (%x, %b)\n %d = D (%a, %b, %c)"),
              ElementsAre("a b c"))
      << "connections to others do not matter";
  const SubgraphPattern twice{{{"a", op("A")}, {"b", op("B")}}, {{"a", "b"}, {"a", "b"}}};
  EXPECT_THAT(matches(twice, "%a = A ()\n %b = B (%a)\n %d = B (%a, %a)"), ElementsAre("a d"));
}

TEST_F(SubgraphTest, Ports) {
  const std::string_view g = R"(
    %s = Split () -> (_, _)
    %p = Sub (%s, %s:1)
    %q = Sub (%s:1, %s)
    %e = Exp (%s:1)
  )";
  const auto split_sub = [&](std::vector<SubgraphPattern::Edge> edges) {
    return matches({{{"s", op("Split")}, {"m", op("Sub")}}, std::move(edges)}, g);
  };
  EXPECT_THAT(split_sub({{"s", "m"}, {"s", "m"}}), ElementsAre("s p", "s:1 q"));
  EXPECT_THAT(split_sub({{"s", "m", 0, 0}, {"s", "m", 1, 1}}), ElementsAre("s p"));
  EXPECT_THAT(split_sub({{"s", "m", 1, 0}, {"s", "m"}}), ElementsAre("s:1 q"));
  EXPECT_THAT(split_sub({{"s", "m", -1, 1}, {"s", "m", 1, -1}}), ElementsAre("s q"));
  EXPECT_THAT(split_sub({{"s", "m", 0, 0}, {"s", "m", 0, 1}}), IsEmpty());
  EXPECT_THAT(matches({{{"s", op("Split")}, {"e", op("Exp")}}, {{"s", "e", 1, 0}}}, g), ElementsAre("s:1 e"));
  EXPECT_THAT(matches({{{"s", op("Split")}, {"e", op("Exp")}}, {{"s", "e", 0, 0}}}, g), IsEmpty());
}

TEST_F(SubgraphTest, AnyNodes) {
  const SubgraphPattern p{{{"x", any_input()}, {"r", op("Relu")}}, {{"x", "r", -1, 0}}};
  EXPECT_THAT(matches(p, "%x = X () -> (_, _)\n %r = Relu (%x:1)\n %s = Relu (%r)"),
              ElementsAre("x:1 r", "r s"));
  std::vector<std::string> names;
  for (core::NodeId n : last_.front().nodes()) names.emplace_back(graph_->name(n));
  EXPECT_THAT(names, ElementsAre("r")) << "an any-node lies outside";
}

// A symmetric pattern names the same nodes in each order.
TEST_F(SubgraphTest, SymmetricPatterns) {
  const SubgraphPattern p{{{"a", op("Const")}, {"b", op("Const")}, {"add", op("Add")}},
                          {{"a", "add"}, {"b", "add"}}};
  EXPECT_THAT(matches(p, "%p = Const -> f32[] {1}\n %q = Const -> f32[] {2}\n %s = Add (%p, %q)"),
              ElementsAre("p q s", "q p s"));
}

TEST_F(SubgraphTest, SeveralComponents) {
  const SubgraphPattern p{{{"a", op("A")}, {"b", op("B")}}, {}};
  EXPECT_THAT(matches(p, "%a = A ()\n %b = B ()\n %c = B ()\n %d = B (%a)"), ElementsAre("a b", "a c"));
}

TEST_F(SubgraphTest, AttributesAndPredicates) {
  const std::string_view g = R"(
    %x = Parameter
    %a = Pool (%x) {k=2}
    %b = Pool (%x) {k=3}
    %r = Relu (%a)
    %s = Relu (%b)
  )";
  const std::vector<SubgraphPattern::Edge> edge{{"p", "r"}};
  EXPECT_THAT(matches({{{"p", op("Pool")->with("k", int64_t{3})}, {"r", op("Relu")}}, edge}, g),
              ElementsAre("b s"));
  const auto small = op("Pool")->where([](const OutPort& p) { return p.node().attr<int64_t>("k") < 3; });
  EXPECT_THAT(matches({{{"p", small}, {"r", op("Relu")}}, edge}, g), ElementsAre("a r"));
  const auto lonely = wrap_type({"Parameter"})->one_consumer();
  EXPECT_THAT(matches({{{"x", lonely}, {"p", op("Pool")}}, {{"x", "p"}}}, g), IsEmpty());
}

TEST_F(SubgraphTest, DataNodesStandForPorts) {
  const SubgraphPattern p{
      {{"in", data_node()}, {"pow", op("Power")}, {"mid", data_node()}, {"sum", op("Sum")}},
      {{"in", "pow"}, {"pow", "mid"}, {"mid", "sum"}}};
  EXPECT_THAT(matches(p, R"(
    %x = Split () -> (_, _)
    %p = Power (%x:1) -> (_, _)
    %s = Sum (%p)
    %t = Sum (%p:1)
  )"),
              ElementsAre("x:1 p p s", "x:1 p:1 p:1 t"));
  // Both read the same tensor.
  const SubgraphPattern fork{{{"d", data_node()}, {"a", op("A")}, {"b", op("B")}},
                             {{"d", "a"}, {"d", "b", -1, 1}}};
  EXPECT_THAT(matches(fork, R"(
    %x = X () -> (_, _)
    %a = A (%x)
    %b = B (%x:1, %x)
    %c = B (%x, %x:1)
    %d = B (%x, %x)
  )"),
              ElementsAre("x a b"))
      << "d has a second connection to the same tensor";
}

// Beside data nodes, operations may be connected through tensors that the pattern does not name; a named
// tensor's producer may not be matched as something else.
TEST_F(SubgraphTest, DataNodesAndConnectionsOfTheOperations) {
  const SubgraphPattern p{{{"a", op("A")}, {"d", data_node()}, {"b", op("B")}}, {{"a", "d"}, {"d", "b"}}};
  EXPECT_THAT(matches(p, "%a = A () -> (_, _)\n %b = B (%a)"), ElementsAre("a a b"));
  EXPECT_THAT(matches(p, "%a = A () -> (_, _)\n %b = B (%a, %a:1)"), ElementsAre("a a b", "a:1 a:1 b"));
  EXPECT_THAT(matches(p, "%a = A () -> (_, _)\n %b = B (%a, %a)"), IsEmpty());
  const SubgraphPattern apart{{{"a", op("A")}, {"d", data_node()}, {"b", op("B")}}, {{"d", "b"}}};
  EXPECT_THAT(matches(apart, "%a = A ()\n %b = B (%a)"), IsEmpty());
  EXPECT_THAT(matches(apart, "%a = A ()\n %x = X ()\n %b = B (%x)"), ElementsAre("a x b"));
}

TEST_F(SubgraphTest, DataOfDataIsNoPattern) {
  const SubgraphPattern p{{{"a", data_node()}, {"b", data_node()}}, {{"a", "b"}}};
  EXPECT_THAT(test::failure_of([&] { matches(p, "%a = A ()"); }),
              HasSubstr("the pattern connects the data nodes 'a' and 'b'"));
}

TEST_F(SubgraphTest, TooManyMatchesAreAnError) {
  std::string g;
  std::string inputs;
  for (int i = 0; i < 60; ++i) {
    append_text(g, text("%n", i, " = N ()\n"));
    append_text(inputs, text(i == 0 ? "" : ", ", "%n", i));
  }
  append_text(g, text("%c = Concat (", inputs, ")\n"));
  const SubgraphPattern p{{{"a", any_input()}, {"b", any_input()}, {"d", any_input()}, {"c", op("Concat")}},
                          {{"a", "c"}, {"b", "c"}, {"d", "c"}}};
  EXPECT_THAT(test::failure_of([&] { matches(p, g); }), HasSubstr("matches in more than"));
}

}  // namespace
}  // namespace mo::test
