#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "apps/views/text.hpp"
#include "core/support/failure.hpp"

namespace mo::core {
namespace {

using testing::HasSubstr;

GraphPtr parse(std::string_view text) { return app::parse_text(text, std::make_shared<GraphSpace>()); }

std::string order(const Graph& g) {
  std::string names;
  for (NodeId n : g.topological()) names.append(names.empty() ? "" : " ").append(g.name(n));
  return names;
}

std::string cycle_error(const Graph& g) {
  try {
    g.topological();
  } catch (const Failure& f) {
    EXPECT_EQ(f.exit(), Exit::model);
    return f.render();
  }
  return "no failure";
}

TEST(Topological, KeepsAnOrderThatIsRightAlready) {
  EXPECT_EQ(order(*parse("%a = A\n %b = B\n %c = C (%a)\n %d = D (%b, %c)\n %e = E")), "a b c d e");
}

TEST(Topological, PutsWhatIsReadLaterFirstByInput) {
  EXPECT_EQ(order(*parse("%a = A (%d, %c)\n %b = B\n %c = C\n %d = D")), "d c a b");
}

TEST(Topological, LeavesOutRemovedNodes) {
  const GraphPtr g = parse("%a = A\n %b = B (%a)\n %c = C (%b)");
  g->remove_node(g->find("b"));
  EXPECT_EQ(order(*g), "a c");
  EXPECT_EQ(order(*parse("")), "");
}

TEST(Topological, AGraphWithACycleNamesIt) {
  const std::string error = cycle_error(
      *parse("graph \"net\" { %x = X\n %a = A (%x, %c)\n %b = B (%a)\n %c = C (%b)\n %d = D (%c) }"));
  EXPECT_THAT(error, HasSubstr("MO0301: the graph 'net' has a cycle of 3 nodes"));
  EXPECT_THAT(error, HasSubstr("'a' (A) -> 'b' (B) -> 'c' (C) -> 'a' (A)\n"));
  EXPECT_THAT(error, testing::Not(HasSubstr("'d'")));
}

TEST(Topological, ANodeThatReadsItself) {
  EXPECT_THAT(cycle_error(*parse("%a = A (%b)\n %b = B (_, %b)")), HasSubstr("'b' (B) -> 'b' (B)\n"));
}

TEST(Topological, OfALongCycleTheBeginningIsShown) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += mo::text("%n", i, " = N (%n", (i + 999) % 1000, ")\n");
  const std::string error = cycle_error(*parse(text));
  EXPECT_THAT(error, HasSubstr("a cycle of 1000 nodes"));
  EXPECT_THAT(error, HasSubstr("'n0' (N) -> 'n1' (N)"));
  EXPECT_THAT(error, HasSubstr("… 988 more … -> 'n0' (N)"));
}

TEST(Topological, RandomGraphsComeInAnOrderThatHolds) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const GraphPtr g = Graph::create(std::make_shared<GraphSpace>(), "g");
    const auto size = 1 + random() % 60;
    for (unsigned i = 0; i < size; ++i) g->add_node("N", "", "", random() % 4, 1);
    std::vector<NodeId> hidden = g->nodes();
    std::shuffle(hidden.begin(), hidden.end(), random);
    for (unsigned i = 1; i < size; ++i)
      for (uint32_t port = 0; port < g->node(hidden[i]).inputs.size(); ++port)
        if (random() % 4 != 0) g->connect({hidden[random() % i], 0}, {hidden[i], port});
    std::vector<bool> seen(g->end_id());
    const std::vector<NodeId> sorted = g->topological();
    ASSERT_EQ(sorted.size(), size);
    for (NodeId n : sorted) {
      EXPECT_FALSE(seen[n]);
      seen[n] = true;
      for (const InSlot& in : g->node(n).inputs) EXPECT_TRUE(!in.source || seen[in.source.node]);
    }
  }
}

TEST(Topological, DepthDoesNotMatter) {
  const GraphPtr g = Graph::create(std::make_shared<GraphSpace>(), "g");
  constexpr uint32_t length = 200000;
  for (uint32_t i = 0; i < length; ++i) g->add_node("N", "", text("n", i), 1, 1);
  for (uint32_t i = 0; i + 1 < length; ++i) g->connect({i + 1, 0}, {i, 0});
  const std::vector<NodeId> sorted = g->topological();
  EXPECT_EQ(sorted.front(), length - 1);
  EXPECT_EQ(sorted.back(), 0U);
}

}  // namespace
}  // namespace mo::core
